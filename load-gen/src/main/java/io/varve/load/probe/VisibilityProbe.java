package io.varve.load.probe;

import io.varve.load.measure.Latency;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import java.util.List;

/**
 * Measures from when a marker was due to when an answer shows it.
 *
 * <p>Marker n is due at n intervals and belongs to sensor n modulo the number of sensors; markers
 * of one sensor become visible in order, so the newest one shown tells of all before it. All
 * sensors are asked at once. What is measured is at most one asking and one pause too long. Runs on
 * one thread; counters may be read by others.
 */
public final class VisibilityProbe {
  private final List<String> sensors;
  private final long startMicros;
  private final long intervalNanos;
  private final Queries queries;
  private final Latency visible;
  private final RowPage page = new RowPage();
  private final long[] nextOf;
  private volatile long seen;
  private volatile long answered;
  private volatile long unanswered;

  /**
   * @param sensors the sensors of markers, in turn
   * @param startMicros when marker 0 is due, as its timestamp says it
   */
  public VisibilityProbe(
      List<String> sensors,
      long startMicros,
      long intervalNanos,
      Queries queries,
      Latency visible) {
    this.sensors = List.copyOf(sensors);
    this.startMicros = startMicros;
    this.intervalNanos = intervalNanos;
    this.queries = queries;
    this.visible = visible;
    this.nextOf = new long[sensors.size()];
    for (int i = 0; i < nextOf.length; i++) {
      nextOf[i] = i;
    }
  }

  /** When the first marker that was not seen is due, in nanoseconds since the start. */
  public long nextDueNanos() {
    long next = Long.MAX_VALUE;
    for (long n : nextOf) {
      next = Math.min(next, n);
    }
    return next * intervalNanos;
  }

  /** Markers seen. */
  public long seen() {
    return seen;
  }

  /** Answers so far. */
  public long answered() {
    return answered;
  }

  /** Times at which there was no answer. */
  public long unanswered() {
    return unanswered;
  }

  /**
   * Asks once.
   *
   * @param now gives the nanoseconds since the start, after the answer
   */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread asks
  public void ask(java.util.function.LongSupplier now) {
    try {
      queries.latest(sensors, page);
    } catch (QueryException e) {
      unanswered++;
      return;
    }
    answered++;
    long at = now.getAsLong();
    for (int i = 0; i < nextOf.length; i++) {
      long timestamp = page.timestampMicros(i);
      while (timestamp != Queries.NONE && timestamp >= timestampOf(nextOf[i])) {
        long due = nextOf[i] * intervalNanos;
        visible.record(due, at - due);
        nextOf[i] += nextOf.length;
        seen++;
      }
    }
  }

  private long timestampOf(long marker) {
    return startMicros + marker * intervalNanos / 1_000;
  }
}
