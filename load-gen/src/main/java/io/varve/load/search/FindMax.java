package io.varve.load.search;

import io.varve.load.fleet.InvalidProfileException;
import io.varve.load.fleet.Knob;
import io.varve.load.run.LoadPlan;
import io.varve.load.run.LoadResult;
import io.varve.load.run.LoadRun;
import io.varve.load.run.Progress;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import io.varve.load.target.TargetStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Puts one rate after another on a target, as {@link RateSearch} decides, and judges each. */
public final class FindMax {
  /** Between the rates of the first search, which knows nothing. */
  private static final double GROWTH = 2;

  /** Between those of a repeat, which begins near the end. */
  private static final double NEAR = 1.2;

  private static final long POLL_MILLIS = 100;

  private final SearchPlan plan;
  private final Target target;
  private final Consumer<Step> steps;
  private final BiConsumer<Long, Progress> progress;
  private Optional<LoadRun> running = Optional.empty();
  private volatile boolean stopped;
  private Optional<String> version = Optional.empty();

  /**
   * Prepares a search.
   *
   * @param steps is told of each rate that was tried
   * @param progress is told about once a second where a rate is
   */
  public FindMax(
      SearchPlan plan, Target target, Consumer<Step> steps, BiConsumer<Long, Progress> progress) {
    this.plan = plan;
    this.target = target;
    this.steps = steps;
    this.progress = progress;
  }

  /** Ends it; what was tried is in the result. From any thread. */
  public synchronized void stop() {
    stopped = true;
    running.ifPresent(
        run -> {
          run.stop(); // sending
          run.stop(); // and waiting
        });
  }

  /**
   * Searches.
   *
   * @throws TargetException if the target cannot be used, does not catch up, or the search was
   *     stopped before a rate was tried
   */
  public SearchResult run() throws TargetException, IOException, InterruptedException {
    List<Step> tried = new ArrayList<>();
    List<Long> found = new ArrayList<>();
    boolean unlimited = false;
    RateSearch search = new RateSearch(plan.start(), GROWTH, plan.resolution(), plan.highest());
    for (int repeat = 1; repeat <= plan.repeats() && !stopped; repeat++) {
      run(repeat, search, tried);
      if (stopped) {
        break;
      }
      found.add(search.found().orElse(0));
      unlimited |= search.unlimited();
      if (search.found().isEmpty()) {
        break; // what meets nothing need not be repeated
      }
      search = new RateSearch(search.found().getAsLong(), NEAR, plan.resolution(), plan.highest());
    }
    if (tried.isEmpty()) {
      throw new TargetException(TargetException.Kind.STOPPED, "stopped before a rate was tried");
    }
    if (found.isEmpty()) {
      found.add(search.found().orElse(0));
    }
    return new SearchResult(plan, target.describe(), version, found, unlimited, tried);
  }

  private void run(int repeat, RateSearch search, List<Step> tried)
      throws TargetException, IOException, InterruptedException {
    for (OptionalLong next = search.next(); next.isPresent() && !stopped; next = search.next()) {
      awaitCaughtUp();
      Optional<Step> step = step(repeat, next.getAsLong(), plan.seed() + tried.size());
      if (step.isEmpty()) {
        return;
      }
      search.tried(step.get().met());
      tried.add(step.get());
      steps.accept(step.get());
    }
  }

  /** Tries a rate; empty when the search was stopped meanwhile. */
  private Optional<Step> step(int repeat, long rate, long seed)
      throws TargetException, IOException, InterruptedException {
    LoadRun run = new LoadRun(load(rate, seed), target, p -> told(rate, p), Optional.empty());
    synchronized (this) {
      running = Optional.of(run);
    }
    LoadResult result;
    try {
      result = run.run();
    } catch (TargetException e) {
      if (stopped) {
        return Optional.empty();
      }
      throw e;
    }
    if (stopped) {
      return Optional.empty();
    }
    version = result.before().map(TargetStatus::version).or(() -> version);
    Objective.Figures figures = Objective.Figures.of(rate, result);
    return Optional.of(new Step(repeat, figures, plan.objective().misses(figures)));
  }

  private LoadPlan load(long rate, long seed) {
    try {
      return new LoadPlan(
          plan.profile().with(Map.of(Knob.RATE, "" + rate)),
          seed,
          plan.warmUpNanos(),
          plan.warmUpNanos() + plan.stepNanos(),
          Long.MAX_VALUE,
          false,
          plan.markerNanos(),
          plan.queriesPerSecond(),
          false,
          0,
          plan.patienceNanos(),
          plan.patienceNanos(),
          plan.program());
    } catch (InvalidProfileException e) {
      throw new IllegalStateException("a rate of our own: rate=" + rate, e);
    }
  }

  private void told(long rate, Progress now) {
    progress.accept(rate, now);
    if (now.phase() == Progress.Phase.SENDING && plan.objective().hopeless(now.visible())) {
      synchronized (this) {
        running.ifPresent(LoadRun::stopSending);
      }
    }
  }

  /** Lets the target take in what an earlier rate left behind. */
  private void awaitCaughtUp() throws TargetException, InterruptedException {
    long deadline = System.nanoTime() + plan.patienceNanos();
    try (Queries queries = target.openQueries()) {
      while (!stopped) {
        Optional<TargetStatus> status = queries.status();
        if (status.isEmpty() || status.get().totalLag() == 0) {
          return;
        }
        if (System.nanoTime() > deadline) {
          throw new TargetException(
              TargetException.Kind.UNREACHABLE,
              "the target does not catch up: lag_records=" + status.get().totalLag());
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    } catch (QueryException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, String.valueOf(e.getMessage()), e);
    }
  }
}
