package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.FleetModel.Measured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FleetModelTest {
  private static final long START = 1_717_200_000_000_000L;
  private static final long MINUTE = 60_000_000L;

  /** Keeps what was sent and when. */
  private static final class Recorder implements FleetModel.Output {
    final List<Measured> readings = new ArrayList<>();
    final List<Long> sentAt = new ArrayList<>();
    final Map<String, Integer> batches = new LinkedHashMap<>();
    long now;

    @Override
    public void single(Measured reading) {
      readings.add(reading);
      sentAt.add(now);
    }

    @Override
    public void batch(String gateway, List<Measured> members) {
      batches.merge(gateway, 1, Integer::sum);
      members.forEach(this::single);
    }
  }

  private static Recorder run(long seed, long stepMicros, long durationMicros) {
    FleetModel model = new FleetModel(200, 200, seed, START);
    Recorder recorder = new Recorder();
    for (long now = START; now <= START + durationMicros; now += stepMicros) {
      recorder.now = now;
      model.sendUntil(now, recorder);
    }
    model.sendCollected(recorder);
    return recorder;
  }

  @Test
  void oneSeedSendsTheSameWhateverTheSteps() {
    assertThat(run(7, 20_000, 5 * MINUTE).readings)
        .isEqualTo(run(7, 10 * MINUTE / 40, 5 * MINUTE).readings)
        .isNotEqualTo(run(8, 20_000, 5 * MINUTE).readings);
  }

  @Test
  void rateIsTheOneAskedFor() {
    int sent = run(1, 100_000, 10 * MINUTE).readings.size();
    assertThat(sent / 600.0).isBetween(196.0, 202.0);
  }

  @Test
  void someReadingsAreLateAndNoneIsFromTheFuture() {
    Recorder recorder = run(1, 20_000, 10 * MINUTE);
    int late = 0;
    for (int i = 0; i < recorder.readings.size(); i++) {
      long behind = recorder.sentAt.get(i) - recorder.readings.get(i).timestampMicros();
      assertThat(behind).isPositive();
      if (behind > 4_000_000) {
        late++;
      }
    }
    assertThat(late / (double) recorder.readings.size()).isBetween(0.012, 0.025);
  }

  @Test
  void noSensorRepeatsATimestamp() {
    Map<String, Set<Long>> seen = new HashMap<>();
    for (Measured reading : run(3, 50_000, 5 * MINUTE).readings) {
      assertThat(seen.computeIfAbsent(reading.sensorId(), s -> new HashSet<>()))
          .doesNotContain(reading.timestampMicros());
      seen.get(reading.sensorId()).add(reading.timestampMicros());
    }
    assertThat(seen).hasSize(200);
  }

  @Test
  void gatewaysSendBatchesForTheirLines() {
    Recorder recorder = run(1, 20_000, MINUTE);
    assertThat(recorder.batches).hasSize(8).containsKey("plant-1/line-5/gateway");
    assertThat(recorder.batches.get("plant-1/line-5/gateway")).isBetween(25, 31);
  }

  @Test
  void temperatureFollowsTheDay() {
    FleetModel model = new FleetModel(5, 5, 1, START);
    SimulatedSensor temperature = model.sensors().get(0);
    assertThat(temperature.id()).isEqualTo("plant-1/line-1/temperature");
    long midday = temperature.tickAtOrAfter(START + 15 * 60 * MINUTE);
    long night = temperature.tickAtOrAfter(START + 3 * 60 * MINUTE);
    assertThat(temperature.value(midday)).isGreaterThan(temperature.value(night) + 5);
  }

  @Test
  void aTickIsDueWithinItsPeriod() {
    for (SimulatedSensor sensor : new FleetModel(50, 500, 9, START).sensors()) {
      long tick = sensor.tickAtOrAfter(START);
      assertThat(sensor.timestampMicros(tick))
          .isBetween(START - 1000, START + sensor.periodMicros() * 11 / 10);
    }
  }
}
