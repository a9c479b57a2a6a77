package io.varve.storage;

import static io.varve.storage.Order.NEWEST_FIRST;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a store knows of its days, shards and sensors, and what expiry leaves of them. */
public abstract class IndexContract extends PartitionContract {
  private static final byte[] ALL = new byte[0];

  @Test
  void emptyStoreKnowsNothing() {
    PartitionReader reader = store.reader();
    assertThat(reader.state()).isEqualTo(StoreState.SERVING);
    assertThat(reader.fragments(PUMP, TimeRange.ALL)).isEmpty();
    assertThat(reader.newest(PUMP)).isEmpty();
    assertThat(reader.sensor(PUMP)).isEmpty();
    assertThat(reader.sensors(ALL, Optional.empty(), 10)).isEmpty();
    assertThat(reader.freshness().appliedOffset()).isEmpty();
    assertThat(reader.freshness().eventTimeMicros()).isEmpty();
    assertThat(reader.totals().stored()).isZero();
    assertThat(reader.totals().segments()).isZero();
  }

  @Test
  void fragmentsAreTheNonEmptyDaysNewestFirst() {
    put(day(0, 1), day(0, 2), day(-400, 1), day(3, 1));
    assertThat(store.reader().fragments(PUMP, TimeRange.ALL))
        .containsExactly(
            new Fragment(JUNE_DAY + 3, 0, 1),
            new Fragment(JUNE_DAY, 0, 2),
            new Fragment(JUNE_DAY - 400, 0, 1));
    TimeRange untilTheThird = new TimeRange(JUNE, JUNE + 3 * UtcDay.MICROS);
    assertThat(store.reader().fragments(PUMP, untilTheThird))
        .containsExactly(new Fragment(JUNE_DAY, 0, 2));
    assertThat(store.reader().fragments(PUMP, new TimeRange(JUNE, JUNE))).isEmpty();
    assertThat(store.reader().fragments(SensorId.of("other"), TimeRange.ALL)).isEmpty();
  }

  /** C055: the same question gets the same answer, also where shards tie. */
  @Test
  void shardsOfADayAreFragmentsOfTheirOwnInOneOrder() {
    for (int shard = 7; shard >= 0; shard--) {
      store.apply(PUMP, shard, List.of(day(0, shard), day(1, shard)));
    }
    List<Fragment> first = store.reader().fragments(PUMP, TimeRange.ALL);
    assertThat(first.stream().map(Fragment::day))
        .isSortedAccordingTo(Collections.reverseOrder())
        .hasSize(16);
    assertThat(first.stream().map(Fragment::shard).distinct())
        .containsExactly(7, 6, 5, 4, 3, 2, 1, 0);
    for (int i = 0; i < 200; i++) {
      assertThat(store.reader().fragments(PUMP, TimeRange.ALL)).isEqualTo(first);
    }
    for (Fragment fragment : first) {
      Scan scan = new Scan(TimeRange.ALL, NEWEST_FIRST, Optional.empty(), 10);
      assertThat(walk(store.reader(), PUMP, fragment, scan, new ReadStats()))
          .containsExactly(day(fragment.day() - JUNE_DAY, fragment.shard()));
    }
    assertThat(store.reader().newest(PUMP))
        .hasSize(8)
        .isEqualTo(first.subList(0, 8))
        .allMatch(fragment -> fragment.day() == JUNE_DAY + 1);
  }

  @Test
  void newestRowOfAKeyInTwoShardsIsThatOfTheHigherShard() {
    store.apply(PUMP, 5, List.of(new Row(JUNE, 0, 5)));
    store.apply(PUMP, 2, List.of(new Row(JUNE, 0, 2)));
    NewestRows rows = store.reader().newestRows();
    rows.find(List.of(PUMP));
    assertThat(rows.read(1, new ReadStats())).isEqualTo(1);
    assertThat(rowOf(rows, 0)).isEqualTo(new Row(JUNE, 0, 5));
  }

  @Test
  void newestIsTheLastDayWithRows() {
    put(day(5, 1));
    put(day(2, 1), day(-7, 1));
    assertThat(store.reader().newest(PUMP)).containsExactly(new Fragment(JUNE_DAY + 5, 0, 1));
  }

  @Test
  void newestRowsOfABatchAreTheNewestOverTheShardsOfTheNewestDay() {
    SensorId other = SensorId.of("other");
    SensorId unknown = SensorId.of("unknown");
    put(day(5, 1), day(4, 9));
    Row newest = day(5, 3);
    store.apply(PUMP, 2, List.of(newest));
    store.apply(PUMP, 1, List.of(day(5, 2)));
    put(other, day(-3, 1));
    NewestRows rows = store.reader().newestRows();
    rows.find(List.of(unknown, PUMP, other, PUMP));
    assertThat(rows.day(0)).isEqualTo(NewestRows.NO_DAY);
    assertThat(rows.day(1)).isEqualTo(JUNE_DAY + 5);
    assertThat(rows.day(2)).isEqualTo(JUNE_DAY - 3);
    ReadStats stats = new ReadStats();
    assertThat(rows.read(0b1110, stats)).isEqualTo(0b1110);
    assertThat(rowOf(rows, 1)).isEqualTo(newest);
    assertThat(rowOf(rows, 2)).isEqualTo(day(-3, 1));
    assertThat(rowOf(rows, 3)).isEqualTo(newest);
    assertThat(stats.shards).isEqualTo(7);
    assertThat(stats.blocks).isEqualTo(7);
    assertThat(stats.rowsDecoded).isEqualTo(7);
  }

  @Test
  void newestRowsAreReadOnlyWhereAskedFor() {
    put(SensorId.of("a"), day(0, 1));
    put(SensorId.of("b"), day(1, 1));
    NewestRows rows = store.reader().newestRows();
    rows.find(List.of(SensorId.of("a"), SensorId.of("b")));
    ReadStats stats = new ReadStats();
    assertThat(rows.read(0b10, stats)).isEqualTo(0b10);
    assertThat(rowOf(rows, 1)).isEqualTo(day(1, 1));
    assertThat(rows.read(0, stats)).isZero();
    assertThat(stats.rowsDecoded).isEqualTo(1);
  }

  /** Batches that do not begin where the one before them did. */
  @Test
  void newestRowsAreThoseOfTheLastBatch() {
    put(SensorId.of("a"), day(0, 1));
    put(SensorId.of("b"), day(1, 1));
    NewestRows rows = store.reader().newestRows();
    rows.find(List.of(SensorId.of("a"), SensorId.of("b")));
    assertThat(rows.read(0b11, new ReadStats())).isEqualTo(0b11);
    rows.find(List.of(SensorId.of("b")));
    assertThat(rows.day(0)).isEqualTo(JUNE_DAY + 1);
    assertThat(rows.read(1, new ReadStats())).isEqualTo(1);
    assertThat(rowOf(rows, 0)).isEqualTo(day(1, 1));
    rows.find(List.of(SensorId.of("nobody")));
    assertThat(rows.day(0)).isEqualTo(NewestRows.NO_DAY);
  }

  @Test
  void newestRowOfADayThatExpiredSinceIsNone() {
    put(day(0, 1));
    put(SensorId.of("other"), day(9, 1));
    NewestRows rows = store.reader().newestRows();
    rows.find(List.of(PUMP, SensorId.of("other")));
    store.expire(JUNE_DAY + 5);
    assertThat(rows.read(0b11, new ReadStats())).isEqualTo(0b10);
    assertThat(rowOf(rows, 1)).isEqualTo(day(9, 1));
  }

  private static Row rowOf(NewestRows rows, int sensor) {
    return new Row(rows.timestampMicros(sensor), rows.sequence(sensor), rows.value(sensor));
  }

  @Test
  void summarySpansAllDays() {
    put(day(5, 1), day(5, 2), day(-3, 1));
    put(day(5, 2));
    assertThat(store.reader().sensor(PUMP))
        .contains(new SensorSummary(PUMP, JUNE_DAY - 3, JUNE_DAY + 5, 3, day(5, 2)));
    store.reopen();
    assertThat(store.reader().sensor(PUMP))
        .contains(new SensorSummary(PUMP, JUNE_DAY - 3, JUNE_DAY + 5, 3, day(5, 2)));
  }

  @Test
  void lastRowOfASummaryIsTheNewestOverShards() {
    Row newest = new Row(JUNE + 10, 5, 1);
    store.apply(PUMP, 0, List.of(new Row(JUNE + 10, 4, 0)));
    store.apply(PUMP, 1, List.of(newest));
    store.apply(PUMP, 2, List.of(new Row(JUNE + 9, 6, 0)));
    assertThat(store.reader().sensor(PUMP))
        .contains(new SensorSummary(PUMP, JUNE_DAY, JUNE_DAY, 3, newest));
  }

  @Test
  void correctedLastRowShowsInTheSummary() {
    put(day(0, 1));
    put(new Row(day(0, 1).timestampMicros(), 0, Double.NaN));
    Row last = store.reader().sensor(PUMP).orElseThrow().last();
    assertThat(Double.isNaN(last.value())).isTrue();
  }

  @Test
  void sensorsPageInBytewiseOrder() {
    List<SensorId> ids = new ArrayList<>();
    for (String name : List.of("z", "a", "aa", "a/b", "a b", "Z", "é", "\uff5e", "🌡")) {
      ids.add(SensorId.of(name));
    }
    for (int i = 0; i < 300; i++) {
      ids.add(SensorId.of("fleet/" + i));
    }
    Collections.shuffle(ids, new Random(3));
    for (SensorId id : ids) {
      put(id, day(ids.indexOf(id) % 3, 1));
    }
    Collections.sort(ids);
    assertThat(names(ALL, Optional.empty(), 1_000)).isEqualTo(ids);
    for (int limit : new int[] {1, 7, 100}) {
      List<SensorId> paged = new ArrayList<>();
      List<SensorId> page = names(ALL, Optional.empty(), limit);
      while (!page.isEmpty()) {
        assertThat(page).hasSizeLessThanOrEqualTo(limit);
        paged.addAll(page);
        page = names(ALL, Optional.of(page.get(page.size() - 1)), limit);
      }
      assertThat(paged).isEqualTo(ids);
    }
  }

  @Test
  void sensorsAreFoundByPrefixOfBytes() {
    for (String name : List.of("a", "ab", "ab/1", "ab/2", "ac", "b", "é", "ê")) {
      put(SensorId.of(name), day(0, 1));
    }
    assertThat(names("ab".getBytes(UTF_8), Optional.empty(), 10))
        .containsExactly(SensorId.of("ab"), SensorId.of("ab/1"), SensorId.of("ab/2"));
    assertThat(names("ab".getBytes(UTF_8), Optional.of(SensorId.of("ab/1")), 10))
        .containsExactly(SensorId.of("ab/2"));
    assertThat(names("ab".getBytes(UTF_8), Optional.of(SensorId.of("a")), 2))
        .containsExactly(SensorId.of("ab"), SensorId.of("ab/1"));
    assertThat(names("ab".getBytes(UTF_8), Optional.of(SensorId.of("b")), 10)).isEmpty();
    assertThat(names(new byte[] {(byte) 0xc3}, Optional.empty(), 10))
        .containsExactly(SensorId.of("é"), SensorId.of("ê"));
    assertThat(names("zz".getBytes(UTF_8), Optional.empty(), 10)).isEmpty();
  }

  @Test
  void totalsCountEachRowOnce() {
    put(day(0, 1), day(0, 2), day(1, 1));
    put(day(0, 1));
    put(new Row(day(0, 2).timestampMicros(), 0, -5));
    StoreTotals totals = store.reader().totals();
    assertThat(totals.stored()).isEqualTo(3);
    assertThat(totals.duplicates()).isEqualTo(1);
    assertThat(totals.overwritten()).isEqualTo(1);
    assertThat(totals.segments()).isEqualTo(2);
    assertThat(totals.bytes()).isPositive();
    store.reopen();
    assertThat(store.reader().totals().stored()).isEqualTo(3);
    assertThat(store.reader().totals().segments()).isEqualTo(2);
  }

  @Test
  void anotherNaNPayloadIsACorrectionAndTheSameOneIsNot() {
    double quiet = Double.longBitsToDouble(0x7ff8000000000001L);
    double other = Double.longBitsToDouble(0x7ff8000000000002L);
    put(row(JUNE, quiet));
    put(row(JUNE, quiet));
    put(row(JUNE, other));
    assertThat(store.reader().totals().duplicates()).isEqualTo(1);
    assertThat(store.reader().totals().overwritten()).isEqualTo(1);
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).containsExactly(row(JUNE, other));
  }

  @Test
  void freshnessIsTheNewestOffsetAndTheNewestTime() {
    put(day(5, 1));
    put(day(-5, 1));
    Freshness freshness = store.reader().freshness();
    assertThat(freshness.topicPartition()).isEqualTo(store.reader().topicPartition());
    assertThat(freshness.appliedOffset()).hasValue(1);
    assertThat(freshness.eventTimeMicros()).hasValue(day(5, 1).timestampMicros());
  }

  /** C045: what expired is gone from walks, from the index and from the sensors. */
  @Test
  void expiryDropsWholeDays() {
    SensorId gone = SensorId.of("gone");
    put(gone, day(0, 1), day(1, 1));
    put(day(0, 1), day(1, 1), day(2, 1), day(2, 2));
    store.expire(JUNE_DAY + 2);
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).containsExactly(day(2, 2), day(2, 1));
    assertThat(store.reader().sensor(gone)).isEmpty();
    assertThat(names(ALL, Optional.empty(), 10)).containsExactly(PUMP);
    assertThat(store.reader().sensor(PUMP).orElseThrow().firstDay()).isEqualTo(JUNE_DAY + 2);
    StoreTotals totals = store.reader().totals();
    assertThat(totals.stored()).isEqualTo(2);
    assertThat(totals.expired()).isEqualTo(4);
    assertThat(totals.segments()).isEqualTo(1);
  }

  /** C043: what has expired on arrival is never seen, and is counted. */
  @Test
  void rowsBelowTheFloorAreCountedAndNotStored() {
    put(day(0, 1));
    store.expire(JUNE_DAY);
    put(day(-1, 1));
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).containsExactly(day(0, 1));
    assertThat(store.reader().totals().expiredOnArrival()).isEqualTo(1);
  }

  /** C083: a clock that goes back revives nothing. */
  @Test
  void floorOnlyRisesAndOutlivesAReopening() {
    put(day(0, 1));
    store.expire(JUNE_DAY);
    store.expire(JUNE_DAY - 10);
    put(day(-1, 1));
    store.reopen();
    put(day(-2, 1));
    assertThat(walk(TimeRange.ALL, NEWEST_FIRST)).containsExactly(day(0, 1));
  }

  @Test
  void fragmentThatExpiredAfterItWasListedIsAnEmptyWalk() {
    put(day(0, 1), day(1, 1));
    Fragment listed = store.reader().fragments(PUMP, TimeRange.ALL).get(1);
    store.expire(JUNE_DAY + 1);
    Scan scan = new Scan(TimeRange.ALL, NEWEST_FIRST, Optional.empty(), 10);
    assertThat(walk(store.reader(), PUMP, listed, scan, new ReadStats())).isEmpty();
    assertThat(walk(store.reader(), PUMP, new Fragment(-40_000, 3, 1), scan, new ReadStats()))
        .isEmpty();
  }

  @Test
  void reopenedStoreKnowsWhatItKnew() {
    for (int i = 0; i < 50; i++) {
      put(SensorId.of("s" + i), day(i % 7, i), day(i % 5, i + 1));
    }
    List<SensorSummary> before = store.reader().sensors(ALL, Optional.empty(), 100);
    store.reopen();
    assertThat(store.reader().sensors(ALL, Optional.empty(), 100)).isEqualTo(before).hasSize(50);
    assertThat(store.reader().freshness().appliedOffset()).hasValue(49);
    put(SensorId.of("s0"), day(9, 1));
    assertThat(store.reader().newest(SensorId.of("s0")))
        .containsExactly(new Fragment(JUNE_DAY + 9, 0, 1));
  }

  private static Row day(int afterJune, int second) {
    return row(JUNE + afterJune * UtcDay.MICROS + second * 1_000_000L, second);
  }

  private List<SensorId> names(byte[] prefix, Optional<SensorId> after, int limit) {
    return store.reader().sensors(prefix, after, limit).stream()
        .map(SensorSummary::sensor)
        .toList();
  }
}
