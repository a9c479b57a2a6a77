package io.varve.load.bench;

import io.varve.load.fleet.InvalidProfileException;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profile;
import io.varve.load.fleet.Profiles;
import io.varve.load.http.VarveAdmin;
import io.varve.load.http.VarveTarget;
import io.varve.load.run.LoadPlan;
import io.varve.load.run.LoadResult;
import io.varve.load.run.LoadRun;
import io.varve.load.run.Progress;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.TargetException;
import io.varve.load.target.TargetStatus;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A bench of a node that nobody else uses: it drains single readings and batches from the topic,
 * then measures freshness and queries under a moderate load, then compacts.
 */
public final class Bench {
  private static final int BATCH = 100;
  private static final int BATCHED_TIMES = 4;
  private static final long SECOND = 1_000_000_000;
  private static final long POLL_NANOS = 5_000_000;

  /** On a slow machine fewer readings are sent, and not all of them awaited: it must end. */
  private static final long LONGEST_FILL_NANOS = 3 * SECOND;

  private static final long LONGEST_DRAIN_NANOS = 4 * SECOND;
  private static final long LONGEST_RUN_NANOS = 60 * SECOND;

  /** When draining took so long, the rest is measured for half of the time. */
  private static final long LATE_NANOS = 20 * SECOND;

  private static final long WARM_UP_NANOS = 2 * SECOND;
  private static final long SETTLE_NANOS = 10 * SECOND;
  private static final long MARKER_NANOS = 20_000_000;
  private static final double QUERIES_A_SECOND = 100;
  private static final int READ_AT_END = 200;

  private final BenchPlan plan;
  private final VarveTarget target;
  private final VarveAdmin admin;
  private final Consumer<String> stages;
  private Optional<LoadRun> running = Optional.empty();
  private volatile boolean stopped;

  /**
   * Prepares a bench.
   *
   * @param admin the node of the target; closed when the bench is stopped
   * @param stages is told what is being done
   */
  public Bench(BenchPlan plan, VarveTarget target, VarveAdmin admin, Consumer<String> stages) {
    this.plan = plan;
    this.target = target;
    this.admin = admin;
    this.stages = stages;
  }

  /** Ends it early and without a result. From any thread. */
  public synchronized void stop() {
    stopped = true;
    running.ifPresent(Bench::end);
    admin.close();
  }

  private static void end(LoadRun run) {
    run.stop(); // sending
    run.stop(); // and judging
  }

  /**
   * Runs to the end.
   *
   * @throws TargetException if the node cannot be used or gives up, or the bench was stopped
   */
  public BenchResult run() throws TargetException, IOException, InterruptedException {
    long start = System.nanoTime();
    try {
      stages.accept("draining " + plan.readings() + " single readings");
      Drain singles = drain(1, plan.readings());
      stages.accept("draining " + plan.readings() * BATCHED_TIMES + " readings in batches");
      Drain batched = drain(BATCH, plan.readings() * BATCHED_TIMES);
      stages.accept("measuring freshness and queries at " + plan.rate() + " readings/s");
      boolean late = System.nanoTime() - start > LATE_NANOS;
      long measure = late ? plan.measureNanos() / 2 : plan.measureNanos();
      LoadResult load = load(mixed(), measure, Long.MAX_VALUE, true);
      stages.accept("compacting");
      VarveAdmin.Size written = admin.size();
      long began = System.nanoTime();
      admin.compact();
      long compactNanos = System.nanoTime() - began;
      return new BenchResult(plan, singles, batched, load, written, admin.size(), compactNanos);
    } catch (QueryException e) {
      throw stopped ? stop(e) : unusable(String.valueOf(e.getMessage()), e);
    } catch (InvalidProfileException e) {
      throw new IllegalStateException("a profile of the bench's own", e);
    }
  }

  private static TargetException stop(Exception cause) {
    return new TargetException(TargetException.Kind.STOPPED, "stopped before the end", cause);
  }

  private static TargetException unusable(String why, Exception cause) {
    return new TargetException(TargetException.Kind.UNREACHABLE, why, cause);
  }

  /** Fills the topic while nothing is taken in, then lets it be drained. */
  private Drain drain(int batch, long readings)
      throws TargetException,
          IOException,
          InterruptedException,
          QueryException,
          InvalidProfileException {
    Map<Knob, String> knobs = Map.of(Knob.RATE, "2M", Knob.SPEED, "1000", Knob.BATCH, "" + batch);
    try (Queries status = target.openQueries()) {
      admin.pause();
      long before = counted(status);
      LoadResult filled =
          load(Profiles.find("uniform").with(knobs), LONGEST_RUN_NANOS, readings, false);
      long all = filled.tally().acknowledgedReadings();
      long began = System.nanoTime();
      admin.resume();
      while (true) {
        LockSupport.parkNanos(POLL_NANOS);
        // The warm-up's one reading may be among them or not.
        long drained = counted(status) - before;
        long nanos = System.nanoTime() - began;
        if (drained >= all || nanos > LONGEST_DRAIN_NANOS) {
          return new Drain(batch, Math.min(drained, all), nanos);
        }
        if (stopped) {
          throw stop(new InterruptedException());
        }
      }
    }
  }

  private void endFilling(Progress progress) {
    if (progress.phase() == Progress.Phase.SENDING && progress.atNanos() >= LONGEST_FILL_NANOS) {
      synchronized (this) {
        running.ifPresent(LoadRun::stopSending);
      }
    }
  }

  private static long counted(Queries queries) throws QueryException {
    TargetStatus status =
        queries.status().orElseThrow(() -> new QueryException(false, "the node has no status"));
    return status.stored() + status.overwritten() + status.duplicates() + status.refused();
  }

  /** Few enough sensors that each has pages of rows within seconds. */
  private Profile mixed() throws InvalidProfileException {
    return Profiles.find("uniform")
        .with(Map.of(Knob.SENSORS, "1000", Knob.RATE, "" + plan.rate(), Knob.SPEED, "10"));
  }

  private LoadResult load(Profile profile, long nanos, long readings, boolean measured)
      throws TargetException, IOException, InterruptedException {
    long warmUp = measured ? WARM_UP_NANOS : 0;
    LoadPlan load =
        new LoadPlan(
            profile,
            plan.seed(),
            warmUp,
            warmUp + nanos,
            readings,
            false,
            measured ? MARKER_NANOS : 0,
            measured ? QUERIES_A_SECOND : 0,
            measured,
            READ_AT_END,
            SETTLE_NANOS,
            SETTLE_NANOS,
            plan.program());
    LoadRun run =
        new LoadRun(load, target, measured ? p -> {} : this::endFilling, Optional.empty());
    synchronized (this) {
      if (stopped) {
        throw stop(new InterruptedException());
      }
      running = Optional.of(run);
    }
    LoadResult result = run.run();
    if (stopped) {
      throw stop(new InterruptedException());
    }
    return result;
  }
}
