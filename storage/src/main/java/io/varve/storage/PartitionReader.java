package io.varve.storage;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * All rows of one topic partition, as readers see them. Thread-safe.
 *
 * <p>The port between queries and stores. Only a reader that is {@link StoreState#SERVING} may be
 * asked; every method but {@link #topicPartition}, {@link #state}, {@link #freshness}, {@link
 * #totals}, {@link #days}, {@link #inspect} and {@link #shardSizes} otherwise throws {@link
 * StoreUnavailableException}.
 */
public interface PartitionReader {
  /** Topic partition of {@code rows} that feeds this store. */
  int topicPartition();

  StoreState state();

  /**
   * Lists the non-empty (day, shard) fragments of a sensor whose day touches a range, newest day
   * first, in a day the highest shard first; empty when the sensor has none here.
   */
  List<Fragment> fragments(SensorId sensor, TimeRange range);

  /**
   * Finds the fragments of the sensor's newest day here, the highest shard first; empty when the
   * sensor has no rows here.
   */
  List<Fragment> newest(SensorId sensor);

  /** Opens a look at the newest rows of many sensors. */
  NewestRows newestRows();

  /**
   * Opens a walk over one fragment. A fragment that has expired since it was listed is an empty
   * walk.
   */
  RowCursor read(SensorId sensor, Fragment fragment, Scan scan, ReadStats stats);

  /** Summarises one sensor; empty when it has no rows here. */
  Optional<SensorSummary> sensor(SensorId sensor);

  /**
   * Lists sensors in bytewise order of their ids.
   *
   * @param prefix UTF-8 bytes that the ids begin with; empty for all
   * @param after list only ids after this one; empty to start at the first
   * @param limit most sensors to return
   */
  List<SensorSummary> sensors(byte[] prefix, Optional<SensorId> after, int limit);

  Freshness freshness();

  StoreTotals totals();

  /** What each day takes on disk, ascending; also while it does not serve. */
  default List<DayUse> days() {
    return List.of();
  }

  /**
   * Looks at every day, ascending, also while the store does not serve. Neither holds up the writer
   * nor opens a day. A partition that moves at this moment, because its day is rewritten, may be
   * met twice or not at all.
   *
   * @param visitor takes every shard of a day, before the day itself is in the answer
   * @throws IOException if the index of a closed day can't be read
   */
  default List<DayStats> inspect(ShardVisitor visitor) throws IOException {
    return List.of();
  }

  /** How large the shards of its partitions are; also while it does not serve. */
  default ShardSizes shardSizes() {
    return ShardSizes.NONE;
  }

  /**
   * Why rows do not get in, for instance for a full disk; empty while they do. What is stored can
   * be read all the same.
   */
  default Optional<String> stalled() {
    return Optional.empty();
  }
}
