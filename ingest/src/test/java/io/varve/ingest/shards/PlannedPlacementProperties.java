package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Writers' placement and the stores' own index, joined: rows of random plans and times, at
 * midnight, late, again, corrected and replayed, lie where their plan says and nowhere else, and a
 * reader who takes days and shards from the stores finds each once, whether it knows plans or none.
 */
class PlannedPlacementProperties {
  private static final long MIDNIGHT = UtcDay.startMicros(19_876);
  private static final long HOUR = UtcDay.MICROS / 24;

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 20_240_601})
  void rowsLieWhereTheirPlanSaysAndReadersNeedNone(long seed, @TempDir Path folder)
      throws IOException {
    Random random = new Random(seed);
    List<SensorId> sensors =
        List.of(SensorId.of("hot"), SensorId.of("hot/2"), SensorId.of("never planned"));
    PlanTable plans = plans(sensors.subList(0, 2), random);
    Placement placement = new Placement(PlannedStores.TOPIC_PARTITIONS, plans);
    Map<SensorId, TreeMap<ClusteringKey, Row>> model = new TreeMap<>();
    Map<String, Integer> whereExpected = new TreeMap<>();
    try (PlannedStores stores = new PlannedStores(folder.resolve("lived"))) {
      for (int i = 0; i < 2_000; i++) {
        SensorId sensor = sensors.get(random.nextInt(sensors.size()));
        TreeMap<ClusteringKey, Row> known =
            model.computeIfAbsent(sensor, absent -> new TreeMap<>());
        Row row = row(random, known, i);
        known.put(row.key(), row);
        byte[] id = sensor.toBytes();
        placement.place(id, 0, id.length, row.timestampMicros(), row.sequence());
        int shards = plans.at(id, 0, id.length, row.timestampMicros());
        assertThat(placement.shard())
            .isEqualTo(
                shards == 1 ? 0 : Placement.shardOf(row.timestampMicros(), row.sequence(), shards));
        whereExpected.put(
            sensor + " " + UtcDay.of(row.timestampMicros()) + " " + placement.shard(),
            placement.topicPartition());
        stores.apply(placement, id, row);
      }
      check(stores, sensors, plans, model, whereExpected, seed);
      try (PlannedStores replayed = new PlannedStores(folder.resolve("replayed"))) {
        for (int p = 0; p < PlannedStores.TOPIC_PARTITIONS; p++) {
          List<byte[]> log = stores.logs.get(p);
          for (byte[] record : log) {
            replayed.apply(p, record);
          }
          for (byte[] record : log.subList(random.nextInt(log.size()), log.size())) {
            replayed.apply(p, record);
          }
        }
        check(replayed, sensors, plans, model, whereExpected, seed);
      }
    }
  }

  /** Up to eight plans a sensor within three days, some of them exactly at a midnight. */
  private static PlanTable plans(List<SensorId> sensors, Random random) {
    List<ShardPlan> plans = new ArrayList<>();
    for (SensorId sensor : sensors) {
      Set<Long> times = new TreeSet<>();
      for (int i = 1 + random.nextInt(8); i > 0; i--) {
        times.add(
            random.nextInt(4) == 0
                ? MIDNIGHT + (random.nextInt(3) - 1) * UtcDay.MICROS
                : MIDNIGHT + (long) ((random.nextDouble() - 0.5) * 72 * HOUR));
      }
      long revision = 1;
      for (long from : times) {
        plans.add(new ShardPlan(sensor, from, 1 << random.nextInt(7), revision++, "", from));
      }
    }
    return new PlanTable(plans);
  }

  /** A new row near a midnight or anywhere, the last microsecond of a day, or a known one again. */
  private static Row row(Random random, TreeMap<ClusteringKey, Row> known, int i) {
    if (!known.isEmpty() && random.nextInt(5) == 0) {
      List<Row> all = List.copyOf(known.values());
      Row again = all.get(random.nextInt(all.size()));
      return random.nextBoolean() ? again : new Row(again.timestampMicros(), again.sequence(), i);
    }
    long at =
        switch (random.nextInt(4)) {
          case 0 -> MIDNIGHT + random.nextInt(3) - 1;
          case 1 -> MIDNIGHT + (long) (random.nextGaussian() * HOUR);
          default -> MIDNIGHT + (long) ((random.nextDouble() - 0.5) * 80 * HOUR);
        };
    return new Row(at, random.nextInt(3) - 1, i);
  }

  private static void check(
      PlannedStores stores,
      List<SensorId> sensors,
      PlanTable plans,
      Map<SensorId, TreeMap<ClusteringKey, Row>> model,
      Map<String, Integer> whereExpected,
      long seed) {
    Map<String, Integer> where = new TreeMap<>();
    for (PartitionStore store : stores.stores) {
      for (SensorId sensor : sensors) {
        for (Fragment fragment : store.fragments(sensor, TimeRange.ALL)) {
          Integer elsewhere =
              where.put(
                  sensor + " " + fragment.day() + " " + fragment.shard(), store.topicPartition());
          assertThat(elsewhere).as("in two stores: %s", fragment).isNull();
          assertThat(fragment.rows()).isPositive();
        }
      }
    }
    assertThat(where).as("seed=%s", seed).isEqualTo(whereExpected);
    for (SensorId sensor : sensors) {
      TreeMap<ClusteringKey, Row> rows = model.getOrDefault(sensor, new TreeMap<>());
      for (ShardCounts known : List.of(plans, ShardCounts.ONE)) {
        assertThat(stores.read(sensor, Order.NEWEST_FIRST, known))
            .as("seed=%s sensor=%s", seed, sensor)
            .containsExactlyElementsOf(rows.values());
        assertThat(stores.read(sensor, Order.OLDEST_FIRST, known))
            .containsExactlyElementsOf(rows.descendingMap().values());
      }
    }
  }
}
