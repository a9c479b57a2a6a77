package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TimeRangeTest {
  /** C071. */
  @Test
  void startIsInsideAndEndIsNot() {
    TimeRange range = new TimeRange(10, 20);
    assertThat(range.contains(9)).isFalse();
    assertThat(range.contains(10)).isTrue();
    assertThat(range.contains(19)).isTrue();
    assertThat(range.contains(20)).isFalse();
  }

  /** C069: equal bounds hold nothing; one microsecond more holds the instant. */
  @Test
  void equalBoundsAreEmpty() {
    assertThat(new TimeRange(5, 5).contains(5)).isFalse();
    assertThat(new TimeRange(5, 5).touches(0)).isFalse();
    assertThat(new TimeRange(5, 6).contains(5)).isTrue();
  }

  @Test
  void endBeforeStartIsRefused() {
    assertThatThrownBy(() -> new TimeRange(6, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from=6 to=5");
  }

  @Test
  void daysTouchedAreThoseWithAnInstantInside() {
    TimeRange oneDay = new TimeRange(0, UtcDay.MICROS);
    assertThat(oneDay.touches(-1)).isFalse();
    assertThat(oneDay.touches(0)).isTrue();
    assertThat(oneDay.touches(1)).isFalse();
    TimeRange seam = new TimeRange(-1, 1);
    assertThat(seam.touches(-2)).isFalse();
    assertThat(seam.touches(-1)).isTrue();
    assertThat(seam.touches(0)).isTrue();
    assertThat(seam.touches(1)).isFalse();
  }

  /** C025, C027: bounds at the ends of the type neither overflow nor hide a day. */
  @Test
  void widestBoundsTouchEveryDay() {
    TimeRange widest = new TimeRange(Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(widest.touches(0)).isTrue();
    assertThat(widest.touches(UtcDay.of(UtcDay.MIN_TIMESTAMP_MICROS))).isTrue();
    assertThat(widest.touches(UtcDay.of(Long.MAX_VALUE - 1))).isTrue();
    assertThat(widest.touches(UtcDay.of(Long.MIN_VALUE))).isTrue();
    assertThat(new TimeRange(Long.MIN_VALUE, Long.MIN_VALUE).touches(0)).isFalse();
  }

  @Test
  void allHoldsEveryInstantThatARowMayCarry() {
    assertThat(TimeRange.ALL.contains(UtcDay.MIN_TIMESTAMP_MICROS)).isTrue();
    assertThat(TimeRange.ALL.contains(UtcDay.END_TIMESTAMP_MICROS - 1)).isTrue();
    assertThat(TimeRange.ALL.contains(UtcDay.END_TIMESTAMP_MICROS)).isFalse();
  }
}
