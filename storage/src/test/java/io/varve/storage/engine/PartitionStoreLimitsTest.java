package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a store may use: open files, mappings, and heap for each row. */
class PartitionStoreLimitsTest {
  private static final SensorId PUMP = SensorId.of("pump");
  private static final int MAX_OPEN = 16;

  /** What may be open beyond the setting for a moment: the days in use and those being closed. */
  private static final int SLACK = 32;

  /**
   * A day that is closed to make room while it is being looked at is opened again, not left out.
   */
  @Test
  void walksBesideOneAnotherMissNoDayThatIsClosedMeanwhile(@TempDir Path folder) throws Exception {
    StoreSettings settings =
        new StoreSettings(8, OptionalLong.empty(), 1, StoreSettings.CLOSE_AFTER);
    int days = 9;
    try (DrivenStore driven = new DrivenStore(folder, new Log(), settings)) {
      for (int day = 0; day < days; day++) {
        driven.apply(PUMP, 0, List.of(new Row(RecordStream.JUNE + day * UtcDay.MICROS, 0, day)));
      }
      Callable<Void> reader =
          () -> {
            for (int i = 0; i < 100; i++) {
              assertThat(rows(driven.reader())).isEqualTo(days);
              assertThat(driven.reader().sensor(PUMP).orElseThrow().rows()).isEqualTo(days);
            }
            return null;
          };
      ExecutorService threads = Executors.newFixedThreadPool(4);
      try {
        for (Future<Void> each : threads.invokeAll(Collections.nCopies(4, reader))) {
          each.get();
        }
      } finally {
        threads.shutdownNow();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /** However many files the two days in use have, another day can be read beside them. */
  @Test
  @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void daysInUseWithMoreFilesThanMayBeOpenLeaveRoomForOthers(@TempDir Path folder)
      throws Exception {
    StoreSettings settings =
        new StoreSettings(8, OptionalLong.empty(), 2, StoreSettings.CLOSE_AFTER);
    SegmentFiles.Sizes small = new SegmentFiles.Sizes(BlockSpace.RESERVED_BLOCKS + 1, 1, 1);
    try (DrivenStore driven = new DrivenStore(folder, new Log(), settings, small)) {
      for (int day = 0; day < 3; day++) {
        put(driven, day, day == 0 ? 0 : 12);
      }
      AtomicBoolean done = new AtomicBoolean();
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; !done.get(); i++) {
                  put(driven, 1 + i % 2, 1);
                }
              });
      for (int i = 0; i < 50; i++) {
        assertThat(rows(driven.reader())).isEqualTo(3);
      }
      done.set(true);
      writer.get();
    }
  }

  /** The day after one of many sensors makes one file for all of them instead of several. */
  @Test
  void theNextDayMakesRoomForAsManySensorsAtOnce(@TempDir Path folder) throws IOException {
    try (DrivenStore driven = new DrivenStore(folder, new Log())) {
      put(driven, 0, 200);
      assertThat(blocksOfSecondFile(folder, 0)).isLessThan(20);
      put(driven, 1, 200);
      int inTheFirst = SegmentFiles.Sizes.USUAL.first() - BlockSpace.RESERVED_BLOCKS;
      assertThat(blocksOfSecondFile(folder, 1)).isEqualTo(201 - inTheFirst);
    }
  }

  /** What a third file has is no matter: it may be made ahead, or not yet. */
  private static int blocksOfSecondFile(Path folder, int day) throws IOException {
    String name = LocalDate.ofEpochDay(UtcDay.of(RecordStream.JUNE) + day) + ".0.1.*.blocks";
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, name)) {
      String[] parts = paths.iterator().next().getFileName().toString().split("\\.");
      return Integer.parseInt(parts[3]);
    }
  }

  /** A row of the pump and of some other sensors, each of which takes a block. */
  private static void put(DrivenStore driven, int day, int others) {
    long at = RecordStream.JUNE + day * UtcDay.MICROS;
    driven.apply(PUMP, 0, List.of(new Row(at, 0, day)));
    for (int i = 0; i < others; i++) {
      driven.apply(SensorId.of("other-" + i), 0, List.of(new Row(at, 0, i)));
    }
  }

  private static int rows(PartitionReader reader) {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 10);
    int rows = 0;
    for (Fragment fragment : reader.fragments(PUMP, TimeRange.ALL)) {
      try (RowCursor cursor = reader.read(PUMP, fragment, scan, new ReadStats())) {
        rows += cursor.next() ? 1 : 0;
      }
    }
    return rows;
  }

  @Test
  void yearsOfHistoryKeepFewFilesOpen(@TempDir Path folder) throws IOException {
    assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "needs Linux's /proc");
    int days = Boolean.getBoolean("varve.full") ? 6_000 : 1_200;
    StoreSettings settings =
        new StoreSettings(8, OptionalLong.empty(), MAX_OPEN, StoreSettings.CLOSE_AFTER);
    Log log = new Log();
    try (DrivenStore driven = new DrivenStore(folder, log, settings)) {
      List<Integer> arrival = new ArrayList<>();
      for (int day = 0; day < days; day++) {
        arrival.add(day);
      }
      for (int day : arrival) {
        driven.apply(PUMP, 0, List.of(new Row(day * UtcDay.MICROS, 0, day)));
        if (day % 100 == 99) {
          driven.store().commit(log.end() - 1);
          assertThat(openFiles(folder)).isLessThanOrEqualTo(MAX_OPEN + SLACK);
        }
      }
      settles(folder);
      assertEveryDayReadable(driven, days, folder);
      settles(folder);
      assertThat(driven.reader().totals().segments()).isEqualTo(days);
      driven.reopen();
      assertThat(openFiles(folder)).isLessThanOrEqualTo(MAX_OPEN + SLACK);
      assertEveryDayReadable(driven, days, folder);
    }
    assertThat(openFiles(folder)).isZero();
    assertThat(mappings(folder)).isZero();
  }

  /**
   * C167: there is no fill level to run into. A day's next file is made before its last one is
   * full, and nothing fails or vanishes on the way.
   */
  @Test
  void dayOutgrowsItsFilesUnnoticed(@TempDir Path folder) throws IOException {
    int sensors = 200;
    int rounds = 60;
    try (DrivenStore driven = new DrivenStore(folder, new Log(), StoreSettings.defaults(8))) {
      for (int round = 0; round < rounds; round++) {
        for (int s = 0; s < sensors; s++) {
          List<Row> rows = new ArrayList<>();
          for (int i = 0; i < 10; i++) {
            rows.add(new Row((round * 10 + i) * 1_000L, 0, s + round));
          }
          driven.apply(SensorId.of("sensor-" + s), 0, rows);
        }
        assertThat(driven.reader().totals().stored()).isEqualTo((round + 1) * sensors * 10L);
        for (int s = 0; s < sensors; s += 50) {
          assertThat(rowsOf(driven, SensorId.of("sensor-" + s))).isEqualTo((round + 1) * 10);
        }
      }
      assertThat(driven.reader().totals().segments()).isEqualTo(1);
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files.filter(f -> f.toString().endsWith(".blocks")).count()).isGreaterThan(4);
      }
    }
  }

  private static int rowsOf(DrivenStore driven, SensorId sensor) {
    int rows = 0;
    Scan scan = new Scan(TimeRange.ALL, Order.OLDEST_FIRST, Optional.empty(), Integer.MAX_VALUE);
    for (Fragment fragment : driven.reader().fragments(sensor, TimeRange.ALL)) {
      try (RowCursor cursor = driven.reader().read(sensor, fragment, scan, new ReadStats())) {
        while (cursor.next()) {
          assertThat(cursor.timestampMicros()).isEqualTo(rows * 1_000L);
          rows++;
        }
      }
    }
    return rows;
  }

  private static void assertEveryDayReadable(DrivenStore driven, int days, Path folder)
      throws IOException {
    List<Fragment> fragments = driven.reader().fragments(PUMP, TimeRange.ALL);
    assertThat(fragments).hasSize(days);
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 10);
    for (Fragment fragment : fragments) {
      try (RowCursor cursor = driven.reader().read(PUMP, fragment, scan, new ReadStats())) {
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.value()).isEqualTo(fragment.day());
        assertThat(cursor.next()).isFalse();
      }
      if (fragment.day() % 100 == 0) {
        assertThat(openFiles(folder)).isLessThanOrEqualTo(MAX_OPEN + SLACK);
      }
    }
  }

  private static void settles(Path folder) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () -> {
              assertThat(openFiles(folder)).isLessThanOrEqualTo(MAX_OPEN);
              assertThat(mappings(folder)).isLessThanOrEqualTo(2 * MAX_OPEN);
            });
  }

  @Test
  void applyAllocatesNothingForARow(@TempDir Path folder) throws IOException {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings())) {
      store.restoreFinished();
      int rowsPerRecord = 1_000;
      List<byte[]> records = arrivals(2_000, rowsPerRecord);
      int warm = records.size() / 2;
      for (int i = 0; i < warm; i++) {
        store.apply(i, records.get(i));
      }
      long id = Thread.currentThread().getId();
      long before = threads.getThreadAllocatedBytes(id);
      for (int i = warm; i < records.size(); i++) {
        store.apply(i, records.get(i));
      }
      double allocated = threads.getThreadAllocatedBytes(id) - before;
      long rows = (long) (records.size() - warm) * rowsPerRecord;
      // A new block every 140 rows takes a little; a row itself takes nothing.
      assertThat(allocated / rows).as("bytes of heap for each applied row").isLessThan(2);
    }
  }

  /** Rows of 1 000 sensors in order of time, a few of them late. */
  private static List<byte[]> arrivals(int records, int rowsPerRecord) {
    SplittableRandom random = new SplittableRandom(1);
    byte[][] ids = new byte[1_000][];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = ("sensor-" + i).getBytes(StandardCharsets.UTF_8);
    }
    RowPack.Writer writer = new RowPack.Writer();
    List<byte[]> packs = new ArrayList<>();
    long time = RecordStream.JUNE;
    for (int i = 0; i < records; i++) {
      writer.clear();
      for (int row = 0; row < rowsPerRecord; row++) {
        byte[] id = ids[random.nextInt(ids.length)];
        time += 20_000;
        long late = random.nextInt(50) == 0 ? random.nextLong(600_000_000) : 0;
        writer.add(id, 0, id.length, 0, time - late, 0, Double.doubleToRawLongBits(row));
      }
      packs.add(writer.toBytes());
    }
    return packs;
  }

  private static long openFiles(Path folder) throws IOException {
    String prefix = folder.toRealPath().toString();
    long count = 0;
    try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
      for (Path link : (Iterable<Path>) links::iterator) {
        try {
          count += Files.readSymbolicLink(link).toString().startsWith(prefix) ? 1 : 0;
        } catch (NoSuchFileException closedMeanwhile) {
          count += 0;
        }
      }
    }
    return count;
  }

  private static long mappings(Path folder) throws IOException {
    String prefix = folder.toRealPath().toString();
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(prefix)).count();
    }
  }
}
