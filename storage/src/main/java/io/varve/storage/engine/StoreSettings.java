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
 * @param maxShardBytes bytes from which on a shard of a partition is told to be too large; 0 for
 *     none
 * @param maxShardRows the same in rows; 0 for none
 */
public record StoreSettings(
    int topicPartitions,
    OptionalLong retentionMicros,
    int maxOpenFiles,
    Duration closeAfter,
    long maxShardBytes,
    long maxShardRows) {
  /** How long a day must have been quiet, unless said otherwise. */
  public static final Duration CLOSE_AFTER = Duration.ofHours(1);

  /** What a shard of a day should take at most, unless said otherwise. */
  public static final long MAX_SHARD_BYTES = 100_000_000;

  /** Block files that all stores of one node may keep mapped, well inside a limit of 1 024. */
  private static final int NODE_OPEN_FILES = 512;

  public StoreSettings {
    if (topicPartitions < 1
        || maxOpenFiles < 1
        || closeAfter.isNegative()
        || maxShardBytes < 0
        || maxShardRows < 0) {
      throw new IllegalArgumentException(
          "topicPartitions="
              + topicPartitions
              + " maxOpenFiles="
              + maxOpenFiles
              + " closeAfter="
              + closeAfter
              + " maxShardBytes="
              + maxShardBytes
              + " maxShardRows="
              + maxShardRows);
    }
  }

  /** Settings with the usual guardrail. */
  public StoreSettings(
      int topicPartitions, OptionalLong retentionMicros, int maxOpenFiles, Duration closeAfter) {
    this(topicPartitions, retentionMicros, maxOpenFiles, closeAfter, MAX_SHARD_BYTES, 0);
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
    return new StoreSettings(
        topicPartitions,
        OptionalLong.of(micros),
        maxOpenFiles,
        closeAfter,
        maxShardBytes,
        maxShardRows);
  }

  /** The same with another span after which a quiet day is rewritten. */
  public StoreSettings withCloseAfter(Duration span) {
    return new StoreSettings(
        topicPartitions, retentionMicros, maxOpenFiles, span, maxShardBytes, maxShardRows);
  }

  /** The same with another guardrail. */
  public StoreSettings withGuardrail(long shardBytes, long shardRows) {
    return new StoreSettings(
        topicPartitions, retentionMicros, maxOpenFiles, closeAfter, shardBytes, shardRows);
  }
}
