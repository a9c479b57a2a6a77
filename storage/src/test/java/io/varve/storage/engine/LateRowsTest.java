package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Arrivals;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.StoreTotals;
import io.varve.storage.UtcDay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows that do not come behind the newest of their partition are counted, once. */
class LateRowsTest {
  private static final SensorId PUMP = SensorId.of("pump");
  private static final SensorId FAN = SensorId.of("fan");
  private static final long DAY = UtcDay.startMicros(20_000);
  private static final int ROWS = 1_000;
  private static final long STEP = 10_000_000L;

  private final Path folder;

  LateRowsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private static void apply(DrivenStore driven, SensorId sensor, long micros, double value) {
    driven.apply(sensor, 0, List.of(new Row(micros, 0, value)));
  }

  /** Rows in order, enough of them that most are sealed. */
  private static void fillInOrder(DrivenStore driven) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(new Row(DAY + i * STEP, 0, i));
    }
    driven.apply(PUMP, 0, rows);
  }

  private static void assertArrivals(DrivenStore driven, long stored, long late) {
    StoreTotals totals = driven.store().totals();
    assertThat(totals.stored()).isEqualTo(stored);
    assertThat(totals.late()).isEqualTo(late);
  }

  @Test
  void rowsInOrderAreNotLate() {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fillInOrder(driven);
      apply(driven, FAN, DAY, 1); // older than what others have, not than its own
      apply(driven, PUMP, DAY + UtcDay.MICROS, 1);
      apply(driven, FAN, DAY + UtcDay.MICROS, 1);
      assertArrivals(driven, ROWS + 3, 0);
    }
  }

  @Test
  void lateRowsAreCountedWhereverTheyBelong() {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fillInOrder(driven);
      apply(driven, PUMP, DAY + (ROWS - 1) * STEP - 1, 1); // in the head block
      apply(driven, PUMP, DAY + 5 * STEP + 1, 1); // in a sealed one
      apply(driven, PUMP, DAY + 5 * STEP + 2, 1); // in one that was unsealed
      assertArrivals(driven, ROWS + 3, 3);
      apply(driven, PUMP, DAY + ROWS * STEP, 1);
      assertArrivals(driven, ROWS + 4, 3);
    }
  }

  @Test
  void correctionsAndRepeatsAreNotLate() {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fillInOrder(driven);
      apply(driven, PUMP, DAY + 5 * STEP, -1);
      apply(driven, PUMP, DAY + 5 * STEP, -1);
      apply(driven, PUMP, DAY + (ROWS - 1) * STEP, ROWS - 1);
      assertArrivals(driven, ROWS, 0);
      assertThat(driven.store().totals().overwritten()).isEqualTo(1);
      assertThat(driven.store().totals().duplicates()).isEqualTo(2);
    }
  }

  @Test
  void rowsThatComeToATightDayInOrderAreNotLate() {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fillInOrder(driven);
      driven.compact();
      apply(driven, PUMP, DAY + ROWS * STEP, 1);
      assertArrivals(driven, ROWS + 1, 0);
      apply(driven, PUMP, DAY + 1, 1);
      assertArrivals(driven, ROWS + 2, 1);
    }
  }

  @Test
  void countOutlivesTheProcess() throws Exception {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fillInOrder(driven);
      apply(driven, PUMP, DAY + 1, 1);
      apply(driven, PUMP, DAY + 1, 2);
      driven.reopen();
      assertArrivals(driven, ROWS + 1, 1);
      driven.expire(20_001);
    }
    assertThat(Files.readString(folder.resolve("offsets"))).contains("\nlate=1\n");
    StoreInspector inspector =
        new StoreInspector(folder, DrivenStore.TOPIC_PARTITION, folder.resolve("unused"));
    assertThat(inspector.arrivals()).contains(new Arrivals(ROWS + 1, 1, 1, 0));
  }
}
