package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowRateTest {
  private static final long SECOND = 1_000_000_000L;

  private static final long BACKLOG = 5_000;

  @Test
  void bestSecondIsKept() {
    RowRate rate = new RowRate();
    rate.sample(0, 0, BACKLOG);
    rate.sample(SECOND, 100, BACKLOG);
    rate.sample(3 * SECOND, 1_100, BACKLOG);
    rate.sample(4 * SECOND, 1_100, 0);
    assertThat(rate.best()).isEqualTo(500);
    assertThat(rate.current()).isZero();
  }

  @Test
  void samplesWithinASecondDoNotMakeARate() {
    RowRate rate = new RowRate();
    rate.sample(0, 0, BACKLOG);
    rate.sample(SECOND / 1000, 50, BACKLOG);
    assertThat(rate.best()).isZero();
    rate.sample(SECOND, 100, BACKLOG);
    assertThat(rate.best()).isEqualTo(100);
  }

  @Test
  void secondThatRowsCameInSlowlyIsNoMeasureOfWhatTheNodeCanDo() {
    RowRate rate = new RowRate();
    rate.sample(0, 0, 0);
    rate.sample(SECOND, 250, 3);
    rate.sample(2 * SECOND, 500, BACKLOG);
    rate.sample(3 * SECOND, 900, 0);
    assertThat(rate.best()).isZero();
    assertThat(rate.current()).isEqualTo(400);
  }

  @Test
  void storeThatMovesAwayIsNoNegativeRate() {
    RowRate rate = new RowRate();
    rate.sample(0, 1000, BACKLOG);
    rate.sample(SECOND, 10, BACKLOG);
    assertThat(rate.current()).isZero();
  }
}
