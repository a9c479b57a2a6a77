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
  private volatile Optional<RunningLoad> running = Optional.empty();
  private volatile boolean stopped;

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

  /** Ends sending early; what was sent is judged as usual. From any thread. */
  public void stop() {
    stopped = true;
    running.ifPresent(RunningLoad::stop);
  }

  /** Notes something that happened now, for the report. From any thread. */
  public void mark(String text) {
    running.ifPresent(load -> load.mark(text));
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
      WarmUp.run(plan, sink, probeQueries);
      Origin origin = origin();
      Optional<IntervalLog> log =
          intervalLog.isPresent()
              ? Optional.of(new IntervalLog(intervalLog.get(), origin.millis()))
              : Optional.empty();
      RunningLoad.Ways ways =
          new RunningLoad.Ways(
              target.describe(), sink, statusQueries, visibleQueries, probeQueries);
      try (RunningLoad load =
          new RunningLoad(plan, fleet(origin), origin, clock, ways, listener, log)) {
        running = Optional.of(load);
        if (stopped) {
          load.stop();
        }
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
