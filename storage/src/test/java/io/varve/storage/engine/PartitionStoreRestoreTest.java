package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.storage.InMemoryPartition;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.StoreState;
import io.varve.storage.UtcDay;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays that end early, that find a log moved on, and that meet records without sense. */
class PartitionStoreRestoreTest {
  private static final SensorId PUMP = SensorId.of("pump");
  private static final int RECORDS = 3_000;
  private static final int BATCH = 100;
  private static final long JUNE = RecordStream.JUNE;

  private final InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);

  /** C189: whatever a stopped or killed restore leaves, its offset is not ahead of its rows. */
  @ParameterizedTest
  @ValueSource(ints = {10, 30, 50, 70, 90})
  void restoreThatEndsEarlyGoesOnWhereItsRowsEnd(int percent, @TempDir Path folder) {
    Log log = new RecordStream(5, 12, 1_000).first(RECORDS);
    for (long offset = 0; offset < RECORDS; offset++) {
      Log.put(model, log.at(offset), offset);
    }
    // Not at a batch's end: what Streams has handed over and not said is the dangerous part.
    int stop = RECORDS * percent / 100 + BATCH / 2;
    Path stopped = folder.resolve("stopped");
    Path killed = folder.resolve("killed");
    try (PartitionStore store = DrivenStore.opened(stopped, DrivenStore.settings())) {
      store.logBounds(0, log.end());
      for (int offset = 0; offset < stop; offset++) {
        store.restore(log.at(offset));
        if (offset % BATCH == BATCH - 1) {
          store.restoredThrough(offset);
          store.commit(offset);
        }
      }
      DrivenStore.copyFolder(stopped, killed);
    }
    for (Path left : List.of(stopped, killed)) {
      try (PartitionStore store = DrivenStore.opened(left, DrivenStore.settings())) {
        store.logBounds(0, log.end());
        assertThat(store.committedOffset().orElse(-1)).as("%s", left).isLessThan(stop);
        assertThat(store.state()).isNotEqualTo(StoreState.SERVING);
      }
      try (DrivenStore store = new DrivenStore(left, log)) {
        Sameness.assertSame(store.reader(), model);
      }
    }
  }

  /** C191: a store that is rarely written keeps its rows when the log has moved on. */
  @Test
  void quietStoreOutlivesItsLog(@TempDir Path folder) {
    Path killed = folder.resolve("killed");
    try (PartitionStore store = quiet(folder.resolve("used"))) {
      DrivenStore.copyFolder(folder.resolve("used"), killed);
      assertThat(store.totals().stored()).isEqualTo(10);
    }
    for (int logEnd : new int[] {10, 25}) { // nothing left of the log; moved on without us
      try (PartitionStore store = DrivenStore.opened(killed, DrivenStore.settings())) {
        store.logBounds(logEnd, logEnd);
        assertThat(store.committedOffset()).hasValue(logEnd - 1);
        store.restoreFinished();
        assertThat(store.state()).isEqualTo(StoreState.SERVING);
        Sameness.assertSame(store, model);
        assertThat(store.totals().damagedSegments()).isZero();
        assertThat(store.totals().incompleteDays()).isZero();
      }
    }
  }

  /** C191: where a day is damaged besides, the others are kept and it is counted. */
  @Test
  void damagedDayOfAQuietStoreIsCountedAndTheOthersKept(@TempDir Path folder) throws IOException {
    Path killed = folder.resolve("killed");
    try (PartitionStore store = quiet(folder.resolve("used"))) {
      DrivenStore.copyFolder(folder.resolve("used"), killed);
      assertThat(store.totals().segments()).isEqualTo(10);
    }
    try (var files = Files.newDirectoryStream(killed, "2024-06-04.0.*.blocks")) {
      for (Path file : files) {
        Files.write(file, new byte[(int) Files.size(file)]);
      }
    }
    try (PartitionStore store = DrivenStore.opened(killed, DrivenStore.settings())) {
      store.logBounds(10, 10);
      store.committedOffset();
      store.restoreFinished();
      assertThat(store.state()).isEqualTo(StoreState.SERVING);
      assertThat(store.totals().stored()).isEqualTo(9);
      assertThat(store.totals().damagedSegments()).isEqualTo(1);
      assertThat(store.totals().incompleteDays()).isEqualTo(1);
    }
  }

  /** A store with a row a day for ten days, all of it covered by a force, still open. */
  private PartitionStore quiet(Path folder) {
    PartitionStore store = DrivenStore.opened(folder, StoreSettings.defaults(8));
    store.logBounds(0, 0);
    store.restoreFinished();
    for (int day = 0; day < 10; day++) {
      byte[] record =
          Log.record(PUMP, 0, List.of(new Row(JUNE + day * UtcDay.MICROS, 0, day + 0.5)));
      Log.put(model, record, day);
      store.apply(day, record);
    }
    store.commit(9);
    await().atMost(Duration.ofSeconds(20)).until(() -> store.committedOffset().orElse(-1) == 9);
    return store;
  }

  /**
   * C193: a standby, which only restores, has what the active has, which only applies, also behind
   * records without sense; a restart counts them no second time.
   */
  @Test
  void restoreMakesOfBadRecordsWhatApplyMakes(@TempDir Path folder) {
    Log log = new Log();
    for (int i = 0; i < 50; i++) {
      List<Row> rows = new java.util.ArrayList<>();
      for (int row = 0; row < 5; row++) {
        rows.add(new Row(JUNE + i * 1_000L + row, 0, i));
      }
      byte[] good = Log.record(PUMP, 0, rows);
      log.append(good);
      log.append(
          switch (i % 3) {
            case 0 -> new byte[] {1, 2, 3};
            case 1 -> new byte[0];
            default -> Arrays.copyOf(good, good.length - 3);
          });
    }
    for (long offset = 0; offset < log.end(); offset++) {
      long at = offset;
      var unused =
          RowPack.read(
              log.at(offset),
              (bytes, idOffset, idLength, shard, timestampMicros, sequence, valueBits) ->
                  model.put(
                      SensorId.of(bytes, idOffset, idLength),
                      shard,
                      new Row(timestampMicros, sequence, Double.longBitsToDouble(valueBits)),
                      at));
    }
    try (DrivenStore active = new DrivenStore(folder.resolve("active"), new Log());
        DrivenStore standby = new DrivenStore(folder.resolve("standby"), log)) {
      for (long offset = 0; offset < log.end(); offset++) {
        active.append(log.at(offset));
      }
      Sameness.assertSame(active.reader(), model);
      Sameness.assertSame(standby.reader(), model);
      assertThat(active.reader().totals().undecodable()).isEqualTo(50);
      assertThat(standby.reader().totals().undecodable()).isEqualTo(50);
      standby.reopen();
      assertThat(standby.reader().totals().undecodable()).isEqualTo(50);
    }
  }
}
