package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Fragment;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.StoreTotals;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Days that leave a store because the node's stores take more than they may. */
class CappedDaysTest {
  private static final SensorId PUMP = SensorId.of("pump");
  private static final SensorId FAN = SensorId.of("fan");
  private static final int FIRST = 20_000;
  private static final int DAYS = 3;

  private final Path folder;
  private final Path scratch;

  CappedDaysTest(@TempDir Path folder) {
    this.folder = folder.resolve("store");
    this.scratch = folder.resolve("scratch");
  }

  /** Ten rows of one sensor a day, and one of another on the first day only. */
  private DrivenStore filled() {
    DrivenStore driven = new DrivenStore(folder, new Log(), StoreSettings.defaults(8));
    for (int day = FIRST; day < FIRST + DAYS; day++) {
      for (int i = 0; i < 10; i++) {
        driven.apply(PUMP, 0, List.of(new Row(UtcDay.startMicros(day) + i, 0, i)));
      }
    }
    driven.apply(FAN, 0, List.of(new Row(UtcDay.startMicros(FIRST), 0, 1)));
    return driven;
  }

  private static List<Integer> days(DrivenStore driven, SensorId sensor) {
    return driven.store().fragments(sensor, TimeRange.ALL).stream().map(Fragment::day).toList();
  }

  private static void assertFirstDayHasLeft(DrivenStore driven) {
    StoreTotals totals = driven.store().totals();
    assertThat(totals.capped()).isEqualTo(11);
    assertThat(totals.cappedDays()).containsExactly(FIRST);
    assertThat(totals.expired()).isZero();
    assertThat(totals.stored()).isEqualTo(20);
    assertThat(days(driven, PUMP)).containsExactly(FIRST + 2, FIRST + 1);
    assertThat(driven.store().sensor(FAN)).isEmpty();
    assertThat(driven.store().disk().bytesByDay()).containsOnlyKeys(FIRST + 1, FIRST + 2);
  }

  @Test
  void dayLeavesAndIsCountedApartFromWhatExpired() {
    try (DrivenStore driven = filled()) {
      driven.store().dropBefore(FIRST + 1);
      assertFirstDayHasLeft(driven);
    }
  }

  @Test
  void rowsThatComeLaterForItAreLeftOut() {
    try (DrivenStore driven = filled()) {
      driven.store().dropBefore(FIRST + 1);
      driven.apply(PUMP, 0, List.of(new Row(UtcDay.startMicros(FIRST), 7, 1)));
      assertThat(driven.store().totals().expiredOnArrival()).isEqualTo(1);
      assertFirstDayHasLeft(driven);
    }
  }

  @Test
  void theFloorOnlyRises() {
    try (DrivenStore driven = filled()) {
      driven.store().dropBefore(FIRST + 1);
      driven.store().dropBefore(FIRST);
      driven.apply(PUMP, 0, List.of(new Row(UtcDay.startMicros(FIRST), 7, 1)));
      assertFirstDayHasLeft(driven);
    }
  }

  @Test
  void reopenedStoreRemembersWhatLeft() {
    try (DrivenStore driven = filled()) {
      driven.store().dropBefore(FIRST + 1);
      driven.reopen();
      assertFirstDayHasLeft(driven);
    }
  }

  @Test
  void killedStoreRemembersWhatLeft() {
    try (DrivenStore driven = filled()) {
      driven.reopen(); // a clean start, so that nothing is left to be forced
      driven.store().dropBefore(FIRST + 1);
      driven.killAndReopen(scratch);
      assertFirstDayHasLeft(driven);
      assertThat(driven.store().totals().damagedSegments()).isZero();
    }
  }

  @Test
  void killBetweenTheRecordAndTheFilesCountsNothingTwice() throws IOException {
    Log log = new Log();
    try (DrivenStore driven = filled()) {
      driven.reopen();
      DrivenStore.copyFolder(folder, scratch);
      driven.store().dropBefore(FIRST + 1);
      Files.copy(
          folder.resolve("offsets"),
          scratch.resolve("offsets"),
          StandardCopyOption.REPLACE_EXISTING);
      for (int i = 0; i < 31; i++) {
        log.append(new byte[0]);
      }
    }
    try (DrivenStore driven = new DrivenStore(scratch, log, StoreSettings.defaults(8))) {
      assertFirstDayHasLeft(driven);
    }
  }

  @Test
  void daysThatExpiredAreNotCountedAsCapped() {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      driven.apply(PUMP, 0, List.of(new Row(UtcDay.startMicros(FIRST), 0, 1)));
      driven.apply(PUMP, 0, List.of(new Row(UtcDay.startMicros(FIRST + 1), 0, 1)));
      driven.apply(PUMP, 0, List.of(new Row(UtcDay.startMicros(FIRST + 2), 0, 1)));
      driven.expire(FIRST + 1);
      driven.store().dropBefore(FIRST + 2);
      StoreTotals totals = driven.store().totals();
      assertThat(totals.expired()).isEqualTo(1);
      assertThat(totals.capped()).isEqualTo(1);
      assertThat(totals.cappedDays()).containsExactly(FIRST + 1);
    }
  }

  @Test
  void bytesOfTheDaysAreThoseOfTheirFiles() throws IOException {
    try (DrivenStore driven = filled()) {
      assertBytesAreThoseOfTheFiles(driven);
      driven.compact();
      assertBytesAreThoseOfTheFiles(driven);
      driven.reopen();
      assertBytesAreThoseOfTheFiles(driven);
      driven.store().dropBefore(FIRST + 1);
      assertBytesAreThoseOfTheFiles(driven);
    }
  }

  private void assertBytesAreThoseOfTheFiles(DrivenStore driven) throws IOException {
    Map<Integer, Long> onDisk;
    try (Stream<Path> files = Files.list(folder)) {
      onDisk =
          files
              .filter(file -> Files.isRegularFile(file) && !file.endsWith("offsets"))
              .collect(
                  Collectors.groupingBy(
                      CappedDaysTest::day, Collectors.summingLong(CappedDaysTest::size)));
    }
    assertThat(driven.store().disk().bytesByDay()).isEqualTo(onDisk);
    assertThat(driven.store().disk().bytes())
        .isEqualTo(onDisk.values().stream().mapToLong(Long::longValue).sum());
  }

  private static int day(Path file) {
    String date = file.getFileName().toString().substring(0, 10);
    return (int) java.time.LocalDate.parse(date).toEpochDay();
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
