package io.varve.server.node;

import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What costs something to look at, looked at again only when its looks take at most a share of the
 * time, or after a minute: whoever asks in between is told what was seen last. Thread-safe.
 *
 * @param <T> an immutable value
 */
final class Rationed<T> {
  /** A look that took 1 ms stands for 100 ms. */
  private static final int SHARE = 100;

  private static final long OLDEST_NANOS = 60_000_000_000L;

  private final Supplier<T> look;
  private final LongSupplier nanoClock;
  private Optional<T> seen = Optional.empty();
  private long nextNanos;

  /**
   * @param nanoClock nanoseconds since any moment, monotone
   */
  Rationed(Supplier<T> look, LongSupplier nanoClock) {
    this.look = look;
    this.nanoClock = nanoClock;
  }

  /** Returns what is there now, or was a short while ago. */
  synchronized T get() {
    long began = nanoClock.getAsLong();
    if (seen.isEmpty() || began - nextNanos >= 0) {
      seen = Optional.of(look.get());
      long ended = nanoClock.getAsLong();
      nextNanos = ended + Math.min((ended - began) * SHARE, OLDEST_NANOS);
    }
    return seen.orElseThrow();
  }
}
