package io.varve.storage.engine;

import java.util.OptionalLong;

/**
 * How a store behaves.
 *
 * @param topicPartitions partitions of {@code rows}, fixed for life
 * @param retentionMicros how long rows are kept, by event time and in whole days; empty keeps all
 * @param maxOpenFiles block files kept mapped; the least recently used days beyond it are closed
 */
public record StoreSettings(int topicPartitions, OptionalLong retentionMicros, int maxOpenFiles) {
  /** Block files that all stores of one node may keep mapped, well inside a limit of 1 024. */
  private static final int NODE_OPEN_FILES = 512;

  public StoreSettings {
    if (topicPartitions < 1 || maxOpenFiles < 1) {
      throw new IllegalArgumentException(
          "topicPartitions=" + topicPartitions + " maxOpenFiles=" + maxOpenFiles);
    }
  }

  /** Settings for one of so many stores on a node, keeping all rows. */
  public static StoreSettings defaults(int topicPartitions) {
    return new StoreSettings(
        topicPartitions, OptionalLong.empty(), Math.max(16, NODE_OPEN_FILES / topicPartitions));
  }

  /** The same with a retention. */
  public StoreSettings withRetention(long micros) {
    return new StoreSettings(topicPartitions, OptionalLong.of(micros), maxOpenFiles);
  }
}
