package io.varve.ingest.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ByteCapTest {
  private static final int NO_FLOOR = Integer.MIN_VALUE;

  private static SortedMap<Integer, Long> days(Map<Integer, Long> bytes) {
    return new TreeMap<>(bytes);
  }

  @Test
  void nothingLeavesWhileTheDaysFit() {
    SortedMap<Integer, Long> days = days(Map.of(10, 40L, 11, 30L, 12, 30L));
    assertThat(new ByteCap(100).floor(days, 12, NO_FLOOR)).isEqualTo(NO_FLOOR);
    assertThat(new ByteCap(100).isExceeded(days, NO_FLOOR)).isFalse();
  }

  @Test
  void oldestDaysLeaveUntilTheRestFits() {
    SortedMap<Integer, Long> days = days(Map.of(10, 40L, 11, 30L, 12, 30L, 20, 30L));
    assertThat(new ByteCap(129).floor(days, 20, NO_FLOOR)).isEqualTo(11);
    assertThat(new ByteCap(89).floor(days, 20, NO_FLOOR)).isEqualTo(12);
    assertThat(new ByteCap(30).floor(days, 20, NO_FLOOR)).isEqualTo(13);
  }

  @Test
  void theFloorRisesNoHigherThanItMust() {
    // A day between, which has no rows yet, may still get some.
    assertThat(new ByteCap(50).floor(days(Map.of(10, 40L, 20, 40L)), 20, NO_FLOOR)).isEqualTo(11);
  }

  @Test
  void theLiveDayStaysWhateverItTakes() {
    SortedMap<Integer, Long> days = days(Map.of(10, 1L, 11, 500L));
    assertThat(new ByteCap(100).floor(days, 11, NO_FLOOR)).isEqualTo(11);
    assertThat(new ByteCap(100).floor(days, 10, NO_FLOOR)).isEqualTo(NO_FLOOR);
    assertThat(new ByteCap(100).isExceeded(days, 11)).isTrue();
  }

  @Test
  void daysAheadOfTheLiveDayStayToo() {
    SortedMap<Integer, Long> days = days(Map.of(10, 60L, 11, 60L));
    assertThat(new ByteCap(100).floor(days, 10, NO_FLOOR)).isEqualTo(NO_FLOOR);
  }

  @Test
  void daysThatAreLeavingAlreadyCountNoMore() {
    SortedMap<Integer, Long> days = days(Map.of(10, 400L, 11, 50L, 12, 50L));
    assertThat(new ByteCap(100).floor(days, 12, 11)).isEqualTo(11);
    assertThat(new ByteCap(99).floor(days, 12, 11)).isEqualTo(12);
    assertThat(new ByteCap(99).isExceeded(days, 12)).isFalse();
  }

  @Test
  void theFloorNeverFalls() {
    assertThat(new ByteCap(1).floor(days(Map.of(10, 40L, 11, 40L)), 11, 30)).isEqualTo(30);
    assertThat(new ByteCap(1).floor(days(Map.of()), 11, 30)).isEqualTo(30);
  }

  @Test
  void aCapOfNothingIsRefused() {
    assertThatThrownBy(() -> new ByteCap(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
