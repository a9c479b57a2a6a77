package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the contracts of {@link PartitionReader} share: a fresh store for each test, and the
 * plainest way to write to it and to read it whole.
 *
 * <p>The suites ({@link WalkContract}, {@link IndexContract}, {@link ConcurrencyContract}) hold for
 * every implementation: a test class of an implementation nests one subclass of each.
 */
public abstract class PartitionContract {
  static final SensorId PUMP = SensorId.of("plant-3/pump");

  /** 2024-06-01T00:00:00Z. */
  static final long JUNE = 1_717_200_000_000_000L;

  static final int JUNE_DAY = UtcDay.of(JUNE);

  StoreUnderTest store;

  /** Opens a store in an empty folder. */
  protected abstract StoreUnderTest open(Path folder);

  @BeforeEach
  void openStore(@TempDir Path folder) {
    store = open(folder);
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  static Row row(long timestampMicros, double value) {
    return new Row(timestampMicros, 0, value);
  }

  void put(Row... rows) {
    put(PUMP, rows);
  }

  void put(SensorId sensor, Row... rows) {
    store.apply(sensor, 0, List.of(rows));
  }

  /** Walks all fragments of a sensor to their ends, in the order's own order of days. */
  List<Row> walk(SensorId sensor, TimeRange range, Order order) {
    return walk(store.reader(), sensor, range, order);
  }

  List<Row> walk(TimeRange range, Order order) {
    return walk(PUMP, range, order);
  }

  static List<Row> walk(PartitionReader reader, SensorId sensor, TimeRange range, Order order) {
    List<Fragment> fragments = new ArrayList<>(reader.fragments(sensor, range));
    if (order == Order.OLDEST_FIRST) {
      Collections.reverse(fragments);
    }
    List<Row> rows = new ArrayList<>();
    Scan scan = new Scan(range, order, Optional.empty(), Integer.MAX_VALUE);
    for (Fragment fragment : fragments) {
      rows.addAll(walk(reader, sensor, fragment, scan, new ReadStats()));
    }
    return rows;
  }

  static List<Row> walk(
      PartitionReader reader, SensorId sensor, Fragment fragment, Scan scan, ReadStats stats) {
    List<Row> rows = new ArrayList<>();
    try (RowCursor cursor = reader.read(sensor, fragment, scan, stats)) {
      while (rows.size() < scan.rowsWanted() && cursor.next()) {
        rows.add(current(cursor));
      }
    }
    return rows;
  }

  /** Walks the one fragment that the sensor has, with a scan of one's own. */
  List<Row> walk(Scan scan) {
    return walk(scan, new ReadStats());
  }

  List<Row> walk(Scan scan, ReadStats stats) {
    Fragment fragment = store.reader().newest(PUMP).get(0);
    List<Row> rows = walk(store.reader(), PUMP, fragment, scan, stats);
    try (RowCursor cursor = store.reader().read(PUMP, fragment, scan, new ReadStats())) {
      List<Row> byRuns = RunWalk.rest(cursor, scan.order());
      assertThat(byRuns.subList(0, Math.min(scan.rowsWanted(), byRuns.size()))).isEqualTo(rows);
    }
    return rows;
  }

  static Row current(RowCursor cursor) {
    return new Row(cursor.timestampMicros(), cursor.sequence(), cursor.value());
  }

  static List<Row> sorted(Iterable<Row> rows, Order order) {
    List<Row> sorted = new ArrayList<>();
    rows.forEach(sorted::add);
    sorted.sort(
        (a, b) ->
            order.compare(a.timestampMicros(), a.sequence(), b.timestampMicros(), b.sequence()));
    return sorted;
  }
}
