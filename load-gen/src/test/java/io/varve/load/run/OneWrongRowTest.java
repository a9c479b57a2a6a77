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
import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** One wrong row among a hundred thousand right ones, in full a million, is found and named. */
class OneWrongRowTest {
  private static final long ONE_IN = Boolean.getBoolean("varve.full") ? 1_000_000 : 100_000;

  private static void isNamed(String profile, Wrong wrong, FaultKind kind) throws Exception {
    Map<Knob, String> knobs = Map.of(Knob.SENSORS, "1000", Knob.RATE, "20k", Knob.LATE_TO, "6s");
    Fleet fleet = new Fleet(Profiles.find(profile).with(knobs), 5, 1_717_200_000_000_000L, "m");
    MemoryTarget target = new MemoryTarget(wrong, ONE_IN);
    SimulatedClock clock = new SimulatedClock();
    Tally tally = new Tally();
    Workload workload = new Workload(fleet);
    Dispatch dispatch =
        new Dispatch(fleet, target, clock, clock.nanos(), false, tally, new Latency("ack", 0));
    while (workload.readings() < ONE_IN + ONE_IN / 10) {
      workload.step(dispatch);
    }
    dispatch.sendAll(workload.nextDueNanos());
    FinalCheck check =
        new FinalCheck(
            fleet,
            workload.sent(),
            tally.uncertain(),
            target.openQueries(),
            new SimulatedPace(clock),
            new FinalCheck.Limits(0, 60_000_000_000L),
            new Faults());
    Verdict verdict = check.run(Integer.MAX_VALUE, 0, done -> {});
    assertThat(verdict.rows()).isGreaterThanOrEqualTo(ONE_IN);
    assertThat(verdict.counts())
        .as("%s: %s", wrong, verdict.first())
        .containsOnly(Map.entry(kind, 1L));
    assertThat(verdict.first()).hasSize(1);
  }

  @Test
  void droppedRowIsLost() throws Exception {
    isNamed("uniform", Wrong.DROPS, FaultKind.LOST);
  }

  @Test
  void rowShownTwiceIsRepeated() throws Exception {
    isNamed("soak", Wrong.REPEATS, FaultKind.REPEATED);
  }

  @Test
  void rowInTheWrongPlaceIsDisordered() throws Exception {
    isNamed("hot-one", Wrong.REORDERS, FaultKind.DISORDERED);
  }

  @Test
  void wrongValueIsAltered() throws Exception {
    isNamed("hot-ten", Wrong.ALTERS, FaultKind.ALTERED);
  }
}
