package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LivePlansTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final AtomicLong nanos = new AtomicLong(-3 * SECOND);
  private final LivePlans plans = new LivePlans(new PlanLead(Duration.ofSeconds(4)), nanos::get);

  @Test
  void nothingIsRoutedBeforeTheEndOfTheTopicWasReached() {
    assertThat(plans.isConfirmed()).isFalse();
    plans.confirm(nanos.get());
    assertThat(plans.isConfirmed()).isTrue();
  }

  @Test
  void nothingIsRoutedWhenTheLastConfirmationIsOlderThanHalfTheLead() {
    plans.confirm(nanos.get());
    nanos.addAndGet(2 * SECOND);
    assertThat(plans.isConfirmed()).isTrue();
    nanos.addAndGet(1);
    assertThat(plans.isConfirmed()).isFalse();
    plans.confirm(nanos.get());
    assertThat(plans.isConfirmed()).isTrue();
  }

  @Test
  void routerThatBeganAfterTheLastConfirmationNeedsAnotherOne() {
    plans.confirm(nanos.get());
    long begun = nanos.addAndGet(1);
    assertThat(plans.isConfirmed(begun)).isFalse();
    plans.confirm(nanos.get());
    assertThat(plans.isConfirmed(begun)).isTrue();
  }

  @Test
  void whoWaitsIsHeardAndGoesOnWhenPlansAreConfirmed() {
    plans.onWaiting(() -> plans.confirm(nanos.get()));
    assertThat(plans.await(nanos.get(), SECOND)).isTrue();
  }

  @Test
  void whoWaitsIsLetGoWhenTheNodeStops() {
    plans.stop();
    assertThat(plans.await(nanos.get(), Long.MAX_VALUE / 2)).isFalse();
  }
}
