package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.DayStats;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.inspect.DayReport;
import io.varve.storage.inspect.PartitionReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An open store tells of its days what their files tell. */
class LiveInspectionTest {
  private static final int FIRST = 20_000;
  private static final int DAYS = 3;

  private final Path folder;
  private final Path temporary;

  LiveInspectionTest(@TempDir Path folder) throws IOException {
    this.folder = folder.resolve("store");
    this.temporary = Files.createDirectories(folder.resolve("temporary"));
  }

  private static void fill(DrivenStore driven) {
    for (int day = FIRST; day < FIRST + DAYS; day++) {
      for (int sensor = 0; sensor < 5; sensor++) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 1 + 150 * sensor; i++) {
          rows.add(new Row(UtcDay.startMicros(day) + i * 10_000_000L, 0, i % 7));
        }
        driven.apply(SensorId.of("sensor-" + sensor), 0, rows);
      }
    }
  }

  /** What an open store tells, in lines. */
  private static List<String> told(DrivenStore driven) throws IOException {
    List<String> lines = new ArrayList<>();
    List<DayStats> days =
        driven
            .store()
            .inspect((day, rows, bytes) -> lines.add(day + " rows=" + rows + " bytes=" + bytes));
    for (DayStats day : days) {
      lines.add(day.day() + " " + day.partitions() + " " + day.rows() + " " + day.form());
    }
    return lines.stream().sorted().toList();
  }

  /** What the files of a closed store tell, in the same lines. */
  private List<String> found() throws IOException {
    List<String> lines = new ArrayList<>();
    StoreInspector inspector = new StoreInspector(folder, DrivenStore.TOPIC_PARTITION, temporary);
    for (int each : inspector.days()) {
      try (InspectedDay day = inspector.open(each)) {
        DayReport report = day.report();
        for (PartitionReport p : report.partitions()) {
          lines.add(each + " rows=" + p.rows() + " bytes=" + p.bytes());
        }
        lines.add(
            each + " " + report.partitions().size() + " " + report.rows() + " " + report.form());
      }
    }
    return lines.stream().sorted().toList();
  }

  @Test
  void openAndClosedDaysAreToldAlike() throws IOException {
    List<String> open;
    List<String> closed;
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fill(driven);
      open = told(driven);
      driven.reopen();
      closed = told(driven);
      assertThat(driven.store().totals().openSegments()).as("looking opened nothing").isZero();
    }
    assertThat(open).hasSize(DAYS * 6).isEqualTo(closed).isEqualTo(found());
  }

  @Test
  void rewrittenDaysAreToldAsTheyLie() throws IOException {
    List<String> tight;
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      fill(driven);
      driven.compact();
      tight = told(driven);
    }
    assertThat(tight).isEqualTo(found());
    assertThat(tight).filteredOn(line -> line.endsWith("TIGHT")).hasSize(DAYS);
  }
}
