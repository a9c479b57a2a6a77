package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.measure.IntervalLog;
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
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One run of a load on a target. It opens everything and warms it up, and only then lets time
 * begin: starting up is nobody's latency.
 */
public final class LoadRun {
  /** Between the choice of the start and the start: time to make the fleet. */
  private static final long LEAD_MICROS = 1_000_000;

  private static final long LEAD_MICROS_A_SENSOR = 3;

  private final LoadPlan plan;
  private final Target target;
  private final Consumer<Progress> listener;
  private final Optional<Path> intervalLog;
  private final Clock clock = Clock.SYSTEM;

  /** What a wish to stop ends: first the opening, then the load. */
  private Optional<Thread> opening = Optional.empty();

  private Optional<RunningLoad> running = Optional.empty();
  private boolean stopped;

  /**
   * Prepares a run.
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
  }

  /**
   * Ends what is under way: before sending, the run; while sending, that, and what was sent is
   * judged as usual; told again, or later, the judging, so that the result says what is known. From
   * any thread.
   */
  public synchronized void stop() {
    stopped = true;
    opening.ifPresent(Thread::interrupt);
    running.ifPresent(RunningLoad::stop);
  }

  /** Ends sending, if it is under way, and nothing else. From any thread. */
  public synchronized void stopSending() {
    running.ifPresent(RunningLoad::stopSending);
  }

  /** Notes something that happened now, for the report. From any thread. */
  public synchronized void mark(String text) {
    running.ifPresent(load -> load.mark(text));
  }

  private synchronized void open() throws InterruptedException {
    if (stopped) {
      throw new InterruptedException("stopped");
    }
    opening = Optional.of(Thread.currentThread());
  }

  /** Lets wishes to stop go to the load from now on. */
  private synchronized void begin(RunningLoad load) throws InterruptedException {
    opening = Optional.empty();
    boolean unused = Thread.interrupted();
    if (stopped) {
      throw new InterruptedException("stopped");
    }
    running = Optional.of(load);
  }

  private synchronized boolean stoppedBefore() {
    opening = Optional.empty();
    return stopped && running.isEmpty();
  }

  /**
   * Runs to the end.
   *
   * @throws TargetException if the target cannot be used at all, or the run was stopped before
   *     that; nothing was sent then
   * @throws IOException if the interval log cannot be written
   */
  public LoadResult run() throws TargetException, IOException, InterruptedException {
    try {
      open();
      target.begin();
      return openAndRun();
    } catch (TargetException | InterruptedException e) {
      if (stoppedBefore()) {
        throw new TargetException(
            TargetException.Kind.STOPPED, "stopped before anything was sent", e);
      }
      throw e;
    }
  }

  private LoadResult openAndRun() throws TargetException, IOException, InterruptedException {
    try (Queries statusQueries = target.openQueries();
        Queries visibleQueries = target.openQueries();
        Queries probeQueries = target.openQueries();
        Queries checkQueries = target.openQueries();
        RecordSink sink = target.openSink()) {
      Optional<TargetStatus> before = requireAnswer(statusQueries);
      WarmUp.run(plan, sink, probeQueries);
      Origin origin = origin();
      Optional<IntervalLog> log =
          intervalLog.isPresent()
              ? Optional.of(new IntervalLog(intervalLog.get(), origin.millis()))
              : Optional.empty();
      RunningLoad.Ways ways =
          new RunningLoad.Ways(
              target.describe(), sink, statusQueries, visibleQueries, probeQueries, checkQueries);
      try (RunningLoad load =
          new RunningLoad(plan, fleet(origin), origin, clock, ways, listener, log)) {
        begin(load);
        load.send();
        load.settle();
        return load.conclude(before);
      }
    }
  }

  private static Optional<TargetStatus> requireAnswer(Queries queries) throws TargetException {
    try {
      return queries.status();
    } catch (QueryException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, String.valueOf(e.getMessage()), e);
    }
  }

  /** The next whole second for which there is time to get ready. */
  private Origin origin() {
    long wallMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    long lead = LEAD_MICROS + plan.profile().count(Knob.SENSORS) * LEAD_MICROS_A_SENSOR;
    long startMicros = ((wallMicros + lead) / 1_000_000 + 1) * 1_000_000;
    return new Origin(startMicros / 1_000, clock.nanos() + (startMicros - wallMicros) * 1_000);
  }

  /** The fleet; clocks that run faster than the sending start so far back that they end in time. */
  private Fleet fleet(Origin origin) {
    long seconds = origin.millis() / 1_000;
    long ahead = plan.profile().count(Knob.SPEED) - 1;
    long clocksStart = seconds - (long) Math.ceil(ahead * (plan.runNanos() / 1e9));
    String name = "load-" + Long.toString(seconds, 36) + "-" + plan.seed();
    return new Fleet(plan.profile(), plan.seed(), clocksStart * 1_000_000, name);
  }
}
