package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Fragment;
import io.varve.storage.NewestRows;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.TrafficWatch;
import io.varve.storage.UtcDay;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store shows to whoever measures its traffic. */
class TrafficWatchTest {
  private static final SensorId PUMP = SensorId.of("pump");
  private static final int DAY = UtcDay.of(RecordStream.JUNE);

  /** Asks for every third row, and notes what it is told. */
  private static final class Notes implements TrafficWatch {
    final List<String> written = new ArrayList<>();
    final List<String> read = new ArrayList<>();

    @Override
    public int rowsUntilShown() {
      return 3;
    }

    @Override
    public void written(SensorId sensor, int day, int shard, long timestampMicros, int standsFor) {
      written.add(
          sensor
              + " "
              + (day - DAY)
              + " "
              + shard
              + " "
              + (timestampMicros - RecordStream.JUNE)
              + " "
              + standsFor);
    }

    @Override
    public void read(SensorId sensor, int day, long rows, long blocks) {
      read.add(sensor + " " + (day - DAY) + " " + rows + " " + blocks);
    }
  }

  private static List<Row> rows(int from, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(new Row(RecordStream.JUNE + from + i, 0, i));
    }
    return rows;
  }

  @Test
  void aRowIsShownForAllSinceTheOneBefore(@TempDir Path folder) {
    Log log = new Log();
    Notes notes = new Notes();
    try (PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings())) {
      store.watch(notes);
      byte[] record = Log.record(PUMP, 0, rows(0, 7));
      store.restoreFinished();
      store.apply(log.append(record), record);
      byte[] more = Log.record(PUMP, 5, rows(7, 2));
      store.apply(log.append(more), more);
    }
    assertThat(notes.written).containsExactly("pump 0 0 2 3", "pump 0 0 5 3", "pump 0 5 8 3");
  }

  /** They were shown when they came; a restart must not look like a burst. */
  @Test
  void restoredRowsAreNotShown(@TempDir Path folder) {
    Log log = new Log();
    for (int i = 0; i < 10; i++) {
      log.append(Log.record(PUMP, 0, rows(i * 10, 10)));
    }
    Notes notes = new Notes();
    try (PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings())) {
      store.watch(notes);
      store.logBounds(0, log.end());
      for (long o = 0; o < log.end(); o++) {
        store.restore(log.at(o));
      }
      store.restoredThrough(log.end() - 1);
      store.restoreFinished();
      assertThat(notes.written).isEmpty();
      byte[] record = Log.record(PUMP, 0, rows(100, 3));
      store.apply(log.append(record), record);
    }
    assertThat(notes.written).containsExactly("pump 0 0 102 3");
  }

  @Test
  void readsAreToldByFragment(@TempDir Path folder) {
    Log log = new Log();
    Notes notes = new Notes();
    try (PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings())) {
      store.watch(notes);
      byte[] record = Log.record(PUMP, 0, rows(0, 50));
      store.restoreFinished();
      store.apply(log.append(record), record);
      read(store, 20);
      NewestRows newest = store.newestRows();
      newest.find(List.of(PUMP));
      assertThat(newest.read(1, new ReadStats())).isEqualTo(1);
    }
    assertThat(notes.read).containsExactly("pump 0 20 1", "pump 0 1 1");
  }

  private static void read(PartitionReader reader, int rows) {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), rows);
    for (Fragment fragment : reader.fragments(PUMP, TimeRange.ALL)) {
      try (RowCursor cursor = reader.read(PUMP, fragment, scan, new ReadStats())) {
        for (int i = 0; i < rows; i++) {
          assertThat(cursor.next()).isTrue();
        }
      }
    }
  }

  @Test
  void largeShardsOfADayAreListed(@TempDir Path folder) {
    Log log = new Log();
    try (PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings())) {
      byte[] record = Log.record(PUMP, 3, rows(0, 2_000));
      byte[] small = Log.record(SensorId.of("small"), 0, rows(0, 1));
      store.restoreFinished();
      store.apply(log.append(record), record);
      store.apply(log.append(small), small);
      assertThat(store.shardsLargerThan(4_096, DAY))
          .singleElement()
          .satisfies(
              size -> {
                assertThat(size.sensor()).isEqualTo(PUMP);
                assertThat(size.day()).isEqualTo(DAY);
                assertThat(size.shard()).isEqualTo(3);
                assertThat(size.rows()).isEqualTo(2_000);
                assertThat(size.bytes()).isGreaterThan(4_096);
              });
      assertThat(store.shardsLargerThan(4_096, DAY + 1)).isEmpty();
    }
  }
}
