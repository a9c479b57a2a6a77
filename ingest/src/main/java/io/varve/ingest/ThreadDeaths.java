package io.varve.ingest;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows the death of a stream thread: a new thread, as long as they do not die
 * faster than a limit, else the end of ingest with a reason.
 */
final class ThreadDeaths implements StreamsUncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadDeaths.class);

  static final int MOST = 5;
  static final Duration WITHIN = Duration.ofMinutes(10);

  private final LongSupplier nanoClock;
  private final Deque<Long> deaths = new ArrayDeque<>();
  private volatile Optional<String> reason = Optional.empty();

  ThreadDeaths(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Why ingest ended; empty while it has not. */
  Optional<String> reason() {
    return reason;
  }

  @Override
  public synchronized StreamThreadExceptionResponse handle(Throwable fault) {
    long now = nanoClock.getAsLong();
    deaths.add(now);
    while (now - deaths.getFirst() > WITHIN.toNanos()) {
      deaths.removeFirst();
    }
    if (fault instanceof Error || deaths.size() > MOST) {
      reason =
          Optional.of(
              (fault instanceof Error
                      ? "the virtual machine failed: "
                      : deaths.size() + " stream threads died within " + WITHIN + ", the last of: ")
                  + rootCause(fault));
      LOG.error("Ingest ends: reason={}", reason.get(), fault);
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    LOG.error("Stream thread died, starting another: deaths={}", deaths.size(), fault);
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  private static Throwable rootCause(Throwable fault) {
    Throwable cause = fault;
    while (cause.getCause() != null && cause.getCause() != cause) {
      cause = cause.getCause();
    }
    return cause;
  }
}
