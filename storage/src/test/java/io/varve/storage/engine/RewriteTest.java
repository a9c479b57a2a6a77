package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.storage.Fragment;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Days in tight form: what they cost, how they get there, and what a late row does to them. */
class RewriteTest {
  private static final long HOUR = UtcDay.MICROS / 24;

  private final Path folder;
  private final Log log = new Log();
  private final InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);

  RewriteTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private void put(DrivenStore driven, SensorId sensor, List<Row> rows) {
    byte[] record = Log.record(sensor, 0, rows);
    driven.append(record);
    Log.put(model, record, log.end() - 1);
  }

  /** 24 rows a day for each sensor, values with two decimals. */
  private void putHourly(DrivenStore driven, int sensors) {
    for (int sensor = 0; sensor < sensors; sensor++) {
      List<Row> rows = new ArrayList<>();
      for (int hour = 0; hour < 24; hour++) {
        double value = ((sensor * 37 + hour * 11) % 4_000) / 100.0;
        rows.add(new Row(RecordStream.JUNE + hour * HOUR + sensor * 1_000L, 0, value));
      }
      put(driven, SensorId.of("hourly-%05d".formatted(sensor)), rows);
    }
  }

  private long bytesOnDisk() throws IOException {
    try (var files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void sensorWithOneReadingAnHourTakesFewBytesOnceItsDayIsRewritten() throws IOException {
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      putHourly(driven, 2_000);
      assertThat(driven.compact()).isEqualTo(1);
      assertThat(bytesOnDisk() / (2_000.0 * 24)).as("bytes a row").isLessThan(12);
      Sameness.assertSame(driven.reader(), model);
    }
  }

  @Test
  void tightDayIsNotRewrittenAgainUntilARowComes() {
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      putHourly(driven, 5);
      assertThat(driven.compact()).isEqualTo(1);
      assertThat(driven.compact()).isZero();
      driven.reopen();
      assertThat(driven.compact()).as("after a restart").isZero();
      put(driven, SensorId.of("late"), List.of(new Row(RecordStream.JUNE + 1, 0, 1)));
      assertThat(driven.compact()).as("after a late row").isEqualTo(1);
      Sameness.assertSame(driven.reader(), model);
    }
  }

  /** However many rows there are, the newest block of them is no tiny rest. */
  @Test
  void latestTwentyOfATightDayLieInOneBlock() {
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      for (int count = 20; count < 9_000; count += 1 + count / 16) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          rows.add(new Row(RecordStream.JUNE + i * 1_000_000L + i % 7, 0, (i * 37 % 500) / 100.0));
        }
        put(driven, SensorId.of("with-" + count), rows);
      }
      driven.compact();
      Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 20);
      for (SensorSummary each :
          driven.reader().sensors(new byte[0], Optional.empty(), Integer.MAX_VALUE)) {
        ReadStats stats = new ReadStats();
        Fragment newest = driven.reader().newest(each.sensor()).get(0);
        try (RowCursor cursor = driven.reader().read(each.sensor(), newest, scan, stats)) {
          for (int row = 0; row < 20; row++) {
            assertThat(cursor.next()).isTrue();
          }
        }
        assertThat(stats.blocks).as("%s", each.sensor()).isEqualTo(1);
        assertThat(stats.rowsDecoded).as("%s", each.sensor()).isLessThanOrEqualTo(20 + 32);
      }
    }
  }

  @Test
  void lateRowsCorrectionsAndRepeatsOfATightDayAreSeenAtOnce() {
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      putHourly(driven, 3);
      driven.compact();
      SensorId sensor = SensorId.of("hourly-00001");
      long at = RecordStream.JUNE + 5 * HOUR + 1_000;
      put(driven, sensor, List.of(new Row(at + 7, 0, 4.5)));
      Sameness.assertSame(driven.reader(), model);
      put(driven, sensor, List.of(new Row(at, 0, -0.0), new Row(at + 7, 0, 4.5)));
      Sameness.assertSame(driven.reader(), model);
      put(driven, sensor, List.of(new Row(RecordStream.JUNE + 23 * HOUR + 9_000, 0, 1)));
      Sameness.assertSame(driven.reader(), model);
      driven.killAndReopen(folder.resolve("killed"));
      Sameness.assertSame(driven.reader(), model);
    }
  }

  /** What a process leaves that is killed between the making of a day and its first row. */
  @Test
  @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void dayWithoutRowsIsLeftAlone() throws IOException, InterruptedException {
    Files.createDirectories(folder.resolve("store"));
    Contents contents =
        new Contents(
            DrivenStore.TOPIC_PARTITION,
            DrivenStore.settings(),
            new SegmentFiles(folder.resolve("store")),
            map -> {});
    contents.createSegment(UtcDay.of(RecordStream.JUNE), 0);
    Segment day = contents.segments.firstEntry().getValue();
    StoreReads reads = new StoreReads(contents, new Upkeep(contents, "boot").idle());
    assertThat(new DayRewriter(contents, reads).rewrite(day, DayRewriter.UNTHROTTLED)).isFalse();
    day.close(day.detach());
  }

  @Test
  void quietDayIsRewrittenByItself() {
    StoreSettings settings = DrivenStore.settings().withCloseAfter(Duration.ofMillis(100));
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log, settings)) {
      putHourly(driven, 300);
      long before = driven.store().totals().bytes();
      await("rewritten")
          .atMost(Duration.ofSeconds(30))
          .until(() -> driven.store().totals().bytes() < before / 4);
      Sameness.assertSame(driven.reader(), model);
    }
  }
}
