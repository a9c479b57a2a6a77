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
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.TargetStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * The final check of a target that goes away ends by its limits, and says what it did not check.
 */
class FinalCheckTest {
  private static final long SECOND = 1_000_000_000;
  private static final int SENSORS = 100;
  private static final FinalCheck.Limits LIMITS = new FinalCheck.Limits(20 * SECOND, 60 * SECOND);

  /** A target that took in a load, and what was sent to it. */
  private static final class World {
    final SimulatedClock clock = new SimulatedClock();
    final SimulatedPace pace = new SimulatedPace(clock);
    final MemoryTarget target;
    final Fleet fleet;
    final Workload workload;
    final Tally tally = new Tally();
    final Faults faults = new Faults();

    World(Wrong wrong, long oneIn) throws Exception {
      target = new MemoryTarget(wrong, oneIn);
      Map<Knob, String> knobs = Map.of(Knob.SENSORS, "" + SENSORS, Knob.RATE, "1k");
      fleet = new Fleet(Profiles.find("uniform").with(knobs), 3, 1_717_200_000_000_000L, "c");
      workload = new Workload(fleet);
      Dispatch dispatch =
          new Dispatch(fleet, target, clock, clock.nanos(), false, tally, new Latency("ack", 0));
      while (workload.readings() < 2_000) {
        workload.step(dispatch);
      }
    }

    /** Answers until something is asked that gets none, and takes a while not to answer. */
    final class Flaky implements Queries {
      final Queries inner = target.openQueries();
      final Predicate<String> silent;
      final long silentNanos;
      private long asked;
      private long stopAfter = Long.MAX_VALUE;

      Flaky(Predicate<String> silent, long silentNanos) {
        this.silent = silent;
        this.silentNanos = silentNanos;
      }

      private void orNot(String sensor) throws QueryException {
        if (++asked == stopAfter) {
          pace.stopped = Optional.of("told to stop");
        }
        if (pace.stopped.isPresent() || silent.test(sensor)) {
          clock.pass(silentNanos);
          throw new QueryException(true, "no answer");
        }
      }

      @Override
      public void rows(RowsQuery query, Optional<String> token, RowPage page)
          throws QueryException {
        orNot(query.sensor());
        inner.rows(query, token, page);
      }

      @Override
      public void buckets(String sensor, long from, long to, long step, RowPage page) {}

      @Override
      public void latest(List<String> sensors, RowPage page) throws QueryException {
        for (String sensor : sensors) {
          orNot(sensor);
        }
        inner.latest(sensors, page);
      }

      @Override
      public Optional<TargetStatus> status() throws QueryException {
        orNot("");
        return inner.status();
      }

      @Override
      public void close() {}
    }

    Verdict check(Queries queries) {
      FinalCheck check =
          new FinalCheck(fleet, workload.sent(), tally.uncertain(), queries, pace, LIMITS, faults);
      return check.run(Integer.MAX_VALUE, 0, done -> {});
    }

    boolean isLate(String sensor) {
      return sensor.compareTo(fleet.nameOf(SENSORS / 2)) >= 0;
    }
  }

  @Test
  void targetThatRefusesForGoodEndsTheCheckAtTheSettlingTime() throws Exception {
    World w = new World(Wrong.NOTHING, 1);
    long began = w.clock.nanos();
    Verdict verdict = w.check(w.new Flaky(sensor -> true, 0));
    assertThat(verdict.word()).isEqualTo("not verified");
    assertThat(verdict.clean()).isFalse();
    assertThat(verdict.unread()).isEqualTo(SENSORS);
    assertThat(verdict.sensors()).isZero();
    assertThat(verdict.notVerified().orElseThrow())
        .startsWith("not checked: the rows of 100 sensors, the latest row of 100 sensors");
    assertThat(w.clock.nanos() - began).isLessThan(LIMITS.settleNanos() + SECOND);
  }

  @Test
  void targetThatHangsEndsTheCheckAfterTheSilenceAllowed() throws Exception {
    World w = new World(Wrong.NOTHING, 1);
    long began = w.clock.nanos();
    Verdict verdict = w.check(w.new Flaky(sensor -> true, 30 * SECOND));
    assertThat(verdict.word()).isEqualTo("not verified");
    assertThat(verdict.notVerified().orElseThrow())
        .isEqualTo(
            "not checked: the rows of 100 sensors, the latest row of 100 sensors; the target gave no answer for 60.00 s in all");
    assertThat(w.clock.nanos() - began).isLessThanOrEqualTo(LIMITS.silenceNanos() + 31 * SECOND);
  }

  @Test
  void sensorsWithoutAnswerAmongOthersWithOneCannotHoldUpTheCheck() throws Exception {
    World w = new World(Wrong.NOTHING, 1);
    long began = w.clock.nanos();
    Verdict verdict = w.check(w.new Flaky(sensor -> sensor.hashCode() % 2 == 0, 5 * SECOND));
    assertThat(verdict.word()).isEqualTo("not verified");
    assertThat(w.clock.nanos() - began).isLessThan(90 * SECOND);
  }

  @Test
  void whatIsKnownOfATargetThatGoesAwayMidwayIsSaid() throws Exception {
    World w = new World(Wrong.NOTHING, 1);
    boolean[] gone = {false};
    Verdict verdict =
        w.check(
            w.new Flaky(sensor -> gone[0] |= sensor.equals(w.fleet.nameOf(SENSORS / 2)), SECOND));
    assertThat(verdict.word()).isEqualTo("not verified");
    assertThat(verdict.rows()).isBetween(800L, 1_200L);
    assertThat(verdict.counts()).isEmpty();
  }

  @Test
  void stopEndsTheCheckAtOnceAndBlamesNobodyForWhatMayBeOnItsWay() throws Exception {
    World dropping = new World(Wrong.DROPS, 10);
    World.Flaky queries = dropping.new Flaky(sensor -> false, 0);
    queries.stopAfter = 20;
    long began = dropping.clock.nanos();
    Verdict verdict = dropping.check(queries);
    assertThat(verdict.word()).isEqualTo("not verified");
    assertThat(verdict.counts()).isEmpty();
    assertThat(verdict.notVerified().orElseThrow())
        .isEqualTo(
            "not checked: the rows of 99 sensors, the latest row of 100 sensors; told to stop");
    assertThat(dropping.clock.nanos() - began).isLessThan(3 * SECOND);
  }

  @Test
  void faultStaysAFaultWhenTheRestIsNotVerified() throws Exception {
    World altering = new World(Wrong.ALTERS, 100);
    Verdict verdict = altering.check(altering.new Flaky(altering::isLate, SECOND));
    assertThat(verdict.word()).isEqualTo("faulty");
    assertThat(verdict.counts()).containsOnlyKeys(FaultKind.ALTERED);
    assertThat(verdict.notVerified()).isPresent();
  }

  @Test
  void targetThatComesBackInTimeIsFoundClean() throws Exception {
    World w = new World(Wrong.NOTHING, 1);
    long back = w.clock.nanos() + 15 * SECOND;
    Verdict verdict = w.check(w.new Flaky(sensor -> w.clock.nanos() < back, 0));
    assertThat(verdict.word()).isEqualTo("clean");
    assertThat(verdict.sensors()).isEqualTo(SENSORS);
  }

  @Test
  void ledgerWithoutAnswerIsSaid() throws Exception {
    World w = new World(Wrong.NOTHING, 1);
    FinalCheck check =
        new FinalCheck(
            w.fleet,
            w.workload.sent(),
            w.tally.uncertain(),
            w.new Flaky(String::isEmpty, SECOND),
            w.pace,
            LIMITS,
            w.faults);
    check.checkPoison(
        Optional.of(new TargetStatus(new java.util.TreeMap<>(), 0, 0, 0, 0, Map.of(), 0, "")), 5);
    Verdict verdict = check.run(Integer.MAX_VALUE, 0, done -> {});
    assertThat(verdict.word()).isEqualTo("not verified");
    assertThat(verdict.notVerified().orElseThrow()).startsWith("not checked: the ledger; ");
    assertThat(verdict.sensors()).isEqualTo(SENSORS);
  }
}
