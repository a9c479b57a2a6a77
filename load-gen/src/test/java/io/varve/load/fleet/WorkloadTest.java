package io.varve.load.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final long START = 1_717_200_000_000_000L;
  private static final long SECOND = 1_000_000_000L;

  /** Keeps what was sent, by key, and checks on the way what holds for every reading. */
  private static final class Recorder implements FleetSink {
    final Fleet fleet;
    final Map<String, Integer> newest = new HashMap<>();
    final Map<ReadingKind, Integer> kinds = new EnumMap<>(ReadingKind.class);
    final Map<Poison, Integer> poisons = new EnumMap<>(Poison.class);
    final int[] bySensor;
    long last;
    long sequenced;

    Recorder(Fleet fleet) {
      this.fleet = fleet;
      this.bySensor = new int[fleet.sensors()];
    }

    @Override
    public void reading(
        long due,
        int sensor,
        long tick,
        int version,
        long timestamp,
        long sequence,
        long value,
        ReadingKind kind) {
      assertThat(due).isGreaterThanOrEqualTo(last);
      last = due;
      assertThat(timestamp).isEqualTo(fleet.timestampMicros(sensor, tick));
      assertThat(sequence).isEqualTo(fleet.sequence(sensor, tick));
      assertThat(value).isEqualTo(fleet.valueBits(sensor, timestamp, sequence, version));
      assertThat(fleet.tickAtOrAfter(sensor, timestamp)).isEqualTo(tick - sequence);
      kinds.merge(kind, 1, Integer::sum);
      bySensor[sensor] += kind == ReadingKind.REPEATED || kind == ReadingKind.CORRECTED ? 0 : 1;
      sequenced += sequence > 0 ? 1 : 0;
      Integer before = newest.put(sensor + "@" + timestamp + "#" + sequence, version);
      boolean again = kind == ReadingKind.REPEATED || kind == ReadingKind.CORRECTED;
      assertThat(before != null).as("key was sent before: %s", kind).isEqualTo(again);
      assertThat(before == null || before <= version).as("versions never fall").isTrue();
    }

    double share(ReadingKind kind, double all) {
      return kinds.getOrDefault(kind, 0) / all;
    }

    @Override
    public void poison(long due, int sensor, Poison form) {
      poisons.merge(form, 1, Integer::sum);
    }
  }

  private static Workload workload(String profile, long seed, Map<Knob, String> knobs)
      throws InvalidProfileException {
    return new Workload(new Fleet(Profiles.find(profile).with(knobs), seed, START, "t"));
  }

  private static Recorder run(Workload workload, long seconds) {
    Recorder recorder = new Recorder(workload.fleet());
    while (workload.nextDueNanos() < seconds * SECOND) {
      workload.step(recorder);
    }
    return recorder;
  }

  private static final Map<Knob, String> SMALL = Map.of(Knob.SENSORS, "200", Knob.RATE, "500");

  @Test
  void hashOfASeedIsTheSameOnEveryMachine() throws Exception {
    Workload workload = workload("soak", 1, Map.of());
    for (int i = 0; i < 200_000; i++) {
      workload.step(new Nothing());
    }
    assertThat(workload.hash()).isEqualTo("c896bd4f7246c6c4");
    Workload other = workload("soak", 2, Map.of());
    other.step(new Nothing());
    assertThat(other.hash()).isNotEqualTo(workload.hash());
  }

  private static final class Nothing implements FleetSink {
    @Override
    public void reading(
        long due, int sensor, long tick, int version, long t, long s, long v, ReadingKind k) {}

    @Override
    public void poison(long due, int sensor, Poison form) {}
  }

  @Test
  void everyProfileKeepsItsPromisesAndItsRate() throws Exception {
    for (String profile : Profiles.NAMES) {
      Workload workload = workload(profile, 3, SMALL);
      Recorder recorder = run(workload, 40);
      long first = 0;
      for (int count : recorder.bySensor) {
        first += count;
      }
      assertThat(first / 40.0).as(profile).isBetween(profile.equals("soak") ? 420.0 : 465.0, 505.0);
      assertThat(workload.readings())
          .isEqualTo(recorder.kinds.values().stream().mapToLong(Integer::longValue).sum());
      isWhatWasSent(workload, recorder);
    }
  }

  /** Compares what the workload says it has sent with what was seen. */
  private static void isWhatWasSent(Workload workload, Recorder recorder) {
    Sent sent = workload.sent();
    Fleet fleet = workload.fleet();
    int keys = 0;
    for (int s = 0; s < fleet.sensors(); s++) {
      for (long tick = fleet.firstTick(s); tick < sent.nextTick(s) + 5; tick++) {
        int version = sent.version(s, tick);
        String key = s + "@" + fleet.timestampMicros(s, tick) + "#" + fleet.sequence(s, tick);
        assertThat(recorder.newest.getOrDefault(key, 0)).as(key).isEqualTo(version);
        keys += version > 0 ? 1 : 0;
      }
    }
    assertThat(recorder.newest).hasSize(keys);
  }

  @Test
  void hotSensorsHaveTheirShare() throws Exception {
    Recorder recorder = run(workload("hot-one", 1, SMALL), 20);
    assertThat(recorder.bySensor[0] / 10_000.0).isBetween(0.32, 0.34);
    Recorder fast = run(workload("hot-one", 1, Map.of(Knob.RATE, "20k")), 2);
    assertThat(fast.sequenced).as("6 600 a second share milliseconds").isPositive();
  }

  @Test
  void zipfGivesTheFirstSensorsMost() throws Exception {
    Recorder recorder =
        run(
            workload("uniform", 1, Map.of(Knob.SENSORS, "100", Knob.RATE, "500", Knob.ZIPF, "1")),
            20);
    assertThat(recorder.bySensor[0] / (double) recorder.bySensor[9]).isBetween(9.0, 11.0);
  }

  @Test
  void sharesAreThoseAskedFor() throws Exception {
    Map<Knob, String> longer = Map.of(Knob.SENSORS, "300", Knob.RATE, "1k");
    Recorder late = run(workload("late-arrivals", 1, longer), 120);
    double all = 120_000;
    assertThat(late.share(ReadingKind.LATE, all)).isBetween(0.08, 0.11);
    assertThat(late.share(ReadingKind.REPEATED, all)).isBetween(0.01, 0.03);
    assertThat(late.share(ReadingKind.CORRECTED, all)).isBetween(0.015, 0.022);
    Recorder storm = run(workload("reconnect-storm", 1, longer), 120);
    assertThat(storm.share(ReadingKind.HELD, all)).isBetween(0.08, 0.15);
    Recorder poison = run(workload("poison", 1, longer), 120);
    assertThat(poison.poisons).hasSize(Poison.values().length);
  }

  @Test
  void sensorsClocksMayRunFasterThanTheSending() throws Exception {
    Workload workload = workload("uniform", 1, Map.of(Knob.SENSORS, "50", Knob.SPEED, "1000"));
    run(workload, 2);
    Fleet fleet = workload.fleet();
    long ticks = workload.sent().nextTick(0);
    assertThat(fleet.timestampMicros(0, ticks - 1) - START)
        .isBetween(1_950_000_000L, 2_000_000_000L);
  }
}
