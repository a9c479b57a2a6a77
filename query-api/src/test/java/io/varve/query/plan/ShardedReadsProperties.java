package io.varve.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Order;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Seeded;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/**
 * What writers place by plans, readers find by the stores' index: random plans that come while rows
 * do, up and down, over midnight; rows in time, late, sent again, corrected, and of clocks ahead of
 * the lead; replays. Every answer is compared with one sorted map.
 */
class ShardedReadsProperties {
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final SensorId OTHER = SensorId.of("plant-3/tempo");
  private static final long LEAD = 5_000_000;
  private static final long START = 20_000 * UtcDay.MICROS + UtcDay.MICROS - 600_000_000;

  private final RandomPlans plans = new RandomPlans(SENSOR.utf8());
  private final TreeMap<ClusteringKey, Row> model = new TreeMap<>();
  private final Map<ClusteringKey, Set<Double>> everSent = new HashMap<>();
  private final Map<ClusteringKey, List<Integer>> shardsOf = new HashMap<>();
  private final List<Row> sent = new ArrayList<>();

  /** Twenty minutes around midnight, a plan about each minute, the clocks of some devices ahead. */
  private void live(ShardedStores stores, RandomGenerator random, boolean clocksAhead) {
    long now = START;
    double value = 0;
    while (now < START + 1_200_000_000L) {
      now += 1 + random.nextInt(6_000_000);
      if (random.nextInt(20) == 0) {
        plans.add(now + LEAD, 1 << random.nextInt(7));
      }
      Row row = row(now, value++, random, clocksAhead);
      sent.add(row);
      model.put(row.key(), row);
      everSent.computeIfAbsent(row.key(), absent -> new HashSet<>()).add(row.value());
      put(stores, row);
      stores.put(OTHER, new Row(now, 0, -1), plans);
    }
    sendOvertakenAgain(stores);
  }

  private void put(ShardedStores stores, Row row) {
    shardsOf.computeIfAbsent(row.key(), absent -> new ArrayList<>()).add(shardOf(row.key()));
    stores.put(SENSOR, row, plans);
  }

  private int shardOf(ClusteringKey key) {
    int n = plans.at(SENSOR.utf8(), 0, SENSOR.length(), key.timestampMicros());
    return Placement.shardOf(key.timestampMicros(), key.sequence(), n);
  }

  /**
   * Sends the last value again of keys that two plan changes overtook: sent before both, corrected
   * between them, and not sent since. Until then the older value may be shown.
   */
  private void sendOvertakenAgain(ShardedStores stores) {
    for (Row row : List.copyOf(model.values())) {
      List<Integer> shards = shardsOf.getOrDefault(row.key(), List.of());
      boolean twice = Set.copyOf(shards).size() > 1;
      if (twice && shards.get(shards.size() - 1) != shardOf(row.key())) {
        sent.add(row);
        put(stores, row);
      }
    }
  }

  private Row row(long now, double value, RandomGenerator random, boolean clocksAhead) {
    if (!sent.isEmpty() && random.nextInt(4) == 0) {
      Row before = sent.get(sent.size() - 1 - random.nextInt(Math.min(sent.size(), 60)));
      Row last = model.getOrDefault(before.key(), before);
      return random.nextBoolean()
          ? last
          : new Row(last.timestampMicros(), last.sequence(), value + 0.5);
    }
    long at = now;
    if (random.nextInt(5) == 0) {
      at -= random.nextInt(300_000_000);
    } else if (clocksAhead && random.nextInt(3) == 0) {
      at += LEAD + random.nextInt(120_000_000);
    }
    return new Row(at, random.nextInt(3) - 1, value);
  }

  @Seeded
  void answersAreThoseOfOneSortedMap(RandomGenerator random) {
    try (ShardedStores stores = ShardedStores.inMemory()) {
      live(stores, random, true);
      everyAnswerIsRight(stores.seenWith(plans), random);
    }
  }

  @Seeded(runs = 3, fullRuns = 50)
  void answersAreThoseOfOneSortedMapOffHeap(RandomGenerator random, @TempDir Path folder) {
    try (ShardedStores stores = ShardedStores.offHeap(folder)) {
      live(stores, random, true);
      everyAnswerIsRight(stores.seenWith(plans), random);
    }
  }

  /**
   * Nothing is found by plans: without any, only the choice between two rows of a key may differ.
   */
  @Seeded
  void readerWithoutPlansFindsTheSameRows(RandomGenerator random) {
    boolean clocksAhead = random.nextBoolean();
    try (ShardedStores stores = ShardedStores.inMemory()) {
      live(stores, random, clocksAhead);
      ServingStores without = stores.seenWith(ShardCounts.ONE);
      if (!clocksAhead) {
        everyAnswerIsRight(without, random);
      }
      for (Order order : Order.values()) {
        List<Row> rows = pages(without, TimeRange.ALL, order, 1 + random.nextInt(60));
        assertThat(rows).extracting(Row::key).containsExactlyElementsOf(keys(order));
        assertThat(rows)
            .allMatch(row -> everSent.getOrDefault(row.key(), Set.of()).contains(row.value()));
      }
    }
  }

  @Seeded
  void replayUnderThePlansThatThereAreGivesTheSameAnswers(RandomGenerator random) {
    try (ShardedStores lived = ShardedStores.inMemory();
        ShardedStores replayed = ShardedStores.inMemory()) {
      live(lived, random, true);
      sent.forEach(row -> replayed.put(SENSOR, row, plans));
      everyAnswerIsRight(replayed.seenWith(plans), random);
      // A router that goes back to its last commit routes again by plans that it did not know.
      int from = random.nextInt(sent.size());
      sent.subList(from, sent.size()).forEach(row -> lived.put(SENSOR, row, plans));
      everyAnswerIsRight(lived.seenWith(plans), random);
    }
  }

  /** After a first split, of two rows of a key the later one can be told without plans. */
  @Seeded
  void firstSplitIsReadRightWithoutPlans(RandomGenerator random) {
    try (ShardedStores stores = ShardedStores.inMemory()) {
      for (double value = 0; value < 200; value++) {
        if (value == 100) {
          plans.add(START + 50_000_000, 16);
        }
        Row row = new Row(START + random.nextInt(100) * 1_000_000L, 0, value);
        model.put(row.key(), row);
        stores.put(SENSOR, row, plans);
      }
      everyAnswerIsRight(stores.seenWith(ShardCounts.ONE), random);
    }
  }

  @Seeded
  void pageTokensHoldAcrossAReshard(RandomGenerator random) {
    try (ShardedStores stores = ShardedStores.inMemory()) {
      live(stores, random, false);
      List<Row> first = new ArrayList<>();
      Optional<ClusteringKey> after =
          page(
              stores.seenWith(plans),
              TimeRange.ALL,
              Order.NEWEST_FIRST,
              Optional.empty(),
              50,
              first);
      List<Row> rest = List.copyOf(model.values()).subList(50, model.size());
      long newest = model.firstKey().timestampMicros();
      for (int i = 1; i <= 200; i++) {
        plans.add(newest + i * 10_000_000L, 1 << random.nextInt(7));
        stores.put(SENSOR, new Row(newest + i * 10_000_000L, 0, -i), plans);
      }
      assertThat(pages(stores.seenWith(plans), TimeRange.ALL, Order.NEWEST_FIRST, after, 70))
          .containsExactlyElementsOf(rest);
    }
  }

  private void everyAnswerIsRight(ServingStores stores, RandomGenerator random) {
    for (Order order : Order.values()) {
      TimeRange range = random.nextBoolean() ? TimeRange.ALL : range(random);
      assertThat(pages(stores, range, order, 1 + random.nextInt(60)))
          .as("order=%s range=%s plans=%s", order, range, plans)
          .containsExactlyElementsOf(expected(range, order));
      assertThat(countsAndSums(stores, range, order)).isEqualTo(expectedSums(range));
    }
    Row newest = model.firstEntry().getValue();
    LatestRows latest = new LatestRows(stores, new ReadFacts(stores.all()));
    latest.find(List.of(OTHER, SENSOR));
    assertThat(new Row(latest.timestampMicros(1), latest.sequence(1), latest.value(1)))
        .isEqualTo(newest);
    assertThat(SensorList.read(stores, new byte[0], Optional.empty(), 10).sensors())
        .filteredOn(summary -> summary.sensor().equals(SENSOR))
        .singleElement()
        .satisfies(summary -> assertThat(summary.last()).isEqualTo(newest));
  }

  private static TimeRange range(RandomGenerator random) {
    long from = START + (long) (random.nextDouble() * 1_200_000_000L) - 200_000_000L;
    return new TimeRange(from, from + 1 + (long) (random.nextDouble() * 900_000_000L));
  }

  private List<ClusteringKey> keys(Order order) {
    return List.copyOf(ordered(order).keySet());
  }

  private NavigableMap<ClusteringKey, Row> ordered(Order order) {
    return order == Order.NEWEST_FIRST ? model : model.descendingMap();
  }

  private List<Row> expected(TimeRange range, Order order) {
    return ordered(order).values().stream()
        .filter(row -> range.contains(row.timestampMicros()))
        .toList();
  }

  /** Count and sum of each minute. */
  private Map<Long, List<Double>> expectedSums(TimeRange range) {
    Map<Long, List<Double>> sums = new TreeMap<>();
    for (Row row : expected(range, Order.OLDEST_FIRST)) {
      sums.merge(
          Downsampler.startOf(row.timestampMicros(), 60_000_000),
          List.of(1.0, row.value()),
          (a, b) -> List.of(a.get(0) + b.get(0), a.get(1) + b.get(1)));
    }
    return sums;
  }

  private static Map<Long, List<Double>> countsAndSums(
      ServingStores stores, TimeRange range, Order order) {
    Map<Long, List<Double>> sums = new TreeMap<>();
    try (RowCursor walk = walk(stores, range, order, Optional.empty(), Integer.MAX_VALUE)) {
      Downsampler.Page unused =
          new Downsampler(60_000_000, EnumSet.of(Aggregate.COUNT, Aggregate.SUM), order)
              .read(
                  walk,
                  10_000,
                  forever(),
                  (start, bucket) ->
                      sums.put(
                          start, List.of((double) bucket.count(), bucket.value(Aggregate.SUM))));
    }
    return sums;
  }

  private static Deadline forever() {
    return Deadline.after(Duration.ofMinutes(1), () -> 0);
  }

  private static RowWalk walk(
      ServingStores stores,
      TimeRange range,
      Order order,
      Optional<ClusteringKey> after,
      int limit) {
    return new RowWalk(stores, SENSOR, range, order, after, limit, new ReadFacts(stores.all()));
  }

  private static List<Row> pages(ServingStores stores, TimeRange range, Order order, int limit) {
    return pages(stores, range, order, Optional.empty(), limit);
  }

  private static List<Row> pages(
      ServingStores stores,
      TimeRange range,
      Order order,
      Optional<ClusteringKey> after,
      int limit) {
    List<Row> rows = new ArrayList<>();
    Optional<ClusteringKey> resume = after;
    do {
      resume = page(stores, range, order, resume, limit, rows);
    } while (resume.isPresent());
    return rows;
  }

  private static Optional<ClusteringKey> page(
      ServingStores stores,
      TimeRange range,
      Order order,
      Optional<ClusteringKey> after,
      int limit,
      List<Row> rows) {
    try (RowWalk walk = walk(stores, range, order, after, limit)) {
      return RowPage.read(
              walk,
              limit,
              forever(),
              (timestamp, sequence, value) -> rows.add(new Row(timestamp, sequence, value)))
          .last();
    }
  }
}
