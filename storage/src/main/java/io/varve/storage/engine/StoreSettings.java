package io.varve.storage.engine;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * How a store behaves.
 *
 * @param topicPartitions partitions of {@code rows}, fixed for life
 * @param retentionMicros how long rows are kept, by event time and in whole days; empty keeps all
 * @param maxOpenFiles block files kept mapped; the least recently used days beyond it are closed
 * @param closeAfter a day is rewritten into tight form once a span this long has brought it less
 *     than 1 % of its rows
 */
public record StoreSettings(
    int topicPartitions, OptionalLong retentionMicros, int maxOpenFiles, Duration closeAfter) {
  /** How long a day must have been quiet, unless said otherwise. */
  public static final Duration CLOSE_AFTER = Duration.ofHours(1);

  /** Block files that all stores of one node may keep mapped, well inside a limit of 1 024. */
  private static final int NODE_OPEN_FILES = 512;

  public StoreSettings {
    if (topicPartitions < 1 || maxOpenFiles < 1 || closeAfter.isNegative()) {
      throw new IllegalArgumentException(
          "topicPartitions="
              + topicPartitions
              + " maxOpenFiles="
              + maxOpenFiles
              + " closeAfter="
              + closeAfter);
    }
  }

  /** Settings for one of so many stores on a node, keeping all rows. */
  public static StoreSettings defaults(int topicPartitions) {
    return new StoreSettings(
        topicPartitions,
        OptionalLong.empty(),
        Math.max(16, NODE_OPEN_FILES / topicPartitions),
        CLOSE_AFTER);
  }

  /** The same with a retention. */
  public StoreSettings withRetention(long micros) {
    return new StoreSettings(topicPartitions, OptionalLong.of(micros), maxOpenFiles, closeAfter);
  }

  /** The same with another span after which a quiet day is rewritten. */
  public StoreSettings withCloseAfter(Duration span) {
    return new StoreSettings(topicPartitions, retentionMicros, maxOpenFiles, span);
  }
}
