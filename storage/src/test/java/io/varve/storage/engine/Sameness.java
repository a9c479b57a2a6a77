package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.Fragment;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.NewestRows;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.RunWalk;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import io.varve.storage.StoreUnavailableException;
import io.varve.storage.TimeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a store answers as the model does. */
final class Sameness {
  private static final byte[] ANY = new byte[0];

  private Sameness() {}

  /** Compares all that a reader can ask: every row in both orders, the index, the count. */
  static void assertSame(PartitionReader store, InMemoryPartition model) {
    List<SensorSummary> sensors = model.sensors(ANY, Optional.empty(), Integer.MAX_VALUE);
    // Rows first: a walk is what meets damage.
    for (SensorSummary each : sensors) {
      for (Fragment fragment : model.fragments(each.sensor(), TimeRange.ALL)) {
        for (Order order : Order.values()) {
          Scan scan = new Scan(TimeRange.ALL, order, Optional.empty(), Integer.MAX_VALUE);
          assertSameWalk(store, model, each.sensor(), fragment, scan);
        }
      }
    }
    assertThat(store.sensors(ANY, Optional.empty(), Integer.MAX_VALUE)).isEqualTo(sensors);
    for (SensorSummary each : sensors) {
      assertThat(store.sensor(each.sensor())).contains(each);
      assertThat(store.newest(each.sensor())).hasSameElementsAs(model.newest(each.sensor()));
      List<Fragment> fragments = model.fragments(each.sensor(), TimeRange.ALL);
      assertThat(store.fragments(each.sensor(), TimeRange.ALL))
          .hasSize(fragments.size())
          .hasSameElementsAs(fragments);
    }
    List<SensorId> ids = sensors.stream().map(SensorSummary::sensor).toList();
    for (int from = 0; from < ids.size(); from += NewestRows.MAX_SENSORS) {
      assertSameNewest(
          store, model, ids.subList(from, Math.min(from + NewestRows.MAX_SENSORS, ids.size())));
    }
    assertThat(store.totals().stored()).isEqualTo(model.totals().stored());
  }

  private static void assertSameNewest(
      PartitionReader store, InMemoryPartition model, List<SensorId> sensors) {
    NewestRows expected = model.newestRows();
    NewestRows given = store.newestRows();
    expected.find(sensors);
    given.find(sensors);
    long all = -1L >>> NewestRows.MAX_SENSORS - sensors.size();
    ReadStats expectedStats = new ReadStats();
    ReadStats givenStats = new ReadStats();
    assertThat(given.read(all, givenStats)).isEqualTo(expected.read(all, expectedStats));
    for (int i = 0; i < sensors.size(); i++) {
      assertThat(given.day(i)).isEqualTo(expected.day(i));
      assertThat(new Row(given.timestampMicros(i), given.sequence(i), given.value(i)))
          .isEqualTo(new Row(expected.timestampMicros(i), expected.sequence(i), expected.value(i)));
    }
    assertThat(givenStats.shards).isEqualTo(expectedStats.shards);
    assertThat(givenStats.blocks).isEqualTo(expectedStats.blocks);
    assertThat(givenStats.rowsDecoded).isEqualTo(expectedStats.rowsDecoded);
  }

  /**
   * Compares one walk, to its end or to as many rows as it wants. Where the walk fails, what it
   * gave until then must be right all the same, and the failure goes on to the caller.
   */
  static void assertSameWalk(
      PartitionReader store, InMemoryPartition model, SensorId sensor, Fragment at, Scan scan) {
    List<Row> expected = walk(model, sensor, at, scan);
    List<Row> given = new ArrayList<>();
    try {
      walk(store, sensor, at, scan, given);
    } catch (CorruptBlockException | StoreUnavailableException e) {
      assertThat(given)
          .as("before %s: sensor=%s fragment=%s scan=%s", e, sensor, at, scan)
          .isEqualTo(expected.subList(0, Math.min(given.size(), expected.size())));
      throw e;
    }
    assertThat(given).as("sensor=%s fragment=%s scan=%s", sensor, at, scan).isEqualTo(expected);
    try (RowCursor cursor = store.read(sensor, at, scan, new ReadStats())) {
      List<Row> byRuns = RunWalk.rest(cursor, scan.order());
      assertThat(byRuns.subList(0, Math.min(scan.rowsWanted(), byRuns.size())))
          .as("by runs: sensor=%s fragment=%s scan=%s", sensor, at, scan)
          .isEqualTo(expected);
    }
  }

  private static List<Row> walk(
      PartitionReader reader, SensorId sensor, Fragment fragment, Scan scan) {
    List<Row> rows = new ArrayList<>();
    walk(reader, sensor, fragment, scan, rows);
    return rows;
  }

  private static void walk(
      PartitionReader reader, SensorId sensor, Fragment fragment, Scan scan, List<Row> rows) {
    try (RowCursor cursor = reader.read(sensor, fragment, scan, new ReadStats())) {
      while (rows.size() < scan.rowsWanted() && cursor.next()) {
        rows.add(new Row(cursor.timestampMicros(), cursor.sequence(), cursor.value()));
      }
    }
  }
}
