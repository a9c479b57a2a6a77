package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.NewestRows;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.Seeded;
import io.varve.storage.SensorId;
import io.varve.storage.StoreUnavailableException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of a closed store, damaged: the log makes it whole again, and nothing wrong is served. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionStoreDamageTest {
  private static final int RECORDS = 4_000;

  private final Log log = new RecordStream(7, 12, 1_000).first(RECORDS);
  private final InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
  private Path pristine = Path.of("");

  /** A copy of the offsets file from half-way. */
  private byte[] staleOffsets = new byte[0];

  @BeforeAll
  void buildOnce(@TempDir Path folder) throws IOException {
    pristine = folder.resolve("pristine");
    Log growing = new Log();
    try (DrivenStore store = new DrivenStore(pristine, growing)) {
      for (long offset = 0; offset < RECORDS; offset++) {
        store.append(log.at(offset));
        Log.put(model, log.at(offset), offset);
        if (offset == RECORDS / 2) {
          store.store().commit(offset);
          await().atMost(Duration.ofSeconds(20)).until(() -> covers(store, RECORDS / 2));
          staleOffsets = Files.readAllBytes(pristine.resolve("offsets"));
        }
      }
    }
  }

  private static boolean covers(DrivenStore store, long offset) {
    return store.store().committedOffset().orElse(-1) >= offset;
  }

  @Test
  void untouchedStoreComesBackWithoutAReplay(@TempDir Path folder) {
    DrivenStore.copyFolder(pristine, folder);
    try (PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings())) {
      store.logBounds(0, log.end());
      assertThat(store.committedOffset()).hasValue(RECORDS - 1);
      store.restoreFinished();
      Sameness.assertSame(store, model);
      assertThat(store.totals().damagedSegments()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.001, 0.5, 0.8, 0.9})
  void truncatedSegmentIsRebuilt(double share, @TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    Path file = blockFiles(folder).get(0);
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength((long) (open.length() * share));
    }
    assertThat(damagedSegmentsOnceWhole(folder)).isPositive();
  }

  @Test
  void deletedFilesOfASegmentAreRebuilt(@TempDir Path folder) throws IOException {
    List<Path> files = blockFiles(pristine);
    for (Path file : files) {
      String name = file.getFileName().toString();
      Path copy = folder.resolve("without-" + name);
      DrivenStore.copyFolder(pristine, copy);
      Files.delete(copy.resolve(name));
      long damaged = damagedSegmentsOnceWhole(copy);
      if (name.matches("[^.]*\\.\\d+\\.0\\..*")) {
        // A day's first file is always in use; its last may have been made ahead, and be no loss.
        assertThat(damaged).as("without %s", name).isPositive();
      }
    }
  }

  @Test
  void allFilesGoneIsAnEmptyStoreThatTheLogFills(@TempDir Path folder) {
    damagedSegmentsOnceWhole(folder.resolve("store"));
  }

  /** C177, C187: files deleted or replaced under a running store come again at the next start. */
  @ParameterizedTest
  @ValueSource(strings = {"deleted", "replaced", "all deleted"})
  void filesLostUnderARunningStoreAreRebuilt(String how, @TempDir Path folder) throws IOException {
    Path used = folder.resolve("store");
    Log growing = new Log();
    InMemoryPartition whole = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    try (DrivenStore store = new DrivenStore(used, growing)) {
      for (long offset = 0; offset < RECORDS; offset++) {
        if (offset == RECORDS / 2) {
          for (Path file : how.equals("all deleted") ? allFiles(used) : newestDay(used)) {
            // One that is only being made may have got its own name by now.
            if (Files.deleteIfExists(file) && how.equals("replaced")) {
              Files.write(file, new byte[64 * 1024]);
            }
          }
        }
        store.append(log.at(offset));
        Log.put(whole, log.at(offset), offset);
      }
      Sameness.assertSame(store.reader(), whole);
    }
    try (DrivenStore store = new DrivenStore(used, growing)) {
      Sameness.assertSame(store.reader(), whole);
      assertThat(store.reader().totals().damagedSegments()).isPositive();
    }
  }

  private static List<Path> newestDay(Path folder) throws IOException {
    List<Path> files = blockFiles(folder);
    String day = files.get(files.size() - 1).getFileName().toString().substring(0, 10);
    return files.stream().filter(f -> f.getFileName().toString().startsWith(day)).toList();
  }

  /** A day in use is not checked again when it is read, so each row's own checksum must tell. */
  @Test
  void newestRowThatFailsItsChecksumIsNeverGiven(@TempDir Path folder) throws IOException {
    SensorId sensor = SensorId.of("a");
    byte[] value = new byte[Double.BYTES];
    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putDouble(1234.5678);
    try (DrivenStore store = new DrivenStore(folder, new Log())) {
      store.apply(sensor, 0, List.of(new Row(1, 0, 1), new Row(2, 0, 1234.5678)));
      NewestRows rows = store.reader().newestRows();
      rows.find(List.of(sensor));
      assertThat(rows.read(1, new ReadStats())).isEqualTo(1);
      for (Path file : blockFiles(folder)) {
        flipFirst(file, value);
      }
      assertThatThrownBy(() -> rows.read(1, new ReadStats()))
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageContaining("sensor=a");
      assertThat(store.store().rebuildWanted()).isTrue();
      assertThatThrownBy(() -> rows.find(List.of(sensor)))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  private static void flipFirst(Path file, byte[] found) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i + found.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + found.length, found, 0, found.length)) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
          open.seek(i);
          open.write(~found[0]);
        }
        return;
      }
    }
  }

  @Test
  void segmentOverwrittenWithZerosIsRebuilt(@TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    Path file = blockFiles(folder).get(0);
    Files.write(file, new byte[(int) Files.size(file)]);
    assertThat(damagedSegmentsOnceWhole(folder)).isPositive();
  }

  @Test
  void segmentOfAnotherDayIsNotTakenForThisOne(@TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    List<Path> files = blockFiles(folder);
    Path first = files.get(0);
    Path last = files.get(files.size() - 1);
    byte[] kept = Files.readAllBytes(first);
    Files.write(first, Files.readAllBytes(last));
    Files.write(last, kept);
    assertThat(damagedSegmentsOnceWhole(folder)).isPositive();
  }

  /** C171: damage is counted and repaired from the log, wherever it hits. */
  @Seeded(runs = 40, fullRuns = 2_000)
  void flippedBytesNeverShow(RandomGenerator random, @TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    List<Path> files = allFiles(folder);
    int flips = 1 + random.nextInt(random.nextBoolean() ? 1 : 200);
    for (int i = 0; i < flips; i++) {
      Path file = files.get(random.nextInt(files.size()));
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        if (open.length() > 0) {
          long at = random.nextLong(open.length());
          open.seek(at);
          int before = open.read();
          open.seek(at);
          open.write(before ^ 1 << random.nextInt(8));
        }
      }
    }
    damagedSegmentsOnceWhole(folder);
  }

  @Test
  void staleOffsetsOnlyMeanALongerReplay(@TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    Files.write(folder.resolve("offsets"), staleOffsets);
    damagedSegmentsOnceWhole(folder);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "garbage", "committed=99999999\n"})
  void offsetsThatCannotBeBelievedMeanAFullReplay(String text, @TempDir Path folder)
      throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    Files.writeString(folder.resolve("offsets"), text);
    damagedSegmentsOnceWhole(folder);
  }

  @Test
  void missingOffsetsMeanAFullReplay(@TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    Files.delete(folder.resolve("offsets"));
    damagedSegmentsOnceWhole(folder);
  }

  @Test
  void strayFilesAreNoMatter(@TempDir Path folder) throws IOException {
    DrivenStore.copyFolder(pristine, folder);
    Files.writeString(folder.resolve("notes.txt"), "left by a person");
    for (Path file : blockFiles(folder)) {
      Files.writeString(file.resolveSibling(file.getFileName() + ".tmp"), "half made");
    }
    assertThat(damagedSegmentsOnceWhole(folder)).isZero();
  }

  /**
   * Opens, replays and compares until the store is whole, as a node does that restores a task again
   * when a walk met damage; returns how many segments were set aside.
   */
  private long damagedSegmentsOnceWhole(Path folder) {
    for (int attempt = 0; attempt < 20; attempt++) {
      try (DrivenStore driven = new DrivenStore(folder, log)) {
        try {
          Sameness.assertSame(driven.reader(), model);
          return driven.reader().totals().damagedSegments();
        } catch (CorruptBlockException | StoreUnavailableException e) {
          assertThat(driven.store().rebuildWanted()).as("rebuild wanted after %s", e).isTrue();
        }
      }
    }
    throw new AssertionError("store never became whole");
  }

  private static List<Path> blockFiles(Path folder) throws IOException {
    return allFiles(folder).stream()
        .filter(file -> !file.getFileName().toString().equals("offsets"))
        .filter(file -> file.toFile().length() > 4_096)
        .toList();
  }

  private static List<Path> allFiles(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }
}
