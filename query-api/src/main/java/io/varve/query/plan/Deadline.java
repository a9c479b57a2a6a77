package io.varve.query.plan;

import java.time.Duration;
import java.util.function.LongSupplier;

/** The instant at which a query stops reading. */
public final class Deadline {
  private final LongSupplier nanoTime;
  private final long endNanos;

  private Deadline(LongSupplier nanoTime, long endNanos) {
    this.nanoTime = nanoTime;
    this.endNanos = endNanos;
  }

  /**
   * Starts the clock.
   *
   * @param nanoTime a monotonic clock in nanoseconds, such as {@link System#nanoTime}
   */
  public static Deadline after(Duration timeout, LongSupplier nanoTime) {
    return new Deadline(nanoTime, nanoTime.getAsLong() + timeout.toNanos());
  }

  /** Tells whether the time is used up. */
  public boolean passed() {
    return nanoTime.getAsLong() - endNanos >= 0;
  }
}
