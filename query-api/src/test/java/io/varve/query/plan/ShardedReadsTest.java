package io.varve.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.placement.ShardCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the latest rows of a sensor over many shards cost, by the engine's own counters. */
class ShardedReadsTest {
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final long START = 20_000 * 86_400_000_000L;

  private static ReadStats latest100(ShardedStores stores, ShardCounts plans) {
    ServingStores serving = stores.seenWith(plans);
    ReadFacts facts = new ReadFacts(serving.all());
    int[] rows = {0};
    try (RowWalk walk =
        new RowWalk(
            serving, SENSOR, TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 100, facts)) {
      RowPage page =
          RowPage.read(
              walk,
              100,
              Deadline.after(Duration.ofMinutes(1), () -> 0),
              (timestamp, sequence, value) -> rows[0]++);
      assertThat(page.stopReason()).isEqualTo(StopReason.LIMIT);
    }
    assertThat(rows[0]).isEqualTo(100);
    return facts.stats();
  }

  private static void fill(ShardedStores stores, int rows, ShardCounts plans) {
    for (int i = 0; i < rows; i++) {
      stores.put(SENSOR, new Row(START + i * 1_000L, 0, i), plans);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 100", "8, 107", "16, 115", "64, 163"})
  void latestHundredDecodeOneRowMoreForEachFurtherShard(
      int shards, long most, @TempDir Path folder) {
    ShardCounts plans = (id, offset, length, timestamp) -> shards;
    try (ShardedStores stores = ShardedStores.offHeap(folder)) {
      fill(stores, 60 * shards + 40, plans); // far from what makes a head block seal
      ReadStats stats = latest100(stores, plans);
      assertThat(stats.rowsDecoded).isBetween(100L, most);
      assertThat(stats.shards).isEqualTo(shards);
      assertThat(latest100(stores, ShardCounts.ONE).rowsDecoded).isEqualTo(stats.rowsDecoded);
    }
  }

  @ParameterizedTest
  @CsvSource({"8, 107", "16, 115"})
  void sealedBlocksThatMustBeEnteredCostARestartRunEach(
      int shards, long most, @TempDir Path folder) {
    ShardCounts plans = (id, offset, length, timestamp) -> shards;
    try (ShardedStores stores = ShardedStores.offHeap(folder)) {
      fill(stores, 2_000 * shards, plans);
      ReadStats stats = latest100(stores, plans);
      long entered = stats.blocks - shards;
      assertThat(stats.rowsDecoded).isLessThanOrEqualTo(most + 32 * Math.max(0, entered));
    }
  }
}
