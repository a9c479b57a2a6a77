package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Workload;
import io.varve.load.measure.IntervalLog;
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
  private static final long STATUS_NANOS = 1_000_000_000;
  private static final long VISIBLE_PAUSE_NANOS = 1_000_000;

  /** The ways to the target, opened. */
  record Ways(
      String target,
      RecordSink sink,
      Queries statusQueries,
      Queries visibleQueries,
      Queries probeQueries) {}

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
  private final List<Worker> asking = new ArrayList<>();
  private final long blockedBefore;
  private volatile long sendNanos;
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

  /** Ends sending. From any thread. */
  void stop() {
    pacer.stop();
  }

  /** Sends everything, and asks meanwhile. */
  void send() throws InterruptedException {
    clock.await(origin.nanos());
    asking.add(Worker.repeating("load-status", this::askStatus));
    if (plan.markerNanos() > 0) {
      asking.add(Worker.repeating("load-visible", this::askVisible));
    }
    if (plan.queriesPerSecond() > 0) {
      asking.add(Worker.repeating("load-queries", this::askQuestion));
    }
    Worker sender =
        Worker.once(
            "load-sender",
            () -> {
              pacer.run(plan.runNanos(), plan.readings());
              sendNanos = now();
              sink.flush();
            });
    while (sender.alive()) {
      clock.await(clock.nanos() + TURN_NANOS / 20);
      turnOverIfDue(Progress.Phase.SENDING);
    }
    sender.stop();
    rethrow(sender);
  }

  private void askStatus() {
    status.ask();
    clock.await(clock.nanos() + STATUS_NANOS);
  }

  private void askVisible() {
    if (visibility.nextDueNanos() > now()) {
      clock.await(Math.min(origin.nanos() + visibility.nextDueNanos(), clock.nanos() + TURN_NANOS));
      return;
    }
    visibility.ask(this::now);
    clock.await(clock.nanos() + VISIBLE_PAUSE_NANOS);
  }

  private void askQuestion() {
    long due = questions.nextDueNanos();
    if (due > now()) {
      clock.await(Math.min(origin.nanos() + due, clock.nanos() + TURN_NANOS));
      return;
    }
    questions.ask();
  }

  /** Waits until every marker is seen, as long as that may take. */
  void settle() throws InterruptedException {
    long deadline = now() + plan.settleNanos();
    while (visibility.seen() < markers.sent() && now() < deadline) {
      clock.await(clock.nanos() + TURN_NANOS / 20);
      turnOverIfDue(Progress.Phase.SETTLING);
    }
    for (Worker worker : asking) {
      worker.stop();
      rethrow(worker);
    }
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
    status.ask();
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
        instruments.scheduleError,
        sink.blockedNanos() - blockedBefore,
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
    long deadline = now() + plan.settleNanos();
    FinalCheck check =
        new FinalCheck(
            fleet,
            workload.sent(),
            tally.uncertain(),
            ways.probeQueries(),
            nanos -> {
              clock.await(clock.nanos() + nanos);
              return now() < deadline;
            },
            faults);
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
  }

  private void rethrow(Worker worker) {
    worker
        .failure()
        .ifPresent(
            cause -> {
              throw new IllegalStateException("a thread of the load ended early", cause);
            });
  }

  @Override
  public void close() throws InterruptedException {
    pacer.stop();
    for (Worker worker : asking) {
      worker.stop();
    }
    log.ifPresent(IntervalLog::close);
  }
}
