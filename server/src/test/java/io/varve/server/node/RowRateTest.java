package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowRateTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void bestSecondIsKept() {
    RowRate rate = new RowRate();
    rate.sample(0, 0);
    rate.sample(SECOND, 100);
    rate.sample(3 * SECOND, 1_100);
    rate.sample(4 * SECOND, 1_100);
    assertThat(rate.best()).isEqualTo(500);
    assertThat(rate.current()).isZero();
  }

  @Test
  void samplesWithinASecondDoNotMakeARate() {
    RowRate rate = new RowRate();
    rate.sample(0, 0);
    rate.sample(SECOND / 1000, 50);
    assertThat(rate.best()).isZero();
    rate.sample(SECOND, 100);
    assertThat(rate.best()).isEqualTo(100);
  }

  @Test
  void storeThatMovesAwayIsNoNegativeRate() {
    RowRate rate = new RowRate();
    rate.sample(0, 1000);
    rate.sample(SECOND, 10);
    assertThat(rate.current()).isZero();
  }
}
