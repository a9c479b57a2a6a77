package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Order;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sensor's life through midnights, its plans becoming known one after the other, each at random
 * within the time that a router may be behind. Rows that come at their time or late are placed as
 * if all plans had been known. Those of a device ahead of the lead may not be: sent again, such a
 * key is in two shards, and is shown once.
 */
class GrowingPlansProperties {
  private static final SensorId SENSOR = SensorId.of("hot");
  private static final byte[] ID = SENSOR.toBytes();
  private static final PlanLead LEAD = PlanLead.USUAL;
  private static final long HOUR = UtcDay.MICROS / 24;
  private static final int STEPS = 3_000;

  /** A row as it was sent, in the order of sending. */
  private final List<Row> sent = new ArrayList<>();

  private final TreeMap<ClusteringKey, Row> newest = new TreeMap<>();

  /** Of each key what each shard holds. */
  private final Map<ClusteringKey, TreeMap<Integer, Row>> places = new TreeMap<>();

  /** Keys sent ahead of their time that are to come again. */
  private final List<ClusteringKey> ahead = new ArrayList<>();

  private final List<ShardPlan> plans = new ArrayList<>();
  private PlanTable known = PlanTable.EMPTY;
  private long now = UtcDay.startMicros(19_876) - 30 * HOUR;

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 20_240_601})
  void rowsLieAsIfAllPlansHadBeenKnown(long seed, @TempDir Path folder) throws IOException {
    Random random = new Random(seed);
    List<long[]> inTime = new ArrayList<>();
    try (PlannedStores lived = new PlannedStores(folder.resolve("lived"))) {
      long knownFrom = Long.MAX_VALUE;
      for (int step = 0; step < STEPS; step++) {
        now += (long) (random.nextDouble() * 90_000_000);
        if (now >= knownFrom) {
          known = new PlanTable(plans);
          knownFrom = Long.MAX_VALUE;
        } else if (knownFrom == Long.MAX_VALUE && random.nextInt(60) == 0) {
          plans.add(decide(random));
          // Written within a quarter of the lead; a router that routes is less than half behind.
          knownFrom = now + (long) (random.nextDouble() * LEAD.micros() * 3 / 4);
          now = Math.max(now, knownFrom - random.nextInt(1_000_000));
        }
        Row row = row(random, step);
        int shard = put(lived, known, row);
        if (row.timestampMicros() <= now) {
          inTime.add(new long[] {row.timestampMicros(), row.sequence(), shard});
        }
      }
      now = Math.max(now, newest.firstKey().timestampMicros());
      known = new PlanTable(plans);
      for (ClusteringKey key : List.copyOf(ahead)) {
        int unused = put(lived, known, new Row(key.timestampMicros(), key.sequence(), -1));
      }
      asIfAllHadBeenKnown(inTime, seed);
      assertThat(places.values().stream().filter(shards -> shards.size() > 1).count())
          .as("keys in two shards")
          .isPositive();
      shownOnce(lived, seed);
    }
    replayed(folder.resolve("replayed"), seed);
  }

  private ShardPlan decide(Random random) {
    PlanProposal proposal =
        new PlanProposal(SENSOR, 1 << random.nextInt(7), OptionalLong.empty(), "");
    return PlanDecision.of(proposal, new PlanTable(plans), LEAD, now).plan();
  }

  /** A row of now, late, ahead, or again; keys that were ahead come again once it is their time. */
  private Row row(Random random, int step) {
    if (!ahead.isEmpty() && random.nextInt(3) == 0) {
      ClusteringKey key = ahead.get(0);
      if (key.timestampMicros() <= now) {
        ahead.remove(0);
        return new Row(key.timestampMicros(), key.sequence(), step);
      }
    }
    return switch (random.nextInt(12)) {
      case 0 -> new Row(now - (long) (random.nextDouble() * 30 * HOUR), random.nextInt(2), step);
      case 1 -> new Row(Math.floorDiv(now, UtcDay.MICROS) * UtcDay.MICROS - 1, 0, step);
      case 2 -> new Row(Math.floorDiv(now, UtcDay.MICROS) * UtcDay.MICROS, 0, step);
      case 3 -> {
        Row again = sent.isEmpty() ? new Row(now, 0, step) : sent.get(random.nextInt(sent.size()));
        yield again.timestampMicros() > now || ahead.contains(again.key())
            ? new Row(now, 0, step)
            : new Row(again.timestampMicros(), again.sequence(), step);
      }
      case 4 -> {
        Row early = new Row(now + (long) (random.nextDouble() * HOUR), 9, step);
        ahead.add(early.key());
        ahead.sort((a, b) -> Long.compare(a.timestampMicros(), b.timestampMicros()));
        yield early;
      }
      default -> new Row(now, random.nextInt(2), step);
    };
  }

  private int put(PlannedStores stores, PlanTable plans, Row row) {
    Placement placement = new Placement(PlannedStores.TOPIC_PARTITIONS, plans);
    placement.place(ID, 0, ID.length, row.timestampMicros(), row.sequence());
    stores.apply(placement, ID, row);
    sent.add(row);
    newest.put(row.key(), row);
    places.computeIfAbsent(row.key(), absent -> new TreeMap<>()).put(placement.shard(), row);
    return placement.shard();
  }

  private void asIfAllHadBeenKnown(List<long[]> inTime, long seed) {
    Placement all = new Placement(PlannedStores.TOPIC_PARTITIONS, new PlanTable(plans));
    for (long[] row : inTime) {
      all.place(ID, 0, ID.length, row[0], row[1]);
      assertThat(row[2]).as("seed=%s timestamp=%s", seed, row[0]).isEqualTo(all.shard());
    }
  }

  /** With the plans each key shows its newest value; without, that of its highest shard. */
  private void shownOnce(PlannedStores stores, long seed) {
    List<Row> highest = new ArrayList<>();
    for (ClusteringKey key : newest.keySet()) {
      highest.add(places.getOrDefault(key, new TreeMap<>()).lastEntry().getValue());
    }
    assertThat(stores.read(SENSOR, Order.NEWEST_FIRST, new PlanTable(plans)))
        .as("seed=%s", seed)
        .containsExactlyElementsOf(newest.values());
    assertThat(stores.read(SENSOR, Order.OLDEST_FIRST, new PlanTable(plans)))
        .as("seed=%s", seed)
        .containsExactlyElementsOf(newest.descendingMap().values());
    assertThat(stores.read(SENSOR, Order.NEWEST_FIRST, ShardCounts.ONE))
        .as("seed=%s, no plans", seed)
        .containsExactlyElementsOf(highest);
  }

  /** All rows once more from the first, all plans known: no key is in two shards. */
  private void replayed(Path folder, long seed) throws IOException {
    List<Row> again = List.copyOf(sent);
    places.clear();
    try (PlannedStores stores = new PlannedStores(folder)) {
      for (Row row : again) {
        int unused = put(stores, new PlanTable(plans), row);
      }
      assertThat(places.values()).as("seed=%s", seed).allMatch(shards -> shards.size() == 1);
      shownOnce(stores, seed);
    }
  }
}
