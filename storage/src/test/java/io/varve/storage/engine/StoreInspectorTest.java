package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.inspect.BlockReport;
import io.varve.storage.inspect.DayReport;
import io.varve.storage.inspect.Finding;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an inspection says about files that a store has left, and that it leaves them alone. */
class StoreInspectorTest {
  private static final int JUNE = UtcDay.of(RecordStream.JUNE);
  private static final long STEP = 10_000_000;
  private static final int ROWS = 1_000;

  /** First bytes of a segment's header, and what lies from one block to the next. */
  private static final String HEADER = "VARVESEG";

  private static final int STRIDE = 4_096;

  private final Path store;
  private final Path temporary;
  private final Log log = new Log();
  private Map<String, Integer> before = Map.of();

  StoreInspectorTest(@TempDir Path folder) {
    store = folder.resolve("store");
    temporary = folder.resolve("temporary");
  }

  @BeforeEach
  void makeFolder() throws IOException {
    Files.createDirectories(temporary);
  }

  @AfterEach
  void nothingIsChangedOrLeftBehind() throws IOException {
    assertThat(contents()).as("the store's own files").isEqualTo(before);
    try (Stream<Path> rest = Files.list(temporary)) {
      assertThat(rest).as("copies").isEmpty();
    }
  }

  private Map<String, Integer> contents() throws IOException {
    Map<String, Integer> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private static void put(DrivenStore driven, int sensors) {
    for (int sensor = 0; sensor < sensors; sensor++) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(new Row(RecordStream.JUNE + i * STEP, 0, (sensor * 37 + i * 11 % 400) / 100.0));
      }
      driven.apply(SensorId.of("sensor-" + sensor), 0, rows);
    }
  }

  private StoreInspector inspector() throws IOException {
    before = contents();
    return new StoreInspector(store, DrivenStore.TOPIC_PARTITION, temporary);
  }

  private DayReport report() throws IOException {
    StoreInspector inspector = inspector();
    assertThat(inspector.days()).containsExactly(JUNE);
    try (InspectedDay day = inspector.open(JUNE)) {
      return day.report();
    }
  }

  private Path blockFile() throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.toString().matches(".*\\.\\d+\\.0\\.\\d+\\.blocks"))
          .findFirst()
          .orElseThrow();
    }
  }

  private long bytesOfDay() throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("2024-06-01"))
          .mapToLong(file -> file.toFile().length())
          .sum();
    }
  }

  @Test
  void liveDayIsToldAsItLies() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 3);
    }
    DayReport day = report();
    assertThat(day.findings()).isEmpty();
    assertThat(day.form()).isEqualTo(DayReport.Form.LIVE);
    assertThat(day.clean()).isTrue();
    assertThat(day.generations()).containsExactly(0);
    assertThat(day.rows()).isEqualTo(3 * ROWS);
    assertThat(day.bytes()).isEqualTo(bytesOfDay());
    assertThat(day.partitions())
        .hasSize(3)
        .allSatisfy(
            partition -> {
              assertThat(partition.rows()).isEqualTo(ROWS);
              assertThat(partition.plainBlocks()).isEqualTo(1);
              assertThat(partition.sealedBlocks()).isEqualTo(9);
              assertThat(partition.bytes()).isBetween(4_096L + 9 * 30, 4_096L + 9 * 400);
              assertThat(partition.firstMicros()).isEqualTo(RecordStream.JUNE);
              assertThat(partition.lastMicros()).isEqualTo(RecordStream.JUNE + (ROWS - 1) * STEP);
            });
    BlockReport blocks = day.blocks();
    assertThat(blocks.plain()).isEqualTo(3);
    assertThat(blocks.sealed()).isEqualTo(27);
    assertThat(blocks.byTime().values().stream().mapToLong(n -> n).sum()).isEqualTo(27);
    assertThat(blocks.byValue().values().stream().mapToLong(n -> n).sum()).isEqualTo(27);
    assertThat(blocks.deadBytes()).isZero();
    assertThat(inspector().findings()).isEmpty();
  }

  @Test
  void tightDayIsTight() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 3);
      assertThat(driven.compact()).isEqualTo(1);
    }
    DayReport day = report();
    assertThat(day.findings()).isEmpty();
    assertThat(day.form()).isEqualTo(DayReport.Form.TIGHT);
    assertThat(day.clean()).isTrue();
    assertThat(day.generations()).containsExactly(1);
    assertThat(day.rows()).isEqualTo(3 * ROWS);
    assertThat(day.blocks().plain()).isZero();
  }

  @Test
  void lateRowLeavesADeadBlockInATightDay() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 2);
      driven.compact();
      driven.apply(SensorId.of("sensor-1"), 0, List.of(new Row(RecordStream.JUNE + 5, 0, 1)));
    }
    DayReport day = report();
    assertThat(day.findings()).isEmpty();
    assertThat(day.form()).isEqualTo(DayReport.Form.LIVE);
    assertThat(day.rows()).isEqualTo(2 * ROWS + 1);
    assertThat(day.blocks().deadBytes()).isPositive();
    assertThat(day.blocks().plain()).isPositive();
  }

  @Test
  void dayThatWasBeingWrittenToIsNotClean() throws IOException {
    Path used = store.resolveSibling("used");
    try (DrivenStore driven = new DrivenStore(used, log)) {
      put(driven, 2);
      DrivenStore.copyFolder(used, store);
    }
    DayReport day = report();
    assertThat(day.findings()).isEmpty();
    assertThat(day.clean()).isFalse();
    assertThat(day.rows()).isEqualTo(2 * ROWS);
  }

  @Test
  void flippedByteIsNamedByItsBlockAndTheOthersAreCounted() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 3);
    }
    Path file = blockFile();
    byte[] bytes = Files.readAllBytes(file);
    bytes[find(bytes, "sensor-1") + 100] ^= 4;
    Files.write(file, bytes);
    DayReport day = report();
    assertThat(day.form()).isEqualTo(DayReport.Form.DAMAGED);
    assertThat(day.clean()).isFalse();
    assertThat(day.rows()).isBetween(2L * ROWS, 3L * ROWS - 1);
    assertThat(day.findings()).hasSize(1);
    Finding finding = day.findings().get(0);
    assertThat(finding.damage()).isTrue();
    assertThat(finding.topicPartition()).isEqualTo(DrivenStore.TOPIC_PARTITION);
    assertThat(finding.day()).hasValue(JUNE);
    assertThat(finding.file()).isEqualTo(file.getFileName().toString());
    assertThat(finding.what()).contains("fails its checksum").contains("block=");
  }

  @Test
  void damagedFileIsNamed() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 3);
    }
    try (RandomAccessFile file = new RandomAccessFile(blockFile().toFile(), "rw")) {
      file.setLength(5_000);
    }
    DayReport day = report();
    assertThat(day.form()).isEqualTo(DayReport.Form.DAMAGED);
    assertThat(day.findings().toString()).contains("file is truncated");
    Files.delete(blockFile());
    assertThat(report().findings().toString()).contains("all block files of the day are missing");
  }

  @Test
  void indexThatDisagreesIsNamed() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 2);
    }
    Path index = store.resolve("2024-06-01.index");
    SegmentIndex was = SegmentIndex.read(index, JUNE).orElseThrow();
    SegmentIndex.Entry first = was.entries().get(0);
    new SegmentIndex(
            JUNE,
            false,
            false,
            was.firstOffset(),
            was.lastOffset(),
            was.generation(),
            was.files(),
            0,
            List.of(
                new SegmentIndex.Entry(first.sensor(), 0, 7, first.bytes()), was.entries().get(1)))
        .write(index);
    DayReport day = report();
    assertThat(day.clean()).isFalse();
    assertThat(day.findings()).hasSize(2).allMatch(Finding::damage);
    assertThat(day.findings().toString()).contains("sensor=sensor-0 shard=0 rows=7");
    Files.write(index, new byte[100]);
    assertThat(report().findings().toString()).contains("index fails its checksum");
  }

  @Test
  void lostDayAndDamagedOffsetsAreNamed() throws IOException {
    try (DrivenStore driven = new DrivenStore(store, log)) {
      put(driven, 2);
    }
    try (Stream<Path> files = Files.list(store)) {
      for (Path file : files.filter(each -> each.toString().contains("2024-06-01")).toList()) {
        Files.delete(file);
      }
    }
    assertThat(inspector().findings().toString()).contains("all files of the day are gone");
    Files.writeString(store.resolve("offsets"), "format=1\n");
    assertThat(inspector().findings().toString()).contains("fails its checksum");
  }

  private static int find(byte[] bytes, String text) {
    byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
    int at = 0;
    while (!Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
      at++;
    }
    return at;
  }

  @Test
  void changeCutShortIsNotedAndUndoneOnTheCopyOnly() throws IOException {
    Path used = store.resolveSibling("used");
    try (DrivenStore driven = new DrivenStore(used, log)) {
      put(driven, 1);
      long late = RecordStream.JUNE + (ROWS - 2) * STEP + 1;
      driven.apply(SensorId.of("sensor-0"), 0, List.of(new Row(late, 0, 1)));
      DrivenStore.copyFolder(used, store);
    }
    assertThat(report().rows()).isEqualTo(ROWS + 1);
    Path file = blockFile();
    byte[] bytes = Files.readAllBytes(file);
    bytes[find(bytes, HEADER) + STRIDE] = 1; // arms the slot, which has that insertion's image
    Files.write(file, bytes);
    DayReport day = report();
    assertThat(day.rows()).isEqualTo(ROWS);
    assertThat(day.form()).isEqualTo(DayReport.Form.LIVE);
    assertThat(day.findings()).hasSize(1).noneMatch(Finding::damage);
    assertThat(day.findings().get(0).what()).contains("killed in the middle of a change");
  }

  @Test
  void rowsSealedByAKilledProcessAreCountedOnce() throws IOException {
    Path used = store.resolveSibling("used");
    SensorId sensor = SensorId.of("sensor-0");
    byte[] headBefore;
    int full = RowLayout.of(sensor.utf8(), JUNE, 0).capacity();
    try (DrivenStore driven = new DrivenStore(used, log)) {
      for (int i = 0; i < full; i++) {
        driven.apply(sensor, 0, List.of(new Row(RecordStream.JUNE + i * STEP, 0, i)));
      }
      DrivenStore.copyFolder(used, store);
      headBefore = Files.readAllBytes(blockFile());
      driven.apply(sensor, 0, List.of(new Row(RecordStream.JUNE + full * STEP, 0, 1)));
      DrivenStore.copyFolder(used, store);
    }
    Path file = blockFile();
    byte[] bytes = Files.readAllBytes(file);
    int head = find(bytes, HEADER) + BlockSpace.RESERVED_BLOCKS * STRIDE;
    System.arraycopy(headBefore, head, bytes, head, 4_096);
    Files.write(file, bytes);
    DayReport day = report();
    assertThat(day.rows()).isEqualTo(full);
    assertThat(day.findings()).hasSize(1).noneMatch(Finding::damage);
    assertThat(day.findings().get(0).what()).contains("killed in the middle of a change");
  }

  @Test
  void partitionInANewerGenerationHidesTheOlder() throws IOException {
    Path used = store.resolveSibling("used");
    try (DrivenStore driven = new DrivenStore(used, log)) {
      put(driven, 3);
      DrivenStore.copyFolder(used, store);
      driven.compact();
    }
    DrivenStore.copyFolder(used, store);
    Files.delete(store.resolve("2024-06-01.index"));
    try (Stream<Path> files = Files.list(store)) {
      Path newer =
          files.filter(each -> each.toString().contains(".1.0.")).findFirst().orElseThrow();
      byte[] bytes = Files.readAllBytes(newer);
      bytes[find(bytes, HEADER) + 60] = 0; // not whole yet
      Files.write(newer, bytes);
    }
    DayReport day = report();
    assertThat(day.form()).isEqualTo(DayReport.Form.REWRITING);
    assertThat(day.generations()).containsExactly(0, 1);
    assertThat(day.rows()).isEqualTo(3 * ROWS);
    assertThat(day.findings()).isEmpty();
    assertThat(day.clean()).isFalse();
    assertThat(day.blocks().movedBytes()).isGreaterThan(3 * 4_096);
    assertThat(day.partitions()).allMatch(each -> each.plainBlocks() == 0);
  }
}
