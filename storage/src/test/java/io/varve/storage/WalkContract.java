package io.varve.storage;

import static io.varve.storage.Order.NEWEST_FIRST;
import static io.varve.storage.Order.OLDEST_FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What walks over rows return: which rows, in which order, bit for bit. */
public abstract class WalkContract extends PartitionContract {
  /** C053: tuples are compared, not columns one by one. */
  @Test
  void rowsComeInClusteringOrderAndItsReverse() {
    Row a = new Row(JUNE, 9, 1);
    Row b = new Row(JUNE + 60_000_000, 1, 2);
    Row c = new Row(JUNE + 60_000_000, 5, 3);
    Row d = new Row(JUNE + 120_000_000, 3, 4);
    put(c, a, d, b);
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).containsExactly(d, c, b, a);
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST)).containsExactly(a, b, c, d);
  }

  /** C069, C071, C073: from is inside, to is not. */
  @Test
  void rangesAreHalfOpen() {
    for (int minute = 0; minute < 700; minute++) {
      put(row(JUNE + minute * 60_000_000L, minute));
    }
    long from = JUNE + 210 * 60_000_000L;
    long to = JUNE + 630 * 60_000_000L;
    for (Order order : Order.values()) {
      assertThat(walk(new TimeRange(from, to), order)).hasSize(420);
      assertThat(walk(new TimeRange(from, to + 1), order)).hasSize(421);
      assertThat(walk(new TimeRange(from + 1, to), order)).hasSize(419);
      assertThat(walk(new TimeRange(from, from), order)).isEmpty();
      assertThat(walk(new TimeRange(from, from + 1), order)).containsExactly(row(from, 210));
      assertThat(walk(new TimeRange(from + 1, from + 60_000_000), order)).isEmpty();
    }
  }

  @Seeded(runs = 10)
  void rangesAndAfterKeysCutWhereTheModelCuts(RandomGenerator random) {
    List<Row> rows = new ArrayList<>();
    int count = 1 + random.nextInt(1_500);
    for (int i = 0; i < count; i++) {
      rows.add(new Row(JUNE + random.nextInt(2_000), random.nextInt(3), i));
    }
    put(rows.toArray(Row[]::new));
    List<Row> stored = latestOfEach(rows);
    for (int i = 0; i < 200; i++) {
      Order order = random.nextBoolean() ? NEWEST_FIRST : OLDEST_FIRST;
      long from = JUNE - 10 + random.nextInt(2_020);
      TimeRange range = new TimeRange(from, from + random.nextInt(2_000));
      ClusteringKey after =
          new ClusteringKey(JUNE - 10 + random.nextInt(2_020), random.nextInt(5) - 1);
      Optional<ClusteringKey> resume = random.nextBoolean() ? Optional.of(after) : Optional.empty();
      int wanted = 1 + random.nextInt(100);
      List<Row> expected =
          sorted(stored, order).stream()
              .filter(row -> range.contains(row.timestampMicros()))
              .filter(row -> resume.isEmpty() || isAfter(row, after, order))
              .limit(wanted)
              .toList();
      assertThat(walk(new Scan(range, order, resume, wanted))).isEqualTo(expected);
    }
  }

  /** C049, C051: pages of any size pass every row once, also inside one microsecond. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 7, 40, 599})
  void pagesResumeStrictlyAfterTheirLastKey(int pageSize) {
    List<Row> rows = new ArrayList<>();
    for (int group = 0; group < 100; group++) {
      for (int sequence = 0; sequence < 6; sequence++) {
        rows.add(new Row(JUNE + group, sequence, group * 6 + sequence));
      }
    }
    put(rows.toArray(Row[]::new));
    for (Order order : Order.values()) {
      List<Row> paged = new ArrayList<>();
      Optional<ClusteringKey> after = Optional.empty();
      List<Row> page = walk(new Scan(TimeRange.ALL, order, after, pageSize));
      while (!page.isEmpty()) {
        paged.addAll(page);
        after = Optional.of(page.get(page.size() - 1).key());
        page = walk(new Scan(TimeRange.ALL, order, after, pageSize));
      }
      assertThat(paged).isEqualTo(sorted(rows, order));
    }
  }

  @Test
  void sequencesOfOneInstantOrderAsSignedNumbers() {
    long[] sequences = {0, Long.MAX_VALUE, -1, 1, Long.MIN_VALUE, 255, 256};
    List<Row> rows = new ArrayList<>();
    for (long sequence : sequences) {
      rows.add(new Row(JUNE, sequence, sequence));
    }
    put(rows.toArray(Row[]::new));
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).isEqualTo(sorted(rows, NEWEST_FIRST));
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST)).isEqualTo(sorted(rows, OLDEST_FIRST));
  }

  /** C021, C029: times before 1970 and at 0 are times like others, and the sensor is not stuck. */
  @Test
  void timesAtTheEdgesAreKept() {
    long[] times = {
      -1, -2, 0, 1, 2, UtcDay.MIN_TIMESTAMP_MICROS, UtcDay.END_TIMESTAMP_MICROS - 1, JUNE, -JUNE
    };
    List<Row> rows = new ArrayList<>();
    for (long time : times) {
      rows.add(row(time, time));
      put(row(time, time));
    }
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).isEqualTo(sorted(rows, NEWEST_FIRST));
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST)).isEqualTo(sorted(rows, OLDEST_FIRST));
    TimeRange widest = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(walk(widest, NEWEST_FIRST)).isEqualTo(sorted(rows, NEWEST_FIRST));
    assertThat(walk(new TimeRange(-1, 1), NEWEST_FIRST)).containsExactly(row(0, 0), row(-1, -1));
  }

  /** C027: a large upper bound hides nothing. */
  @ParameterizedTest
  @ValueSource(longs = {2_000_000_000_000_000L, 100_000_000_000_000_000L, Long.MAX_VALUE})
  void largeUpperBoundsHideNoRow(long to) {
    put(row(10, 1), row(11, 2), row(JUNE, 3));
    assertThat(walk(new TimeRange(0, to), NEWEST_FIRST)).hasSize(3);
  }

  /** C091: −0.0, NaN payloads and infinities read back to the same bits. */
  @Test
  void everyKindOfDoubleKeepsItsBits() {
    long[] bits = {
      0L,
      Long.MIN_VALUE,
      1L,
      0x000fffffffffffffL,
      0x7fefffffffffffffL,
      0x7ff0000000000000L,
      0xfff0000000000000L,
      0x7ff8000000000000L,
      0x7ff0000000000001L,
      0xffffffffffffffffL,
      0x7ff8dead0000beefL,
      Double.doubleToRawLongBits(21.5)
    };
    for (int i = 0; i < bits.length; i++) {
      put(row(JUNE + i, Double.longBitsToDouble(bits[i])));
    }
    assertThat(
            walk(TimeRange.ALL, OLDEST_FIRST).stream()
                .mapToLong(row -> Double.doubleToRawLongBits(row.value()))
                .toArray())
        .containsExactly(bits);
  }

  /** C081: of many values under one key the last applied stays, whatever happens in between. */
  @Test
  void lastWriteOfAKeyWins() {
    put(row(JUNE - 1, -1), row(JUNE + 1, -1));
    for (int value = 1; value <= 1_000; value++) {
      put(row(JUNE, value));
      if (value % 250 == 0) {
        store.reopen();
      }
    }
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST))
        .containsExactly(row(JUNE - 1, -1), row(JUNE, 1_000), row(JUNE + 1, -1));
  }

  @Test
  void lastOfOneRecordWinsToo() {
    put(row(JUNE, 1), row(JUNE, 2), row(JUNE, 3));
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).containsExactly(row(JUNE, 3));
  }

  /** C085, C057: a late row stands where it belongs, at once. */
  @Seeded(runs = 10)
  void lateRowsStandWhereTheyBelong(RandomGenerator random) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      boolean late = random.nextInt(5) == 0;
      long time = JUNE + (late ? random.nextInt(i * 1_000 + 1) : i * 1_000L);
      Row row = new Row(time, random.nextInt(2), i);
      rows.add(row);
      put(row);
      if (late) {
        assertThat(walk(new TimeRange(time, time + 1), NEWEST_FIRST)).contains(row);
      }
    }
    List<Row> stored = latestOfEach(rows);
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).isEqualTo(sorted(stored, NEWEST_FIRST));
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST)).isEqualTo(sorted(stored, OLDEST_FIRST));
  }

  /** Arrival orders that hit a block's ends, its middle, and every split in turn. */
  @ParameterizedTest
  @ValueSource(strings = {"ascending", "descending", "outside in", "inside out", "strided"})
  void arrivalOrderDoesNotShow(String arrival) {
    int count = 20_000;
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long place =
          switch (arrival) {
            case "ascending" -> i;
            case "descending" -> count - i;
            case "outside in" -> i % 2 == 0 ? i : 2L * count - i;
            case "inside out" -> i % 2 == 0 ? count + i : count - i;
            default -> i * 7_919L % count;
          };
      rows.add(row(JUNE + place * 1_000, i));
    }
    for (int i = 0; i < count; i += 500) {
      put(rows.subList(i, i + 500).toArray(Row[]::new));
    }
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).isEqualTo(sorted(rows, NEWEST_FIRST));
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST)).isEqualTo(sorted(rows, OLDEST_FIRST));
    store.reopen();
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).isEqualTo(sorted(rows, NEWEST_FIRST));
  }

  /** C087: history that is sent again, shuffled, changes nothing. */
  @Test
  void rowsSentAgainChangeNothing() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      rows.add(row(JUNE + i * 10_000_000L, i * 0.1));
    }
    put(rows.toArray(Row[]::new));
    List<Row> again = new ArrayList<>(rows);
    Collections.shuffle(again, new Random(1));
    again.forEach(this::put);
    assertThat(walk(TimeRange.ALL, OLDEST_FIRST)).isEqualTo(rows);
    assertThat(store.reader().totals().duplicates()).isEqualTo(5_000);
    assertThat(store.reader().totals().stored()).isEqualTo(5_000);
  }

  /** C075, C079: order and range hold across the seams of days. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void orderHoldsOverManyDays(Order order) {
    List<Row> rows = new ArrayList<>();
    for (int hour = 0; hour < 240; hour++) {
      rows.add(row(JUNE + hour * 3_600_000_000L, hour));
    }
    put(rows.toArray(Row[]::new));
    assertThat(walk(TimeRange.ALL, order)).isEqualTo(sorted(rows, order));
    TimeRange night = new TimeRange(JUNE + 20 * 3_600_000_000L, JUNE + 30 * 3_600_000_000L);
    assertThat(walk(night, order)).isEqualTo(sorted(rows.subList(20, 30), order));
  }

  /** C023: a bulk load over decades in random order. */
  @Test
  void oldAndNewDatesMix() {
    List<Row> rows = new ArrayList<>();
    for (int month = 0; month < 1_000; month++) {
      rows.add(row(LocalDate.of(1960, 1, 1).plusMonths(month).toEpochDay() * UtcDay.MICROS, month));
    }
    Collections.shuffle(rows, new Random(2));
    rows.forEach(this::put);
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).isEqualTo(sorted(rows, NEWEST_FIRST));
    for (Row row : rows) {
      long start = UtcDay.startMicros(UtcDay.of(row.timestampMicros()));
      assertThat(walk(new TimeRange(start, start + UtcDay.MICROS), NEWEST_FIRST))
          .containsExactly(row);
    }
  }

  /** C121, C123: ids that look alike or are as long as can be keep their rows apart. */
  @Test
  void rowsOfOneSensorNeverShowInAnother() {
    List<SensorId> sensors = new ArrayList<>();
    for (String name : List.of("a", "aa", "A", "a ", " a", "a.", "a/../b", "é", "e\u0301", "🌡")) {
      sensors.add(SensorId.of(name));
    }
    sensors.add(SensorId.of("x".repeat(256)));
    sensors.add(SensorId.of("x".repeat(255) + "y"));
    sensors.add(SensorId.of("x".repeat(255)));
    for (int i = 0; i < 2_000; i++) {
      sensors.add(SensorId.of("sensor-" + i));
    }
    for (int i = 0; i < sensors.size(); i++) {
      put(sensors.get(i), row(JUNE, i), row(JUNE + UtcDay.MICROS, -i));
    }
    for (int i = 0; i < sensors.size(); i++) {
      assertThat(walk(sensors.get(i), TimeRange.ALL, OLDEST_FIRST))
          .containsExactly(row(JUNE, i), row(JUNE + UtcDay.MICROS, -i));
    }
    assertThat(walk(SensorId.of("b"), TimeRange.ALL, OLDEST_FIRST)).isEmpty();
  }

  @Test
  void latestRowsDecodeNoOthers() {
    for (int i = 0; i < 10_000; i++) {
      put(row(JUNE + i * 1_000_000L, i));
    }
    for (int wanted : new int[] {1, 20, 100}) {
      ReadStats stats = new ReadStats();
      Scan latest = new Scan(TimeRange.ALL, NEWEST_FIRST, Optional.empty(), wanted);
      assertThat(walk(latest, stats)).hasSize(wanted);
      assertThat(stats.rowsDecoded).isEqualTo(wanted);
      assertThat(stats.shards).isEqualTo(1);
      assertThat(stats.blocks).isPositive();
    }
  }

  /** Keeps, of rows in order of arrival, the last of each key. */
  static List<Row> latestOfEach(List<Row> rows) {
    Map<ClusteringKey, Row> latest = new LinkedHashMap<>();
    rows.forEach(row -> latest.put(row.key(), row));
    return List.copyOf(latest.values());
  }

  private static boolean isAfter(Row row, ClusteringKey key, Order order) {
    return order.compare(
            row.timestampMicros(), row.sequence(), key.timestampMicros(), key.sequence())
        > 0;
  }
}
