package io.varve.server.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replay against exact counts in maps, rows in any order and with tables too small for them. */
class KeyReplayProperties {
  private static final long START = LocalDate.of(2025, 2, 20).toEpochDay() * 24;
  private static final int HOURS = 90 * 24;

  /** What a replay should find. */
  private static final class Exact {
    final Map<BucketWidth, Map<String, long[]>> partitions = new EnumMap<>(BucketWidth.class);
    final Map<String, TreeSet<Long>> days = new HashMap<>();

    void add(String sensor, long hour, long bytes) {
      LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(hour, 24));
      for (BucketWidth width : BucketWidth.values()) {
        String bucket =
            switch (width) {
              case HOUR -> "" + hour;
              case DAY -> "" + date;
              case WEEK -> "" + date.minusDays(date.getDayOfWeek().getValue() - 1);
              case MONTH -> date.getYear() + "-" + date.getMonthValue();
              case NONE -> "";
            };
        long[] counts =
            partitions
                .computeIfAbsent(width, w -> new HashMap<>())
                .computeIfAbsent(sensor + "|" + bucket, p -> new long[2]);
        counts[0]++;
        counts[1] += bytes;
      }
      days.computeIfAbsent(sensor, s -> new TreeSet<>()).add(date.toEpochDay());
    }

    long[] sorted(BucketWidth width) {
      return partitions.getOrDefault(width, Map.of()).values().stream()
          .mapToLong(c -> c[0])
          .sorted()
          .toArray();
    }

    long most(BucketWidth width, int field) {
      return partitions.getOrDefault(width, Map.of()).values().stream()
          .mapToLong(c -> c[field])
          .max()
          .orElseThrow();
    }
  }

  private static Exact feed(KeyReplay replay, long seed, int sensors, int rows, boolean ordered) {
    SplittableRandom random = new SplittableRandom(seed);
    Exact exact = new Exact();
    for (int i = 0; i < rows; i++) {
      // Low numbers come more often than high ones.
      int number = (int) (sensors * Math.pow(random.nextDouble(), 3));
      long hour = START + (ordered ? (long) i * HOURS / rows : random.nextInt(HOURS));
      long bytes = 20 + random.nextInt(30);
      byte[] id = ("x sensor-" + number).getBytes(StandardCharsets.UTF_8);
      replay.row(
          id, 2, id.length - 2, hour * 3_600_000_000L + random.nextLong(3_600_000_000L), bytes);
      exact.add("sensor-" + number, hour, bytes);
    }
    return exact;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whatFitsIsExact(long seed) {
    KeyReplay replay = new KeyReplay(new KeyReplay.Tables(64, 1 << 15, 1 << 16, 256, 1024));
    Exact exact = feed(replay, seed, 200, 20_000, seed % 2 == 0);
    ReplayFigures figures = replay.figures();

    assertThat(figures.rows()).isEqualTo(20_000);
    for (KeyFigures key : figures.keys()) {
      BucketWidth width = key.width();
      long[] sorted = exact.sorted(width);
      assertThat(key.partitions()).as("%s seed=%d", width, seed).isEqualTo(sorted.length);
      assertThat(key.sortedRows()).as("%s seed=%d", width, seed).isEqualTo(sorted);
      assertThat(key.largest().rows()).isEqualTo(exact.most(width, 0));
      assertThat(key.largest().rowsAtMost()).isEqualTo(exact.most(width, 0));
      assertThat(key.largest().bytes()).isEqualTo(exact.most(width, 1));
      assertThat(key.partitionsError()).isZero();
    }
    KeyFigures days = figures.key(BucketWidth.DAY);
    long sparse =
        exact.days.values().stream()
            .filter(d -> d.last() - d.first() + 1 - d.size() >= Math.max(8, d.size()))
            .count();
    assertThat(days.sparse().orElseThrow().sparse()).isEqualTo(sparse);
    assertThat(days.sparse().orElseThrow().all()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void whatDoesNotFitIsBounded(long seed) {
    KeyReplay replay = new KeyReplay(new KeyReplay.Tables(64, 1 << 10, 1 << 10, 128, 256));
    Exact exact = feed(replay, seed, 2_000, 60_000, seed % 2 == 0);
    ReplayFigures figures = replay.figures();

    for (KeyFigures key : figures.keys()) {
      BucketWidth width = key.width();
      String name = width + " seed=" + seed;
      long[] sorted = exact.sorted(width);
      assertThat(key.partitions())
          .as(name)
          .isCloseTo(sorted.length, within(sorted.length * 5 * 0.05));
      assertThat(key.largest().rows()).as(name).isLessThanOrEqualTo(exact.most(width, 0));
      assertThat(key.largest().rowsAtMost()).as(name).isGreaterThanOrEqualTo(exact.most(width, 0));
      assertThat(key.largest().bytes()).as(name).isLessThanOrEqualTo(exact.most(width, 1));
      assertThat(key.largest().bytesAtMost()).as(name).isGreaterThanOrEqualTo(exact.most(width, 1));
      double rank =
          (double) Arrays.stream(sorted).filter(n -> n <= key.p50Rows(1)).count() / sorted.length;
      assertThat(rank).as(name).isGreaterThanOrEqualTo(0.4);
    }
    assertThat(figures.key(BucketWidth.NONE).largest().sensor()).isEqualTo("sensor-0");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void countedRowsAreRows(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    KeyReplay counted = new KeyReplay(new KeyReplay.Tables(64, 1 << 12, 1 << 12, 64, 64));
    KeyReplay single = new KeyReplay(new KeyReplay.Tables(64, 1 << 12, 1 << 12, 64, 64));
    for (int i = 0; i < 500; i++) {
      byte[] id = ("s" + random.nextInt(20)).getBytes(StandardCharsets.UTF_8);
      long at = (START + random.nextInt(HOURS)) * 3_600_000_000L;
      int rows = 1 + random.nextInt(50);
      counted.rows(id, 0, id.length, at, rows, rows * 40L);
      for (int r = 0; r < rows; r++) {
        single.row(id, 0, id.length, at, 40);
      }
    }
    ReplayFigures a = counted.figures();
    ReplayFigures b = single.figures();
    assertThat(a.bytes()).isEqualTo(b.bytes());
    for (BucketWidth width : BucketWidth.values()) {
      assertThat(a.key(width).sortedRows()).isEqualTo(b.key(width).sortedRows());
      assertThat(a.key(width).largest().rows()).isEqualTo(b.key(width).largest().rows());
    }
  }
}
