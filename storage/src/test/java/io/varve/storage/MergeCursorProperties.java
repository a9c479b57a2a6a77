package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The merge of random sources against one sorted map. */
class MergeCursorProperties {
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final Fragment FRAGMENT = new Fragment(0, 0, 0);

  private final ReadStats stats = new ReadStats();
  private final List<InMemoryPartition> sources = new ArrayList<>();
  private final TreeMap<ClusteringKey, Row> model = new TreeMap<>();

  @Seeded
  void mergeEqualsTheSortedModel(RandomGenerator random) {
    for (int round = 0; round < 60; round++) {
      fill(random, 1 + random.nextInt(9), random.nextInt(60));
      for (Order order : Order.values()) {
        assertThat(read(order, Integer.MAX_VALUE))
            .as("round=%d order=%s", round, order)
            .containsExactlyElementsOf(expected(order));
      }
      sources.forEach(InMemoryPartition::assertNoOpenCursors);
    }
  }

  @Test
  void latestHundredOfEightSourcesDecodesAtMost107Rows() {
    for (int source = 0; source < 8; source++) {
      InMemoryPartition partition = new InMemoryPartition(source);
      for (int i = 0; i < 500; i++) {
        put(partition, new Row(i * 8L + source, 0, i));
      }
      sources.add(partition);
    }
    assertThat(read(Order.NEWEST_FIRST, 100)).hasSize(100);
    assertThat(stats.rowsDecoded).isBetween(100L, 107L);
  }

  @Test
  void equalKeyShowsTheEarlierListedSource() {
    for (int source = 0; source < 3; source++) {
      InMemoryPartition partition = new InMemoryPartition(source);
      put(partition, new Row(5, 7, source));
      sources.add(partition);
    }
    assertThat(read(Order.NEWEST_FIRST, 10)).containsExactly(new Row(5, 7, 0));
    assertThat(read(Order.OLDEST_FIRST, 10)).containsExactly(new Row(5, 7, 0));
  }

  /** C053: (time, sequence) is compared as a pair, in both directions. */
  @Test
  void keysAreComparedAsPairs() {
    InMemoryPartition first = new InMemoryPartition(0);
    InMemoryPartition second = new InMemoryPartition(1);
    put(first, new Row(600, 9, 1));
    put(second, new Row(601, 1, 2));
    put(first, new Row(601, 5, 3));
    put(second, new Row(602, 3, 4));
    sources.addAll(List.of(first, second));
    assertThat(read(Order.OLDEST_FIRST, 10)).extracting(Row::value).containsExactly(1d, 2d, 3d, 4d);
    assertThat(read(Order.NEWEST_FIRST, 10)).extracting(Row::value).containsExactly(4d, 3d, 2d, 1d);
  }

  @Test
  void mergeOfNothingIsEmpty() {
    try (RowCursor cursor = MergeCursor.of(List.of(), Order.NEWEST_FIRST)) {
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.next()).isFalse();
      assertThatThrownBy(cursor::value).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void failingSourceStillLeavesAllClosed() {
    InMemoryPartition lost = new InMemoryPartition(0);
    InMemoryPartition kept = new InMemoryPartition(1);
    put(lost, new Row(1, 0, 1));
    put(kept, new Row(2, 0, 1));
    sources.addAll(List.of(lost, kept));
    try (RowCursor cursor = open(Order.OLDEST_FIRST)) {
      assertThat(cursor.next()).isTrue();
      lost.state(StoreState.CLOSED);
      assertThatThrownBy(cursor::next).isInstanceOf(StoreUnavailableException.class);
    }
    sources.forEach(InMemoryPartition::assertNoOpenCursors);
  }

  private void fill(RandomGenerator random, int count, int rows) {
    sources.clear();
    model.clear();
    for (int i = 0; i < count; i++) {
      sources.add(new InMemoryPartition(i));
    }
    for (int i = 0; i < rows; i++) {
      int at = random.nextInt(count);
      // Few distinct keys, so that copies of a key meet in several sources.
      Row row = new Row(random.nextInt(20), random.nextInt(3), random.nextDouble());
      put(sources.get(at), row);
    }
    for (int at = count - 1; at >= 0; at--) {
      for (Row row : drain(at)) {
        model.put(row.key(), row);
      }
    }
  }

  private List<Row> drain(int source) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = cursor(sources.get(source), Order.NEWEST_FIRST)) {
      while (cursor.next()) {
        rows.add(new Row(cursor.timestampMicros(), cursor.sequence(), cursor.value()));
      }
    }
    return rows;
  }

  private List<Row> expected(Order order) {
    Map<ClusteringKey, Row> ordered = order == Order.NEWEST_FIRST ? model : model.descendingMap();
    return List.copyOf(ordered.values());
  }

  private List<Row> read(Order order, int limit) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = open(order)) {
      while (rows.size() < limit && cursor.next()) {
        rows.add(new Row(cursor.timestampMicros(), cursor.sequence(), cursor.value()));
      }
    }
    return rows;
  }

  private RowCursor open(Order order) {
    return MergeCursor.of(sources.stream().map(each -> cursor(each, order)).toList(), order);
  }

  private RowCursor cursor(InMemoryPartition partition, Order order) {
    Scan scan = new Scan(TimeRange.ALL, order, Optional.empty(), 100);
    return partition.read(SENSOR, FRAGMENT, scan, stats);
  }

  private static void put(InMemoryPartition partition, Row row) {
    partition.put(SENSOR, 0, row, row.timestampMicros());
  }
}
