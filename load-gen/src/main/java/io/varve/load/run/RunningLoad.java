package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Workload;
import io.varve.load.measure.IntervalLog;
import io.varve.load.measure.Summary;
import io.varve.load.oracle.AnswerCheck;
import io.varve.load.oracle.Faults;
import io.varve.load.oracle.FinalCheck;
import io.varve.load.oracle.Verdict;
import io.varve.load.probe.QueryProbe;
import io.varve.load.probe.VisibilityProbe;
import io.varve.load.target.Queries;
import io.varve.load.target.RecordSink;
import io.varve.load.target.TargetStatus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A run under way: one thread sends, three ask, and the caller's keeps the books and judges at the
 * end.
 */
final class RunningLoad implements AutoCloseable {
  private static final long TURN_NANOS = 1_000_000_000;

  /** How long a target may be silent, and a question under way may take, once all is to end. */
  private static final long HURRY_NANOS = 5_000_000_000L;

  /** The ways to the target, opened. */
  record Ways(
      String target,
      RecordSink sink,
      Queries statusQueries,
      Queries visibleQueries,
      Queries probeQueries,
      Queries checkQueries) {}

  private final LoadPlan plan;
  private final Fleet fleet;
  private final Origin origin;
  private final Clock clock;
  private final Ways ways;
  private final RecordSink sink;
  private final Consumer<Progress> listener;
  private final Optional<IntervalLog> log;
  private final Tally tally = new Tally();
  private final Faults faults = new Faults();
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private final Workload workload;
  private final AnswerCheck judge;
  private final QueryProbe questions;
  private final VisibilityProbe visibility;
  private final Markers markers;
  private final Instruments instruments;
  private final StatusWatch status;
  private final Pacer pacer;
  private final Asking asking;
  private final long blockedBefore;
  private volatile long sendNanos;
  private volatile OptionalLong waited = OptionalLong.empty();
  private volatile boolean allSent;
  private volatile boolean stopWished;
  private volatile Optional<String> ended = Optional.empty();
  private Optional<String> givenUp = Optional.empty();
  private long lastTurn;

  RunningLoad(
      LoadPlan plan,
      Fleet fleet,
      Origin origin,
      Clock clock,
      Ways ways,
      Consumer<Progress> listener,
      Optional<IntervalLog> log) {
    this.plan = plan;
    this.fleet = fleet;
    this.origin = origin;
    this.clock = clock;
    this.ways = ways;
    this.sink = ways.sink();
    this.blockedBefore = sink.blockedNanos();
    this.listener = listener;
    this.log = log;
    this.workload = new Workload(fleet);
    this.judge = new AnswerCheck(fleet, faults);
    double rate = plan.queriesPerSecond();
    this.questions =
        new QueryProbe(
            fleet,
            ways.probeQueries(),
            rate > 0 ? Math.round(1e9 / rate) : Long.MAX_VALUE,
            this::now,
            plan.warmUpNanos(),
            plan.verify() ? Optional.of(judge) : Optional.empty());
    this.instruments = new Instruments(plan.warmUpNanos(), questions.latencies(), tally, log);
    this.markers = new Markers(fleet, sink, plan.markerNanos());
    this.visibility =
        new VisibilityProbe(
            Markers.names(fleet),
            fleet.startMicros(),
            plan.markerNanos(),
            ways.visibleQueries(),
            instruments.visible);
    this.status = new StatusWatch(ways.statusQueries(), this::now, this::note);
    this.asking = new Asking(clock, origin.nanos(), ways, status, visibility, questions);
    Dispatch dispatch =
        new Dispatch(
            fleet, sink, clock, origin.nanos(), plan.closedLoop(), tally, instruments.acknowledged);
    this.pacer =
        new Pacer(
            clock,
            origin.nanos(),
            workload,
            dispatch,
            markers,
            sink,
            instruments.scheduleError,
            tally,
            plan.closedLoop());
  }

  private long now() {
    return clock.nanos() - origin.nanos();
  }

  private void note(long atNanos, String text) {
    events.add(new Event(atNanos, text));
  }

  /** Notes something that happened now. From any thread. */
  void mark(String text) {
    note(now(), text);
  }

  /**
   * Ends what is under way: the sending, so that what was sent is judged as usual; told again, or
   * when all is sent, also the waiting and judging. From any thread.
   */
  synchronized void stop() {
    boolean first = !stopWished;
    stopWished = true;
    if (first && !allSent) {
      mark("told to stop sending");
      pacer.stop();
    } else {
      end("told to stop");
    }
  }

  /** Ends sending, if it is under way. From any thread. */
  void stopSending() {
    pacer.stop();
  }

  /** Ends everything: no question is asked any more, no acknowledgement awaited. */
  private synchronized void end(String why) {
    if (ended.isPresent()) {
      return;
    }
    ended = Optional.of(why);
    mark("ended early: " + why);
    pacer.stop();
    sink.giveUp();
    ways.checkQueries.close();
    asking.end();
  }

  /** After a wish to stop, one silence is enough; without, the target may come back. */
  private void endIfWished(String why) {
    if (stopWished) {
      end(why);
    }
  }

  private long silenceNanos() {
    return stopWished ? Math.min(HURRY_NANOS, plan.silenceNanos()) : plan.silenceNanos();
  }

  /** Sends everything, and asks meanwhile. */
  void send() throws InterruptedException {
    clock.await(origin.nanos());
    asking.start(plan.markerNanos() > 0, plan.queriesPerSecond() > 0);
    Worker sender =
        Worker.once(
            "load-sender",
            () -> {
              OptionalLong before = ProcessorWait.nanos();
              pacer.run(plan.runNanos(), plan.readings());
              sendNanos = now();
              OptionalLong after = ProcessorWait.nanos();
              if (before.isPresent() && after.isPresent()) {
                waited = OptionalLong.of(after.getAsLong() - before.getAsLong());
              }
              sink.flush();
            });
    Silence acknowledging = new Silence();
    while (sender.alive()) {
      clock.await(clock.nanos() + TURN_NANOS / 20);
      turnOverIfDue(Progress.Phase.SENDING);
      boolean owed = tally.inFlight() > 0;
      if (givenUp.isEmpty()
          && acknowledging.over(now(), tally.settledRecords(), owed, silenceNanos())) {
        String why = "the target acknowledged nothing for " + Summary.text(silenceNanos());
        givenUp = Optional.of(why);
        mark("sending ended early: " + why);
        pacer.stop();
        sink.giveUp();
        endIfWished(why);
      }
    }
    allSent = true;
    sender.stop();
    sender.rethrow();
  }

  /** Waits until every marker is seen, as long as that may take and the target answers. */
  void settle() throws InterruptedException {
    long deadline = now() + plan.settleNanos();
    Silence answering = new Silence();
    while (visibility.seen() < markers.sent() && now() < deadline && ended.isEmpty()) {
      if (answering.over(now(), visibility.answered(), true, silenceNanos())) {
        endIfWished("the target gave no answer for " + Summary.text(silenceNanos()));
        break;
      }
      clock.await(clock.nanos() + TURN_NANOS / 20);
      turnOverIfDue(Progress.Phase.SETTLING);
    }
    asking.stop(HURRY_NANOS);
    turnOver(Progress.Phase.SETTLING);
  }

  private void turnOverIfDue(Progress.Phase phase) {
    if (now() - lastTurn >= TURN_NANOS) {
      turnOver(phase);
    }
  }

  private void turnOver(Progress.Phase phase) {
    lastTurn = now();
    Second second = instruments.turnOver(lastTurn, lag());
    tell(phase, second.sent(), 0);
  }

  private OptionalLong lag() {
    return status.last().isPresent()
        ? OptionalLong.of(status.last().get().totalLag())
        : OptionalLong.empty();
  }

  private void tell(Progress.Phase phase, double rate, long checked) {
    boolean sends = phase == Progress.Phase.SENDING;
    listener.accept(
        new Progress(
            phase,
            now(),
            sends ? leftNanos() : 0,
            fleet.profile().count(Knob.RATE),
            rate,
            lag(),
            instruments.acknowledged.total(),
            instruments.visible.total(),
            checked,
            Math.min(plan.verifySample(), fleet.sensors())));
  }

  /** Until all is sent, if the rate asked for is reached from now on. */
  private long leftNanos() {
    double readings = (double) plan.readings() - tally.sentReadings();
    double nanos = readings * 1e9 / fleet.profile().count(Knob.RATE);
    return (long) Math.max(0, Math.min(nanos, (double) (plan.runNanos() - now())));
  }

  /** Judges, if that was asked for, and sums up. */
  LoadResult conclude(Optional<TargetStatus> before) throws InterruptedException {
    Optional<Verdict> verdict = plan.verify() ? Optional.of(judge(before)) : Optional.empty();
    status.ask(ways.checkQueries);
    return new LoadResult(
        plan,
        ways.target(),
        fleet,
        origin.millis(),
        sendNanos,
        workload.readings(),
        workload.poisons(),
        workload.hash(),
        tally,
        instruments.acknowledged,
        instruments.visible,
        instruments.queries(),
        questions.touched(),
        instruments.scheduleError,
        sink.blockedNanos() - blockedBefore,
        waited,
        givenUp,
        markers.sent(),
        visibility.seen(),
        questions.asked(),
        questions.unanswered(),
        questions.failed(),
        status.highestLag(),
        before,
        status.last(),
        instruments.timeline(),
        List.copyOf(events),
        verdict);
  }

  private Verdict judge(Optional<TargetStatus> before) throws InterruptedException {
    FinalCheck check =
        new FinalCheck(
            fleet,
            workload.sent(),
            tally.uncertain(),
            ways.checkQueries(),
            new CheckPace(),
            new FinalCheck.Limits(plan.settleNanos(), plan.silenceNanos()),
            faults);
    Worker watch = Worker.repeating("load-check-watch", endingWhenSilent(check));
    try {
      check.checkPoison(before, tally.acknowledgedPoison());
      long[] told = {now()};
      return check.run(
          plan.verifySample(),
          judge.answers(),
          done -> {
            if (now() - told[0] > TURN_NANOS) {
              told[0] = now();
              tell(Progress.Phase.CHECKING, 0, done);
            }
          });
    } finally {
      watch.stop();
    }
  }

  /** Ends the check also while it waits for an answer. */
  private Runnable endingWhenSilent(FinalCheck check) {
    Silence answering = new Silence();
    return () -> {
      clock.await(clock.nanos() + TURN_NANOS / 20);
      if (answering.over(now(), check.answered(), true, silenceNanos())) {
        end("the target gave no answer for " + Summary.text(silenceNanos()));
      }
    };
  }

  private final class CheckPace implements FinalCheck.Pace {
    @Override
    public long nanos() {
      return now();
    }

    @Override
    public void rest(long nanos) {
      clock.await(clock.nanos() + nanos);
    }

    @Override
    public Optional<String> stopped() {
      return ended;
    }
  }

  @Override
  public void close() throws InterruptedException {
    pacer.stop();
    asking.stop(0);
    log.ifPresent(IntervalLog::close);
  }
}
