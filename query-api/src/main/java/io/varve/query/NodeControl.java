package io.varve.query;

import java.util.Map;
import java.util.Optional;

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

  /** Returns the metrics in Prometheus' text format, version 0.0.4. */
  String metrics();

  /**
   * Stops taking readings in until {@link #resumeIngest}; answers go on. Idempotent. False, and
   * nothing done, while there is no ingest yet.
   */
  boolean pauseIngest();

  /** Takes readings in again. Idempotent. False, and nothing done, while there is no ingest yet. */
  boolean resumeIngest();
}
