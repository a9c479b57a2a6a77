package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.fleet.Workload;
import io.varve.load.measure.Latency;
import io.varve.load.oracle.FaultKind;
import io.varve.load.oracle.Faults;
import io.varve.load.oracle.FinalCheck;
import io.varve.load.oracle.Verdict;
import io.varve.load.target.Delivery;
import io.varve.load.target.InstantSink;
import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import io.varve.load.target.RecordSink;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A sound target is clean under every profile, and each way to be wrong is named. */
class OracleTest {
  private static final long START = 1_717_200_000_000_000L;
  private static final Map<Knob, String> SMALL =
      Map.of(
          Knob.SENSORS,
          "300",
          Knob.RATE,
          "1k",
          Knob.GATEWAY_SENSORS,
          "20",
          Knob.LATE_TO,
          "6s",
          Knob.LATE_FROM,
          "1s",
          Knob.RESOLUTION,
          "10ms");

  private static Verdict verdict(String profile, Wrong wrong, long oneIn, long failEvery)
      throws Exception {
    Fleet fleet = new Fleet(Profiles.find(profile).with(SMALL), 5, START, "o");
    MemoryTarget target = new MemoryTarget(wrong, oneIn);
    SimulatedClock clock = new SimulatedClock();
    Tally tally = new Tally();
    RecordSink sink = failEvery == 0 ? target : new Unreliable(target, failEvery);
    long start = clock.nanos();
    Dispatch dispatch =
        new Dispatch(fleet, sink, clock, start, false, tally, new Latency("ack", 0));
    Workload workload = new Workload(fleet);
    new Pacer(
            clock,
            start,
            workload,
            dispatch,
            new Markers(fleet, sink, 0),
            sink,
            new Latency("schedule", 0),
            tally,
            false)
        .run(40_000_000_000L, Long.MAX_VALUE);
    assertThat(tally.failedReadings() > 0).isEqualTo(failEvery > 0);
    Faults faults = new Faults();
    FinalCheck check =
        new FinalCheck(
            fleet,
            workload.sent(),
            tally.uncertain(),
            target.openQueries(),
            new SimulatedPace(clock),
            new FinalCheck.Limits(0, 60_000_000_000L),
            faults);
    check.checkPoison(
        new MemoryTarget(Wrong.NOTHING, 1).openQueries().status(), tally.acknowledgedPoison());
    return check.run(Integer.MAX_VALUE, 0, done -> {});
  }

  /** Takes one record in so many without saying so, and drops another without saying so. */
  private static final class Unreliable implements InstantSink {
    private final RecordSink inner;
    private final long failEvery;
    private long sent;

    Unreliable(RecordSink inner, long failEvery) {
      this.inner = inner;
      this.failEvery = failEvery;
    }

    @Override
    public void send(byte[] key, byte[] record, Delivery delivery) {
      long which = ++sent % failEvery;
      if (which > 1) {
        inner.send(key, record, delivery);
        return;
      }
      if (which == 0) {
        inner.send(
            key,
            record,
            new Delivery() {
              @Override
              public void acknowledged() {}

              @Override
              public void failed(Exception cause) {}
            });
      }
      delivery.failed(new IllegalStateException("no answer"));
    }
  }

  @Test
  void soundTargetIsCleanUnderEveryProfile() throws Exception {
    for (String profile : Profiles.NAMES) {
      Verdict verdict = verdict(profile, Wrong.NOTHING, 1, 0);
      assertThat(verdict.first()).as(profile).isEmpty();
      assertThat(verdict.clean()).isTrue();
      assertThat(verdict.sensors()).isEqualTo(300);
      assertThat(verdict.rows()).isBetween(34_000L, 41_000L);
    }
  }

  @Test
  void whatWasNotAcknowledgedMayBeThereOrNot() throws Exception {
    for (String profile : new String[] {"late-arrivals", "soak", "uniform"}) {
      Verdict verdict = verdict(profile, Wrong.NOTHING, 1, 7);
      assertThat(verdict.first()).as(profile).isEmpty();
      assertThat(verdict.clean()).isTrue();
    }
  }

  @Test
  void everyWrongIsNamed() throws Exception {
    isNamed("late-arrivals", Wrong.DROPS, FaultKind.LOST);
    isNamed("uniform", Wrong.REPEATS, FaultKind.REPEATED);
    isNamed("hot-one", Wrong.REORDERS, FaultKind.DISORDERED);
    isNamed("soak", Wrong.ALTERS, FaultKind.ALTERED);
    isNamed("uniform", Wrong.INVENTS, FaultKind.UNKNOWN);
    isNamed("late-arrivals", Wrong.IGNORES_CORRECTIONS, FaultKind.REVERTED);
    isNamed("poison", Wrong.LOSES_POISON, FaultKind.UNACCOUNTED);
    isNamed("uniform", Wrong.SHOWS_OLD_LATEST, FaultKind.STALE_LATEST);
  }

  private static void isNamed(String profile, Wrong wrong, FaultKind kind) throws Exception {
    // One row in 15 000 of some 40 000, but a latest row only of 300, and a dropped row may be a
    // newer version of one that is there, or the latest of its sensor.
    long oneIn = wrong == Wrong.SHOWS_OLD_LATEST ? 100 : 15_000;
    Verdict verdict = verdict(profile, wrong, oneIn, 0);
    assertThat(verdict.counts()).as("%s: %s", wrong, verdict.first()).containsOnlyKeys(kind);
    assertThat(verdict.clean()).isFalse();
    assertThat(verdict.first()).isNotEmpty().allMatch(fault -> fault.kind() == kind);
    assertThat(Optional.of(verdict.word())).contains("faulty");
  }
}
