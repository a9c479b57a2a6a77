package io.varve.load.search;

import io.varve.load.measure.Latency;
import io.varve.load.measure.Summary;
import io.varve.load.probe.QueryKind;
import io.varve.load.run.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a rate has to meet.
 *
 * @param visibleP99Nanos the longest p99 from produce to visible
 * @param latestP99Nanos the longest p99 of an answer with the newest 100 rows of a sensor
 */
public record Objective(long visibleP99Nanos, long latestP99Nanos) {
  /** A rate is not reached when sending takes longer by this than it should have. */
  private static final double BEHIND = 1.02;

  private static final long ON_SCHEDULE_NANOS = 1_000_000;

  /**
   * What one rate led to, as far as it is judged.
   *
   * @param askedPerSecond the rate asked for
   * @param reachedPerSecond the rate reached
   * @param stretched how long sending took, as a multiple of how long it should have
   * @param visible durations to visibility
   * @param latest durations of queries for the newest rows
   * @param schedule how late readings were handed over through no fault of the target
   * @param heldUpNanos how long the target held up sending
   * @param unseen markers that were never seen
   * @param failed readings not acknowledged, and answers missing or unreadable
   */
  public record Figures(
      double askedPerSecond,
      double reachedPerSecond,
      double stretched,
      Summary visible,
      Summary latest,
      Summary schedule,
      long heldUpNanos,
      long unseen,
      long failed) {
    static Figures of(double asked, LoadResult result) {
      Summary latest = new Summary(0, 0, 0, 0, 0, 0, 0, 0);
      for (Latency query : result.queries()) {
        if (query.name().equals(QueryKind.LATEST.text())) {
          latest = query.total();
        }
      }
      return new Figures(
          asked,
          result.rateReached(),
          (double) result.sendNanos() / result.plan().runNanos(),
          result.visible().total(),
          latest,
          result.scheduleError().total(),
          result.blockedNanos(),
          result.markers() - result.markersSeen(),
          result.tally().failedReadings() + result.unanswered() + result.failedAnswers());
    }
  }

  /** Why a rate does not meet this, a sentence part each; empty when it does. */
  public List<String> misses(Figures f) {
    List<String> misses = new ArrayList<>();
    if (f.failed() > 0) {
      misses.add(f.failed() + " readings or questions failed");
    }
    if (f.unseen() > 0) {
      misses.add(f.unseen() + " markers never became visible");
    }
    over(misses, "produce-to-visible", f.visible(), visibleP99Nanos);
    over(misses, QueryKind.LATEST.text(), f.latest(), latestP99Nanos);
    if (f.stretched() > BEHIND) {
      misses.add(
          String.format(
              Locale.ROOT,
              "the rate was not reached: %,.0f/s%s",
              f.reachedPerSecond(),
              f.heldUpNanos() > 0
                  ? ", the target held it up for " + Summary.text(f.heldUpNanos())
                  : ""));
    }
    if (!misses.isEmpty() && f.schedule().p99() > ON_SCHEDULE_NANOS) {
      misses.add(
          "the load generator was itself late, p99 "
              + Summary.text(f.schedule().p99())
              + ", and may be the bottleneck");
    }
    return misses;
  }

  private static void over(List<String> misses, String name, Summary summary, long limitNanos) {
    if (summary.count() == 0) {
      misses.add(name + " was not measured");
    } else if (summary.p99() > limitNanos) {
      misses.add(
          name + " p99 " + Summary.text(summary.p99()) + " is above " + Summary.text(limitNanos));
    }
  }

  /** Whether a p99 so far is so bad that the rest of the step need not be awaited. */
  boolean hopeless(Summary visible) {
    return visible.count() >= 50 && visible.p50() > 10 * visibleP99Nanos;
  }
}
