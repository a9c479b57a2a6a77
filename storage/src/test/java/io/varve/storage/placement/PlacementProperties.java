package io.varve.storage.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.storage.Seeded;
import io.varve.storage.UtcDay;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementProperties {
  private static final BigInteger HALF = BigInteger.ONE.shiftLeft(63);
  private static final BigInteger WHOLE = BigInteger.ONE.shiftLeft(64);

  @Seeded
  void ownerOfATokenIsTheScaledUnsignedToken(RandomGenerator random) {
    for (int i = 0; i < 10_000; i++) {
      long token = random.nextLong();
      int partitions = 1 + random.nextInt(random.nextBoolean() ? 64 : 100_000);
      assertThat(Placement.topicPartitionOf(token, partitions))
          .as("token=%s partitions=%s", token, partitions)
          .isEqualTo(exactOwner(token, partitions));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 8, 12, 48, 1_000, 65_536})
  void eachTopicPartitionOwnsOneContiguousRange(int partitions) {
    assertThat(Placement.topicPartitionOf(Long.MIN_VALUE, partitions)).isZero();
    assertThat(Placement.topicPartitionOf(Long.MAX_VALUE, partitions)).isEqualTo(partitions - 1);
    for (int p = 1; p < partitions; p++) {
      long first = firstTokenOf(p, partitions);
      assertThat(Placement.topicPartitionOf(first, partitions)).isEqualTo(p);
      assertThat(Placement.topicPartitionOf(first - 1, partitions)).isEqualTo(p - 1);
    }
  }

  /** Pinned for life: another result would send a row, sent again, to another shard. */
  @ParameterizedTest
  @CsvSource({
    "0, 0, 2, 0",
    "1717200000000000, 0, 2, 1",
    "1717200000000000, 0, 16, 13",
    "1717200000000000, 1, 16, 3",
    "1717200010000000, 0, 16, 6",
    "1717200000000001, 0, 64, 12",
    "-1, 0, 16, 15",
    "-62135596800000000, 9223372036854775807, 64, 2",
    "253402300799999999, -9223372036854775808, 64, 41",
    "1717200000000000, 0, 3, 2",
  })
  void shardsOfKnownKeysStayWhatTheyAre(long timestamp, long sequence, int n, int shard) {
    assertThat(Placement.shardOf(timestamp, sequence, n)).isEqualTo(shard);
  }

  /** C225: with 16 shards the busiest has at most 1.3 times the mean. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 8, 16, 32, 64})
  void steadyReadingsSpreadEvenlyOverShards(int n) {
    long[] cadences = {1L, 1_000L, 1_000_000L, 10_000_000L, 60_000_000L, 1L << 20};
    for (long cadence : cadences) {
      int[] rows = new int[n];
      int each = 2_000;
      for (int i = 0; i < n * each; i++) {
        rows[Placement.shardOf(1_717_200_000_000_000L + i * cadence, 0, n)]++;
      }
      assertSpread(rows, each, "cadence=" + cadence);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 16, 64})
  void sequencesOfOneInstantSpreadEvenlyOverShards(int n) {
    int[] rows = new int[n];
    for (int i = 0; i < n * 2_000; i++) {
      rows[Placement.shardOf(1_717_200_000_000_000L, i, n)]++;
    }
    assertSpread(rows, 2_000, "sequences");
  }

  @Test
  void sensorsSpreadEvenlyOverTopicPartitions() {
    Placement placement = new Placement(8, ShardCounts.ONE);
    int[] sensors = new int[8];
    for (int i = 0; i < 16_000; i++) {
      byte[] id = ("sensor-" + i).getBytes(StandardCharsets.UTF_8);
      placement.place(id, 0, id.length, 1_717_200_000_000_000L, 0);
      sensors[placement.topicPartition()]++;
    }
    assertSpread(sensors, 2_000, "sensors");
  }

  @Seeded
  void placementFollowsFromTheRowAlone(RandomGenerator random) {
    ShardCounts counts = (id, offset, length, timestamp) -> timestamp < 0 ? 1 : 16;
    Placement placement = new Placement(12, counts);
    Placement other = new Placement(12, counts);
    for (int i = 0; i < 1_000; i++) {
      byte[] id = ("s" + random.nextInt(1_000)).getBytes(StandardCharsets.UTF_8);
      long timestamp = random.nextLong(UtcDay.MIN_TIMESTAMP_MICROS, UtcDay.END_TIMESTAMP_MICROS);
      long sequence = random.nextLong();
      placement.place(id, 0, id.length, timestamp, sequence);
      int n = timestamp < 0 ? 1 : 16;
      int shard = n == 1 ? 0 : Placement.shardOf(timestamp, sequence, n);
      byte[] scratch = new byte[Token.compositeLength(id.length)];
      long token = Token.of(id, 0, id.length, UtcDay.of(timestamp), shard, scratch);
      assertThat(placement.shard()).isEqualTo(shard).isBetween(0, n - 1);
      assertThat(placement.token()).isEqualTo(token);
      assertThat(placement.topicPartition()).isEqualTo(exactOwner(token, 12));
      other.place(id, 0, id.length, timestamp, sequence);
      assertThat(other.token()).isEqualTo(token);
    }
  }

  @Test
  void longestIdFitsTheScratchBuffer() {
    byte[] id = "x".repeat(256).getBytes(StandardCharsets.UTF_8);
    Placement placement = new Placement(8, ShardCounts.ONE);
    placement.place(id, 0, id.length, 0, 0);
    assertThat(placement.topicPartition()).isBetween(0, 7);
  }

  @Test
  void noTopicPartitionsAtAllAreRefused() {
    assertThatThrownBy(() -> new Placement(0, ShardCounts.ONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("topicPartitions=0");
  }

  private static int exactOwner(long token, int partitions) {
    return BigInteger.valueOf(token)
        .add(HALF)
        .multiply(BigInteger.valueOf(partitions))
        .divide(WHOLE)
        .intValueExact();
  }

  /** Returns the lowest token of a topic partition: ⌈p · 2⁶⁴ / P⌉ − 2⁶³. */
  private static long firstTokenOf(int partition, int partitions) {
    BigInteger p = BigInteger.valueOf(partitions);
    return BigInteger.valueOf(partition)
        .multiply(WHOLE)
        .add(p)
        .subtract(BigInteger.ONE)
        .divide(p)
        .subtract(HALF)
        .longValueExact();
  }

  private static void assertSpread(int[] counts, int mean, String what) {
    for (int count : counts) {
      // Five standard deviations of a fair spread of 2 000 each are 11 %.
      assertThat(count).as(what).isBetween((int) (mean * 0.89), (int) (mean * 1.11));
    }
  }
}
