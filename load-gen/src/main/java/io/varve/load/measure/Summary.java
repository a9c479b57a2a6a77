package io.varve.load.measure;

import java.util.Locale;

/**
 * Durations in a few numbers, in nanoseconds; all 0 when nothing was recorded.
 *
 * @param count how many were recorded
 */
public record Summary(
    long count, long mean, long p50, long p90, long p99, long p999, long p9999, long max) {

  /** Writes a duration with a unit that suits its size: {@code 812 µs}, {@code 3.4 ms}. */
  public static String text(long nanos) {
    if (nanos < 1_000_000) {
      return String.format(Locale.ROOT, "%d µs", Math.round(nanos / 1e3));
    }
    if (nanos < 1_000_000_000) {
      return String.format(Locale.ROOT, nanos < 100_000_000 ? "%.1f ms" : "%.0f ms", nanos / 1e6);
    }
    return String.format(Locale.ROOT, "%.2f s", nanos / 1e9);
  }
}
