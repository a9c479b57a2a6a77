package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceTest {
  private final Silence silence = new Silence();

  @Test
  void isOverWhenNothingCameForTheLimit() {
    assertThat(silence.over(5, 0, true, 10)).isFalse();
    assertThat(silence.over(14, 0, true, 10)).isFalse();
    assertThat(silence.over(15, 0, true, 10)).isTrue();
  }

  @Test
  void beginsAnewWithWhatever() {
    assertThat(silence.over(0, 3, true, 10)).isFalse();
    assertThat(silence.over(9, 4, true, 10)).isFalse();
    assertThat(silence.over(18, 4, true, 10)).isFalse();
    assertThat(silence.over(19, 4, true, 10)).isTrue();
  }

  @Test
  void isNoneWhileNothingIsDue() {
    assertThat(silence.over(0, 3, false, 10)).isFalse();
    assertThat(silence.over(100, 3, false, 10)).isFalse();
    assertThat(silence.over(105, 3, true, 10)).isFalse();
    assertThat(silence.over(110, 3, true, 10)).isTrue();
  }

  @Test
  void limitMayShrinkMeanwhile() {
    assertThat(silence.over(0, 0, true, 60)).isFalse();
    assertThat(silence.over(20, 0, true, 5)).isTrue();
  }
}
