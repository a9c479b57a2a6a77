package io.varve.load.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyTest {
  @Test
  void whatIsDueWhileWarmingUpIsNotRecorded() {
    Latency latency = new Latency("x", 1_000);
    latency.record(999, 7_000_000);
    latency.record(1_000, 5_000_000);
    latency.record(1_001, 9_000_000, 3);
    assertThat(latency.turnOver().count()).isEqualTo(4);
    assertThat(latency.turnOver().count()).as("a new interval").isZero();
    assertThat(latency.total().count()).isEqualTo(4);
    assertThat(latency.total().p50()).isBetween(8_990_000L, 9_010_000L);
    assertThat(latency.distribution())
        .last()
        .satisfies(point -> assertThat(point.count()).isEqualTo(4));
  }

  @Test
  void durationsBelowNothingAndBeyondAnHourAreKeptInBounds() {
    Latency latency = new Latency("x", 0);
    latency.record(0, -5);
    latency.record(0, Long.MAX_VALUE);
    latency.turnOver();
    assertThat(latency.total().max()).isBetween(3_590_000_000_000L, 3_610_000_000_000L);
    assertThat(latency.total().p50()).isLessThan(1_024);
  }

  @Test
  void textHasAUnitThatSuitsTheSize() {
    assertThat(Summary.text(812_400)).isEqualTo("812 µs");
    assertThat(Summary.text(3_440_000)).isEqualTo("3.4 ms");
    assertThat(Summary.text(240_000_000)).isEqualTo("240 ms");
    assertThat(Summary.text(2_345_000_000L)).isEqualTo("2.35 s");
  }
}
