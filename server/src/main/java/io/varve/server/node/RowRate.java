package io.varve.server.node;

import java.util.concurrent.TimeUnit;

/** Rows applied a second: now, and at the best full second since the start. Thread-safe. */
final class RowRate {
  private static final double NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

  private long lastNanos;
  private long lastRows;
  private boolean begun;
  private double current;
  private double best;

  /**
   * Takes a reading of the running total; calls within a second of the last one only wait for it to
   * pass.
   *
   * @param nowNanos time on the monotonic clock
   * @param rows rows applied since the start
   */
  synchronized void sample(long nowNanos, long rows) {
    if (!begun) {
      begun = true;
      lastNanos = nowNanos;
      lastRows = rows;
      return;
    }
    double seconds = (nowNanos - lastNanos) / NANOS_A_SECOND;
    if (seconds < 1) {
      return;
    }
    // A store that has moved away takes its rows along: no negative rate.
    current = Math.max(0, rows - lastRows) / seconds;
    best = Math.max(best, current);
    lastNanos = nowNanos;
    lastRows = rows;
  }

  /** Rows a second over the last sampled span. */
  synchronized double current() {
    return current;
  }

  /** Rows a second over the best span of at least a second; 0 before the first rows. */
  synchronized double best() {
    return best;
  }
}
