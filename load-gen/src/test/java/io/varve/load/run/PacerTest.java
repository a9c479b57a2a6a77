package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.fleet.Workload;
import io.varve.load.measure.Latency;
import io.varve.load.measure.Summary;
import io.varve.load.target.Delivery;
import io.varve.load.target.InstantSink;
import io.varve.load.target.RecordSink;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PacerTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000_000_000;
  private static final long SERVICE = MILLI / 10;

  /** A target that takes a tenth of a millisecond for a record, and for one second nothing. */
  private static final class FreezingSink implements InstantSink {
    private final SimulatedClock clock;
    private final long freezesAt;
    private final long thawsAt;
    private long blocked;

    FreezingSink(SimulatedClock clock, long freezesAfter, long frozenFor) {
      this.clock = clock;
      this.freezesAt = clock.nanos() + freezesAfter;
      this.thawsAt = freezesAt + frozenFor;
    }

    @Override
    public void send(byte[] key, byte[] record, Delivery delivery) {
      if (clock.nanos() >= freezesAt && clock.nanos() < thawsAt) {
        blocked += thawsAt - clock.nanos();
        clock.await(thawsAt);
      }
      clock.pass(SERVICE);
      delivery.acknowledged();
    }

    @Override
    public long blockedNanos() {
      return blocked;
    }
  }

  /** What a run of ten seconds at a thousand readings a second measured. */
  private static final class Run {
    final SimulatedClock clock = new SimulatedClock();
    final Latency acknowledged = new Latency("ack", 0);
    final Latency schedule = new Latency("schedule", 0);
    final Tally tally = new Tally();
    final Workload workload;

    Run(Map<Knob, String> knobs, long frozenFor, boolean closedLoop) throws Exception {
      Fleet fleet = new Fleet(Profiles.find("uniform").with(knobs), 1, 0, "t");
      workload = new Workload(fleet);
      RecordSink sink = new FreezingSink(clock, 5 * SECOND, frozenFor);
      long start = clock.nanos();
      Dispatch dispatch = new Dispatch(fleet, sink, clock, start, closedLoop, tally, acknowledged);
      Markers markers = new Markers(fleet, sink, 0);
      new Pacer(clock, start, workload, dispatch, markers, sink, schedule, tally, closedLoop)
          .run(10 * SECOND, Long.MAX_VALUE);
      acknowledged.turnOver();
      schedule.turnOver();
    }
  }

  private static final Map<Knob, String> THOUSAND = Map.of(Knob.RATE, "1k");

  @Test
  void targetFrozenForASecondOutOfTenShowsInP99AndAbove() throws Exception {
    Run run = new Run(THOUSAND, SECOND, false);
    Summary ack = run.acknowledged.total();
    assertThat(ack.count()).isBetween(9_900L, 10_100L);
    assertThat(ack.p50()).isLessThan(MILLI);
    assertThat(ack.p99()).isBetween(850 * MILLI, 950 * MILLI);
    assertThat(ack.p999()).isBetween(970 * MILLI, 1_010 * MILLI);
    assertThat(ack.max()).isBetween(980 * MILLI, 1_020 * MILLI);
    assertThat(run.schedule.total().p99())
        .as("the target held it up, not itself")
        .isLessThan(MILLI);
  }

  @Test
  void closedLoopHidesTheSameFreeze() throws Exception {
    Run run = new Run(THOUSAND, SECOND, true);
    assertThat(run.acknowledged.total().p99()).isLessThan(MILLI);
    assertThat(run.acknowledged.total().max()).isGreaterThan(980 * MILLI);
  }

  @Test
  void frozenTargetShowsTheSameThroughGateways() throws Exception {
    Run run = new Run(Map.of(Knob.RATE, "1k", Knob.BATCH, "10"), SECOND, false);
    Summary ack = run.acknowledged.total();
    assertThat(ack.count()).isEqualTo(run.tally.sentReadings()).isEqualTo(run.workload.readings());
    assertThat(ack.p50()).as("the gateway's own waiting is not measured").isLessThan(MILLI);
    assertThat(ack.p99()).isBetween(800 * MILLI, 960 * MILLI);
  }

  @Test
  void sendingThatIsItselfTooSlowSaysSo() throws Exception {
    // 20 000 a second are due, and each takes a tenth of a millisecond without blocking.
    Run run = new Run(Map.of(Knob.RATE, "20k"), 0, false);
    assertThat(run.schedule.total().p50()).isGreaterThan(SECOND);
  }

  @Test
  void everythingDueIsSentHoweverLate() throws Exception {
    Run run = new Run(Map.of(Knob.RATE, "20k"), SECOND, false);
    assertThat(run.tally.acknowledgedReadings()).isBetween(199_000L, 201_000L);
    assertThat(run.tally.inFlight()).isZero();
  }
}
