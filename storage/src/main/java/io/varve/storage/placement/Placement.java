package io.varve.storage.placement;

import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;

/**
 * The rule from (sensor id, timestamp, sequence) to shard, token and topic partition.
 *
 * <p>A row sent again at any later time lands on the same shard, because the shard follows from the
 * row's own key and the count in force at its own timestamp. Single-threaded: {@link #place} leaves
 * its results in the object, so that a reading costs no allocation.
 */
public final class Placement {
  private final int topicPartitions;
  private final ShardCounts shardCounts;
  private final byte[] scratch = new byte[Token.compositeLength(256)];
  private int shard;
  private long token;
  private int topicPartition;

  /**
   * @param topicPartitions partitions of the {@code rows} topic, fixed for life, at least 1
   * @param shardCounts shard count by sensor and time
   */
  public Placement(int topicPartitions, ShardCounts shardCounts) {
    if (topicPartitions < 1) {
      throw new IllegalArgumentException("topicPartitions=" + topicPartitions);
    }
    this.topicPartitions = topicPartitions;
    this.shardCounts = shardCounts;
  }

  /** Places one row; the accessors speak of it until the next call. */
  public void place(byte[] id, int idOffset, int idLength, long timestampMicros, long sequence) {
    int n = shardCounts.at(id, idOffset, idLength, timestampMicros);
    shard = n == 1 ? 0 : shardOf(timestampMicros, sequence, n);
    token = Token.of(id, idOffset, idLength, UtcDay.of(timestampMicros), shard, scratch);
    topicPartition = topicPartitionOf(token, topicPartitions);
  }

  public int shard() {
    return shard;
  }

  public long token() {
    return token;
  }

  public int topicPartition() {
    return topicPartition;
  }

  /** Returns the shard of a clustering key among n: its finalised 64-bit mix, modulo n. */
  public static int shardOf(long timestampMicros, long sequence, int n) {
    long h = timestampMicros * 0x9e3779b97f4a7c15L + sequence;
    h = (h ^ (h >>> 32)) * 0xd6e8feb86659fd93L;
    h = (h ^ (h >>> 32)) * 0xd6e8feb86659fd93L;
    h ^= h >>> 32;
    return (int) Long.remainderUnsigned(h, n);
  }

  /** Returns the topic partition of one shard of a sensor's day. */
  public static int topicPartitionOf(SensorId sensor, int day, int shard, int topicPartitions) {
    byte[] id = sensor.utf8();
    long token = Token.of(id, 0, id.length, day, shard, new byte[Token.compositeLength(id.length)]);
    return topicPartitionOf(token, topicPartitions);
  }

  /** Returns the owner of a token: ⌊(token + 2⁶³) · P / 2⁶⁴⌋, one contiguous token range each. */
  public static int topicPartitionOf(long token, int topicPartitions) {
    long unsigned = token ^ Long.MIN_VALUE;
    return (int)
        (Math.multiplyHigh(unsigned, topicPartitions) + (unsigned < 0 ? topicPartitions : 0));
  }
}
