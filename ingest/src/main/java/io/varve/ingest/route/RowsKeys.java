package io.varve.ingest.route;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/**
 * Keys of records in {@code rows}: the topic partition in ASCII decimal, so that the router
 * computes the placement once, the partitioner reads it back, and people can read it too.
 */
public final class RowsKeys implements StreamPartitioner<byte[], byte[]> {
  private final byte[][] keys;
  private final Optional<Set<Integer>>[] partitions;

  /**
   * @param topicPartitions partitions of {@code rows}
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no generic arrays.
  public RowsKeys(int topicPartitions) {
    keys = new byte[topicPartitions][];
    partitions = new Optional[topicPartitions];
    for (int p = 0; p < topicPartitions; p++) {
      keys[p] = Integer.toString(p).getBytes(StandardCharsets.US_ASCII);
      partitions[p] = Optional.of(Set.of(p));
    }
  }

  /** Partitions of {@code rows}. */
  public int topicPartitions() {
    return keys.length;
  }

  /** Returns the key for a topic partition; shared, not to be changed. */
  public byte[] key(int topicPartition) {
    return keys[topicPartition];
  }

  @Override
  @SuppressWarnings("removal") // Abstract in this version; its successor delegates here.
  public Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, int numPartitions) {
    int p = 0;
    for (byte digit : key) {
      p = p * 10 + (digit - '0');
    }
    if (numPartitions != keys.length) {
      throw new IllegalStateException(
          "partitions of rows changed: expected=" + keys.length + " found=" + numPartitions);
    }
    return partitions[p];
  }
}
