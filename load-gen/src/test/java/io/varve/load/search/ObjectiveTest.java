package io.varve.load.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.measure.Summary;
import org.junit.jupiter.api.Test;

class ObjectiveTest {
  private static final long MILLI = 1_000_000;
  private static final Objective OBJECTIVE = new Objective(100 * MILLI, 5 * MILLI);

  private static Summary p99(long nanos) {
    return new Summary(100, nanos / 2, nanos / 2, nanos, nanos, nanos, nanos, nanos);
  }

  private static Objective.Figures figures(
      double reached, long visible, long latest, long schedule, long unseen, long failed) {
    return new Objective.Figures(
        10_000,
        reached,
        10_000 / reached,
        p99(visible),
        p99(latest),
        p99(schedule),
        0,
        unseen,
        failed);
  }

  @Test
  void rateThatIsFreshFastAndReachedMeetsIt() {
    assertThat(OBJECTIVE.misses(figures(9_950, 100 * MILLI, 5 * MILLI, 0, 0, 0))).isEmpty();
  }

  @Test
  void eachReasonIsNamed() {
    assertThat(OBJECTIVE.misses(figures(10_000, 101 * MILLI, MILLI, 0, 0, 0)))
        .containsExactly("produce-to-visible p99 101 ms is above 100 ms");
    assertThat(OBJECTIVE.misses(figures(10_000, MILLI, 6 * MILLI, 0, 0, 0)))
        .containsExactly("query-latest p99 6.0 ms is above 5.0 ms");
    assertThat(OBJECTIVE.misses(figures(7_000, MILLI, MILLI, 0, 0, 0)))
        .containsExactly("the rate was not reached: 7,000/s");
    assertThat(OBJECTIVE.misses(figures(10_000, MILLI, MILLI, 0, 2, 0)))
        .containsExactly("2 markers never became visible");
    assertThat(OBJECTIVE.misses(figures(10_000, MILLI, MILLI, 0, 0, 3)))
        .containsExactly("3 readings or questions failed");
  }

  @Test
  void lateGeneratorIsNamedWhereTheObjectiveIsMissedOnly() {
    assertThat(OBJECTIVE.misses(figures(10_000, MILLI, MILLI, 20 * MILLI, 0, 0))).isEmpty();
    assertThat(OBJECTIVE.misses(figures(7_000, MILLI, MILLI, 20 * MILLI, 0, 0)))
        .containsExactly(
            "the rate was not reached: 7,000/s",
            "the load generator was itself late, p99 20.0 ms, and may be the bottleneck");
  }

  @Test
  void whatWasNotMeasuredIsNotMet() {
    Summary none = new Summary(0, 0, 0, 0, 0, 0, 0, 0);
    Objective.Figures blind = new Objective.Figures(1, 1, 1, none, p99(1), p99(1), 0, 0, 0);
    assertThat(OBJECTIVE.misses(blind)).containsExactly("produce-to-visible was not measured");
  }
}
