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
import io.varve.load.target.QueryException;
import io.varve.load.target.RecordSink;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import io.varve.load.target.TargetStatus;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * One run of a load on a target: one thread sends, others ask, the caller's keeps the books and
 * judges at the end.
 */
public final class LoadRun {
  private static final long TURN_NANOS = 1_000_000_000;
  private static final long STATUS_NANOS = 1_000_000_000;
  private static final long VISIBLE_PAUSE_NANOS = 1_000_000;

  private final LoadPlan plan;
  private final Target target;
  private final Consumer<Progress> listener;
  private final Optional<Path> intervalLog;
  private final Clock clock = Clock.SYSTEM;
  private final Tally tally = new Tally();
  private final Faults faults = new Faults();
  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private final Fleet fleet;
  private final long startMillis;
  private final long startNanos;
  private volatile Optional<Pacer> pacer = Optional.empty();

  /**
   * Prepares a run whose time begins with the next whole second.
   *
   * @param listener is told about once a second where the run is
   * @param intervalLog file for the histograms of each second
   */
  public LoadRun(
      LoadPlan plan, Target target, Consumer<Progress> listener, Optional<Path> intervalLog) {
    this.plan = plan;
    this.target = target;
    this.listener = listener;
    this.intervalLog = intervalLog;
    long wallMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    long startSeconds = wallMicros / 1_000_000 + 1;
    this.startMillis = startSeconds * 1_000;
    this.startNanos = clock.nanos() + (startSeconds * 1_000_000 - wallMicros) * 1_000;
    long ahead = plan.profile().count(Knob.SPEED) - 1;
    long clocksStart = startSeconds - (long) Math.ceil(ahead * (plan.runNanos() / 1e9));
    String name = "load-" + Long.toString(startSeconds, 36) + "-" + plan.seed();
    this.fleet = new Fleet(plan.profile(), plan.seed(), clocksStart * 1_000_000, name);
  }

  /** Ends sending early; what was sent is judged as usual. From any thread. */
  public void stop() {
    pacer.ifPresent(Pacer::stop);
  }

  /** Notes something that happened now, for the report. From any thread. */
  public void mark(String text) {
    events.add(new Event(now(), text));
  }

  private long now() {
    return clock.nanos() - startNanos;
  }

  /**
   * Runs to the end.
   *
   * @throws TargetException if the target cannot be used at all; nothing was sent then
   * @throws IOException if the interval log cannot be written
   */
  public LoadResult run() throws TargetException, IOException, InterruptedException {
    try (Queries statusQueries = target.openQueries();
        Queries visibleQueries = target.openQueries();
        Queries probeQueries = target.openQueries();
        RecordSink sink = target.openSink()) {
      Optional<TargetStatus> before = requireAnswer(statusQueries);
      try (Running running =
          new Running(statusQueries, visibleQueries, probeQueries, sink, openLog())) {
        running.send();
        running.settle();
        return running.conclude(before);
      }
    }
  }

  private Optional<IntervalLog> openLog() throws IOException {
    return intervalLog.isPresent()
        ? Optional.of(new IntervalLog(intervalLog.get(), startMillis))
        : Optional.empty();
  }

  private static Optional<TargetStatus> requireAnswer(Queries queries) throws TargetException {
    try {
      return queries.status();
    } catch (QueryException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, String.valueOf(e.getMessage()), e);
    }
  }

  /** The parts of a run that has begun. */
  private final class Running implements AutoCloseable {
    private final LongSupplier now = LoadRun.this::now;
    private final Queries probeQueries;
    private final RecordSink sink;
    private final Optional<IntervalLog> log;
    private final Workload workload = new Workload(fleet);
    private final AnswerCheck judge = new AnswerCheck(fleet, faults);
    private final QueryProbe questions;
    private final VisibilityProbe visibility;
    private final Markers markers;
    private final Instruments instruments;
    private final StatusWatch status;
    private final Pacer sending;
    private final List<Worker> asking = new ArrayList<>();
    private volatile long sendNanos;

    Running(
        Queries statusQueries,
        Queries visibleQueries,
        Queries probeQueries,
        RecordSink sink,
        Optional<IntervalLog> log) {
      this.probeQueries = probeQueries;
      this.sink = sink;
      this.log = log;
      double rate = plan.queriesPerSecond();
      this.questions =
          new QueryProbe(
              fleet,
              probeQueries,
              rate > 0 ? Math.round(1e9 / rate) : Long.MAX_VALUE,
              now,
              plan.verify() ? Optional.of(judge) : Optional.empty());
      this.instruments = new Instruments(questions.latencies(), tally, log);
      this.markers = new Markers(fleet, sink, plan.markerNanos());
      this.visibility =
          new VisibilityProbe(
              Markers.names(fleet),
              fleet.startMicros(),
              plan.markerNanos(),
              visibleQueries,
              instruments.visible);
      this.status =
          new StatusWatch(statusQueries, now, (at, text) -> events.add(new Event(at, text)));
      Dispatch dispatch =
          new Dispatch(
              fleet, sink, clock, startNanos, plan.closedLoop(), tally, instruments.acknowledged);
      this.sending =
          new Pacer(
              clock,
              startNanos,
              workload,
              dispatch,
              markers,
              sink,
              instruments.scheduleError,
              tally,
              plan.closedLoop());
      pacer = Optional.of(sending);
    }

    /** Sends everything, and asks meanwhile. */
    void send() throws InterruptedException {
      clock.await(startNanos);
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
                sending.run(plan.runNanos(), plan.readings());
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
        clock.await(Math.min(startNanos + visibility.nextDueNanos(), clock.nanos() + TURN_NANOS));
        return;
      }
      visibility.ask(now);
      clock.await(clock.nanos() + VISIBLE_PAUSE_NANOS);
    }

    private void askQuestion() {
      long due = questions.nextDueNanos();
      if (due > now()) {
        clock.await(Math.min(startNanos + due, clock.nanos() + TURN_NANOS));
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

    private long lastTurn;

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
              sends ? Math.max(0, plan.runNanos() - now()) : 0,
              fleet.profile().count(Knob.RATE),
              rate,
              lag(),
              instruments.acknowledged.total(),
              instruments.visible.total(),
              checked,
              Math.min(plan.verifySample(), fleet.sensors())));
    }

    /** Judges, if that was asked for, and sums up. */
    LoadResult conclude(Optional<TargetStatus> before) throws InterruptedException {
      Optional<Verdict> verdict = plan.verify() ? Optional.of(judge(before)) : Optional.empty();
      status.ask();
      return new LoadResult(
          plan,
          target.describe(),
          fleet,
          startMillis,
          sendNanos,
          workload.readings(),
          workload.poisons(),
          workload.hash(),
          tally,
          instruments.acknowledged,
          instruments.visible,
          instruments.queries(),
          instruments.scheduleError,
          sink.blockedNanos(),
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
              probeQueries,
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
      sending.stop();
      for (Worker worker : asking) {
        worker.stop();
      }
      log.ifPresent(IntervalLog::close);
    }
  }
}
