package io.varve.query.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.query.TestNode;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.placement.ShardCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows to buckets, and the rules for odd values. */
class DownsamplerTest {
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final long MINUTE = 60_000_000L;
  private static final long DAY = 1_440 * MINUTE;
  private static final long START = TestNode.micros("2024-06-01T00:00:00Z");

  private final InMemoryPartition store = new InMemoryPartition(0);
  private final List<PartitionReader> stores = List.of(store);
  private long offset;

  /** A bucket as it was shown. */
  private record Shown(long start, long count, Map<Aggregate, Double> values) {
    double get(Aggregate aggregate) {
      return values.getOrDefault(aggregate, Double.NaN);
    }
  }

  private void put(long micros, double value) {
    put(0, micros, value);
  }

  private void put(int shard, long micros, double value) {
    store.put(SENSOR, shard, new Row(micros, 0, value), offset++);
  }

  private List<Shown> buckets(long step, TimeRange range, Order order) {
    List<Shown> shown = new ArrayList<>();
    try (RowCursor rows = walk(range, order)) {
      Downsampler.Page page =
          new Downsampler(step, EnumSet.allOf(Aggregate.class), order)
              .read(rows, 10_000, forever(), (start, bucket) -> shown.add(copy(start, bucket)));
      assertThat(page.stopReason()).isEqualTo(StopReason.EXHAUSTED);
    }
    store.assertNoOpenCursors();
    return shown;
  }

  private RowWalk walk(TimeRange range, Order order) {
    return new RowWalk(
        new ServingStores(stores, ShardCounts.ONE),
        SENSOR,
        range,
        order,
        Optional.empty(),
        100,
        new ReadFacts(stores));
  }

  private List<Shown> buckets(long step) {
    return buckets(step, TimeRange.ALL, Order.OLDEST_FIRST);
  }

  private static Shown copy(long start, Bucket bucket) {
    Map<Aggregate, Double> values = new EnumMap<>(Aggregate.class);
    for (Aggregate aggregate : Aggregate.values()) {
      values.put(aggregate, bucket.value(aggregate));
    }
    return new Shown(start, bucket.count(), values);
  }

  private static Deadline forever() {
    return Deadline.after(Duration.ofMinutes(1), () -> 0);
  }

  @Test
  void bucketsAreLabelledByTheirStartAndEmptyOnesAreLeftOut() {
    put(START + MINUTE, 1);
    put(START + 4 * MINUTE, 3);
    put(START + 17 * MINUTE, 9);
    List<Shown> shown = buckets(5 * MINUTE);
    assertThat(shown).extracting(Shown::start).containsExactly(START, START + 15 * MINUTE);
    assertThat(shown.get(0).get(Aggregate.AVG)).isEqualTo(2);
    assertThat(shown.get(0).get(Aggregate.FIRST)).isEqualTo(1);
    assertThat(shown.get(0).get(Aggregate.LAST)).isEqualTo(3);
  }

  @Test
  void bothOrdersGiveTheSameBuckets() {
    for (int i = 0; i < 500; i++) {
      put(START + i * 17_000_000L, Math.sin(i) * Math.pow(10, i % 20));
    }
    List<Shown> newestFirst = buckets(10 * MINUTE, TimeRange.ALL, Order.NEWEST_FIRST);
    List<Shown> oldestFirst = new ArrayList<>(buckets(10 * MINUTE));
    java.util.Collections.reverse(oldestFirst);
    assertThat(newestFirst).isEqualTo(oldestFirst);
  }

  /** C093: NaN rows are skipped by all aggregates alike. */
  @Test
  void oneNanDoesNotPoisonTheBucket() {
    for (int i = 0; i < 999; i++) {
      put(START + i, 1);
    }
    put(START + 999, Double.NaN);
    Shown shown = buckets(MINUTE).get(0);
    assertThat(shown.count()).isEqualTo(999);
    assertThat(shown.get(Aggregate.SUM)).isEqualTo(999);
    assertThat(shown.get(Aggregate.AVG)).isEqualTo(1);
    assertThat(shown.get(Aggregate.MIN)).isEqualTo(1);
    assertThat(shown.get(Aggregate.MAX)).isEqualTo(1);
    assertThat(shown.get(Aggregate.LAST)).isEqualTo(1);
  }

  @Test
  void bucketOfNothingButNanIsLeftOut() {
    put(START, Double.NaN);
    put(START + 5 * MINUTE, 2);
    assertThat(buckets(5 * MINUTE)).extracting(Shown::start).containsExactly(START + 5 * MINUTE);
  }

  /** C095: infinities of both signs give NaN in whatever order and split. */
  @Test
  void infinitiesGiveOneAnswerInEveryOrderAndSplit() {
    double[][] orders = {
      {1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1},
    };
    double[] values = {0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 5};
    for (int order = 0; order < orders.length; order++) {
      for (int i = 0; i < 3; i++) {
        put(order % 2 == 0 ? 0 : i, START + order * DAY + i, values[(int) orders[order][i]]);
      }
    }
    assertThat(buckets(DAY)).hasSize(6);
    assertThat(buckets(DAY)).allSatisfy(shown -> assertThat(shown.get(Aggregate.SUM)).isNaN());
    assertThat(buckets(DAY)).allSatisfy(shown -> assertThat(shown.get(Aggregate.AVG)).isNaN());
  }

  /** C099: the average of values whose sum is beyond the range of doubles. */
  @Test
  void averageDoesNotOverflow() {
    put(START, 1.7e308);
    put(START + 1, 1.7e308);
    Shown shown = buckets(MINUTE).get(0);
    assertThat(shown.get(Aggregate.AVG)).isEqualTo(1.7e308);
    assertThat(shown.get(Aggregate.SUM)).isEqualTo(Double.POSITIVE_INFINITY);
  }

  /** C091: −0.0 in aggregates. */
  @Test
  void negativeZeroIsLessThanZeroAndKeptByFirstAndLast() {
    put(START, -0.0);
    put(START + 1, 0.0);
    Shown shown = buckets(MINUTE).get(0);
    assertThat(bits(shown.get(Aggregate.MIN))).isEqualTo(bits(-0.0));
    assertThat(bits(shown.get(Aggregate.MAX))).isEqualTo(bits(0.0));
    assertThat(bits(shown.get(Aggregate.FIRST))).isEqualTo(bits(-0.0));
    assertThat(bits(shown.get(Aggregate.SUM))).isEqualTo(bits(0.0));
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** C101: an end on a boundary makes no further bucket. */
  @Test
  void rangeThatEndsOnABoundaryHasNoExtraBucket() {
    for (long at = 0; at <= DAY; at += MINUTE) {
      put(START + at, 1);
    }
    TimeRange day = new TimeRange(START, START + DAY);
    assertThat(buckets(15 * MINUTE, day, Order.OLDEST_FIRST)).hasSize(96);
    TimeRange longer = new TimeRange(START, START + DAY + 1_000);
    assertThat(buckets(15 * MINUTE, longer, Order.OLDEST_FIRST)).hasSize(97);
  }

  /** C105: a peak is seen in one bucket. */
  @ParameterizedTest
  @EnumSource(Order.class)
  void singlePeakAppearsInOneBucket(Order order) {
    for (int i = 0; i < 7_200; i++) {
      put(i % 4, START + i * 1_000_000L, i == 3_333 ? 9 : 1);
    }
    List<Shown> shown = buckets(MINUTE, TimeRange.ALL, order);
    assertThat(shown).hasSize(120);
    assertThat(shown).filteredOn(bucket -> bucket.get(Aggregate.MAX) == 9).hasSize(1);
  }

  /** C113: buckets of seven days count from 1970-01-01, a Thursday. */
  @Test
  void sevenDayBucketsStartOnThursdays() {
    for (int day = 0; day < 30; day++) {
      put(START + day * DAY, day);
    }
    assertThat(buckets(7 * DAY))
        .extracting(shown -> java.time.LocalDate.ofEpochDay(shown.start() / DAY).getDayOfWeek())
        .containsOnly(java.time.DayOfWeek.THURSDAY);
  }

  /** C115: a shifted bound changes only the bucket that it cuts. */
  @Test
  void shiftedBoundsGiveTheSameWholeBuckets() {
    for (long at = 0; at < 720; at++) {
      put(START + at * MINUTE, at % 7);
    }
    long end = START + 720 * MINUTE;
    List<Shown> whole = buckets(60 * MINUTE, new TimeRange(START, end), Order.OLDEST_FIRST);
    List<Shown> cut =
        buckets(60 * MINUTE, new TimeRange(START + 7 * MINUTE, end), Order.OLDEST_FIRST);
    assertThat(cut.subList(1, 12)).isEqualTo(whole.subList(1, 12));
    assertThat(cut.get(0).count()).isEqualTo(53);
  }

  @Test
  void bucketsBefore1970AreAlignedDownwards() {
    put(-1, 1);
    assertThat(buckets(MINUTE)).extracting(Shown::start).containsExactly(-MINUTE);
  }

  @Test
  void unfinishedBucketIsNotShownWhenTimeIsUp() {
    for (int i = 0; i < 3_000; i++) {
      put(START + i * 1_000L, i);
    }
    long[] clock = {0};
    Deadline deadline = Deadline.after(Duration.ofNanos(1), () -> clock[0]);
    try (RowCursor rows = walk(TimeRange.ALL, Order.OLDEST_FIRST)) {
      List<Long> starts = new ArrayList<>();
      Downsampler.Page page =
          new Downsampler(1_000_000, EnumSet.of(Aggregate.AVG), Order.OLDEST_FIRST)
              .read(
                  rows,
                  100,
                  deadline,
                  (start, bucket) -> {
                    starts.add(start);
                    clock[0] = 1;
                  });
      assertThat(page.stopReason()).isEqualTo(StopReason.DEADLINE);
      assertThat(starts).containsExactly(START);
      assertThat(page.last()).hasValue(START);
    }
  }

  @Test
  void timeThatIsUpBeforeTheFirstBucketIsAnError() {
    for (int i = 0; i < 3_000; i++) {
      put(START + i, i);
    }
    Deadline passed = Deadline.after(Duration.ZERO, () -> 0);
    try (RowCursor rows = walk(TimeRange.ALL, Order.OLDEST_FIRST)) {
      Downsampler sampler = new Downsampler(DAY, EnumSet.of(Aggregate.AVG), Order.OLDEST_FIRST);
      assertThatThrownBy(() -> sampler.read(rows, 100, passed, (start, bucket) -> {}))
          .isInstanceOf(DeadlineExceededException.class);
    }
  }
}
