package io.varve.server.node;

import java.util.concurrent.TimeUnit;

/**
 * Rows applied a second: now, and at the best full second since the start in which there was more
 * to apply than was applied. Thread-safe.
 */
final class RowRate {
  private static final double NANOS_A_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** What waits in passing at any rate is less; what a drain or a restore has before it, more. */
  private static final long BUSY_RECORDS = 1_000;

  private long lastNanos;
  private long lastRows;
  private boolean lastBusy;
  private boolean begun;
  private double current;
  private double best;

  /**
   * Takes a reading of the running total; calls within a second of the last one only wait for it to
   * pass.
   *
   * @param nowNanos time on the monotonic clock
   * @param rows rows applied since the start
   * @param lagRecords records that wait to be applied
   */
  synchronized void sample(long nowNanos, long rows, long lagRecords) {
    boolean busy = lagRecords >= BUSY_RECORDS;
    if (begun) {
      double seconds = (nowNanos - lastNanos) / NANOS_A_SECOND;
      if (seconds < 1) {
        return;
      }
      // A store that has moved away takes its rows along: no negative rate.
      current = Math.max(0, rows - lastRows) / seconds;
      if (busy && lastBusy) {
        best = Math.max(best, current);
      }
    }
    begun = true;
    lastNanos = nowNanos;
    lastRows = rows;
    lastBusy = busy;
  }

  /** Rows a second over the last sampled span. */
  synchronized double current() {
    return current;
  }

  /** Rows a second over the best busy span of at least a second; 0 before the first. */
  synchronized double best() {
    return best;
  }
}
