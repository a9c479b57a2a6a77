package io.varve.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.ClusteringKey;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.Order;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Seeded;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Walks over random days, shards and stores against one sorted map. */
class RowWalkProperties {
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final SensorId OTHER = SensorId.of("plant-3/tempo");
  private static final int TOPIC_PARTITIONS = 8;

  private final List<InMemoryPartition> stores = new ArrayList<>();
  private final TreeMap<ClusteringKey, Row> model = new TreeMap<>();
  private Placement placement = new Placement(TOPIC_PARTITIONS, ShardCounts.ONE);
  private long offset;

  private void reset(int shards) {
    stores.clear();
    model.clear();
    for (int i = 0; i < TOPIC_PARTITIONS; i++) {
      stores.add(new InMemoryPartition(i));
    }
    placement = new Placement(TOPIC_PARTITIONS, (id, at, length, time) -> shards);
  }

  private void put(SensorId sensor, Row row) {
    byte[] id = sensor.toBytes();
    placement.place(id, 0, id.length, row.timestampMicros(), row.sequence());
    stores.get(placement.topicPartition()).put(sensor, placement.shard(), row, offset++);
    if (sensor.equals(SENSOR)) {
      model.put(row.key(), row);
    }
  }

  private void fill(RandomGenerator random) {
    reset(1 << random.nextInt(4));
    int rows = random.nextInt(400);
    int days = 1 + random.nextInt(6);
    long spread = random.nextBoolean() ? 50 : UtcDay.MICROS;
    for (int i = 0; i < rows; i++) {
      long micros =
          (random.nextInt(days) - 2) * UtcDay.MICROS + (long) (random.nextDouble() * spread);
      put(SENSOR, new Row(micros, random.nextInt(3) - 1, random.nextDouble()));
      put(OTHER, new Row(micros, 0, -1));
    }
  }

  @Seeded
  void pagesOfAnySizeEqualTheSortedModel(RandomGenerator random) {
    for (int round = 0; round < 25; round++) {
      fill(random);
      TimeRange range = range(random);
      for (Order order : Order.values()) {
        int limit = 1 + random.nextInt(60);
        assertThat(pages(range, order, limit))
            .as("round=%d range=%s order=%s limit=%d", round, range, order, limit)
            .containsExactlyElementsOf(expected(range, order));
      }
      stores.forEach(InMemoryPartition::assertNoOpenCursors);
    }
  }

  private static TimeRange range(RandomGenerator random) {
    if (random.nextInt(3) == 0) {
      return TimeRange.ALL;
    }
    long from = (long) ((random.nextDouble() * 6 - 2) * UtcDay.MICROS);
    long to = from + 1 + (long) (random.nextDouble() * 3 * UtcDay.MICROS);
    return new TimeRange(from, random.nextInt(3) == 0 ? UtcDay.END_TIMESTAMP_MICROS : to);
  }

  private List<Row> expected(TimeRange range, Order order) {
    NavigableMap<ClusteringKey, Row> ordered =
        order == Order.NEWEST_FIRST ? model : model.descendingMap();
    return ordered.values().stream().filter(row -> range.contains(row.timestampMicros())).toList();
  }

  private List<Row> pages(TimeRange range, Order order, int limit) {
    List<Row> rows = new ArrayList<>();
    Optional<ClusteringKey> after = Optional.empty();
    while (true) {
      RowPage page = page(range, order, after, limit, rows);
      if (page.last().isEmpty()) {
        return rows;
      }
      after = page.last();
    }
  }

  private RowPage page(
      TimeRange range, Order order, Optional<ClusteringKey> after, int limit, List<Row> rows) {
    ReadFacts facts = new ReadFacts(List.copyOf(stores));
    int before = rows.size();
    Deadline deadline = Deadline.after(Duration.ofMinutes(1), () -> 0);
    try (RowCursor walk = walk(range, order, after, limit, facts)) {
      RowPage page =
          RowPage.read(
              walk,
              limit,
              deadline,
              (timestamp, sequence, value) -> rows.add(new Row(timestamp, sequence, value)));
      int count = rows.size() - before;
      assertThat(facts.stats().rowsDecoded)
          .isBetween((long) count, count + (long) facts.stats().shards);
      return page;
    }
  }

  private RowWalk walk(
      TimeRange range, Order order, Optional<ClusteringKey> after, int limit, ReadFacts facts) {
    ServingStores readers = new ServingStores(List.copyOf(stores), ShardCounts.ONE);
    return new RowWalk(readers, SENSOR, range, order, after, limit, facts);
  }

  @Test
  void latestRowsOpenTheNewestDayAlone() {
    reset(1);
    for (int day = 0; day < 500; day++) {
      for (int i = 0; i < 10; i++) {
        put(SENSOR, new Row(day * UtcDay.MICROS + i, 0, i));
      }
    }
    ReadFacts facts = new ReadFacts(List.copyOf(stores));
    List<Row> rows = new ArrayList<>();
    try (RowWalk walk = walk(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 10, facts)) {
      RowPage.read(
          walk,
          10,
          Deadline.after(Duration.ofMinutes(1), () -> 0),
          (timestamp, sequence, value) -> rows.add(new Row(timestamp, sequence, value)));
    }
    assertThat(rows).hasSize(10);
    assertThat(facts.stats().days).isEqualTo(1);
    assertThat(facts.stats().shards).isEqualTo(1);
    assertThat(facts.stats().rowsDecoded).isEqualTo(10);
    assertThat(facts.freshness()).hasSize(1);
  }

  @Test
  void yearLongRangeOverTwoDaysOfDataReadsTwoDays() {
    reset(1);
    put(SENSOR, new Row(10 * UtcDay.MICROS, 0, 1));
    put(SENSOR, new Row(200 * UtcDay.MICROS, 0, 2));
    ReadFacts facts = new ReadFacts(List.copyOf(stores));
    TimeRange year = new TimeRange(0, 365 * UtcDay.MICROS);
    try (RowWalk walk = walk(year, Order.OLDEST_FIRST, Optional.empty(), 10, facts)) {
      assertThat(walk.known()).isTrue();
      while (walk.next()) {
        assertThat(walk.value()).isPositive();
      }
    }
    assertThat(facts.stats().days).isEqualTo(2);
  }

  /** C045: a limit counts live rows; the newest days may expire under a walk. */
  @Test
  void dayThatExpiresBetweenListingAndReadingIsSkipped() {
    reset(1);
    put(SENSOR, new Row(0, 0, 1));
    put(SENSOR, new Row(UtcDay.MICROS, 0, 2));
    ReadFacts facts = new ReadFacts(List.copyOf(stores));
    try (RowWalk walk = walk(TimeRange.ALL, Order.OLDEST_FIRST, Optional.empty(), 10, facts)) {
      assertThat(walk.known()).isTrue();
      stores.forEach(store -> store.expire(1));
      assertThat(walk.next()).isTrue();
      assertThat(walk.value()).isEqualTo(2);
      assertThat(walk.next()).isFalse();
    }
  }
}
