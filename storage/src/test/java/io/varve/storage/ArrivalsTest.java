package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
  @Test
  void ratiosAreOfWhatCame() {
    Arrivals arrivals = new Arrivals(80, 8, 10, 10).plus(Arrivals.NONE);
    assertThat(arrivals.inOrder()).isEqualTo(72);
    assertThat(arrivals.lateRatio()).isEqualTo(0.1);
    assertThat(arrivals.overwriteRatio()).isEqualTo(0.1);
  }

  @Test
  void nothingHasNoRatio() {
    assertThat(Arrivals.NONE.lateRatio()).isZero();
    assertThat(Arrivals.NONE.overwriteRatio()).isZero();
  }

  /** A day that came again from the log counts its late rows again. */
  @Test
  void moreLateRowsThanRowsAreAllLate() {
    Arrivals arrivals = new Arrivals(5, 8, 0, 0);
    assertThat(arrivals.inOrder()).isZero();
    assertThat(arrivals.lateRatio()).isEqualTo(1);
  }
}
