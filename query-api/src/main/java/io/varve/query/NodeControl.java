package io.varve.query;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Future;

/** What operators ask of the node through HTTP. A port; thread-safe. */
public interface NodeControl {
  /** Tells whether the node works at all; a node that doesn't should be restarted. */
  boolean live();

  /** Says in one sentence why the node can't answer now; empty when it can. */
  Optional<String> notReady();

  /**
   * Returns the node's status as a tree of {@link java.util.LinkedHashMap}, {@link java.util.List},
   * String, Number and Boolean; its first member is {@code ledger}.
   */
  Map<String, Object> status();

  /**
   * Returns what the days of this node's stores hold, as a tree like {@link #status}.
   *
   * @param segments whether to list each day of each topic partition as well
   * @throws IOException if the files of a day can't be read
   */
  Map<String, Object> storeStats(boolean segments) throws IOException;

  /** Shard plans. */
  ShardControl shards();

  /**
   * Returns which partitions of this node's stores were busiest of late, as a tree like {@link
   * #status}.
   *
   * @param seconds over how many seconds, up to 60
   * @param limit most partitions of each list
   * @param writes whether to tell of what was written
   * @param reads whether to tell of what was read
   */
  Map<String, Object> top(int seconds, int limit, boolean writes, boolean reads);

  /** Returns the metrics in Prometheus' text format, version 0.0.4. */
  String metrics();

  /**
   * Stops taking readings in until {@link #resumeIngest}; answers go on. Idempotent. False, and
   * nothing done, while there is no ingest yet.
   */
  boolean pauseIngest();

  /** Takes readings in again. Idempotent. False, and nothing done, while there is no ingest yet. */
  boolean resumeIngest();

  /**
   * Brings every day of every store of this node into tight form, in the background; joins the run
   * under way if there is one. Returns at once.
   *
   * @return the days rewritten; fails with an {@link java.io.IOException} when a store can't, for
   *     instance because its disk has no room, and with a {@link
   *     io.varve.storage.StoreUnavailableException} when a store does not serve or the node stops.
   *     Their messages are sentences for the operator
   */
  Future<Integer> compactStores();
}
