package io.varve.query.api;

import io.varve.query.api.Problem.Kind;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The door that keeps the number of running queries bounded and sheds the rest early: a query waits
 * for its turn briefly or is refused at once, never worked on after its client has given up.
 */
final class Admission {
  /** Longest wait; refusals come within 50 ms. */
  private static final long MAX_WAIT_MILLIS = 40;

  private final Semaphore turns;
  private final AtomicInteger waiting = new AtomicInteger();
  private final int maxWaiting;

  Admission(int concurrent, int maxWaiting) {
    this.turns = new Semaphore(concurrent);
    this.maxWaiting = maxWaiting;
  }

  /**
   * Runs a query in its turn.
   *
   * @throws ProblemException if there is no turn soon
   */
  <T> T run(Supplier<T> query) {
    if (!turns.tryAcquire()) {
      waitForTurn();
    }
    try {
      return query.get();
    } finally {
      turns.release();
    }
  }

  private void waitForTurn() {
    boolean admitted = false;
    if (waiting.incrementAndGet() <= maxWaiting) {
      try {
        admitted = turns.tryAcquire(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    waiting.decrementAndGet();
    if (!admitted) {
      throw new ProblemException(
          Problem.retry(
              Kind.OVERLOADED, "As many queries run and wait as are allowed; try again shortly."));
    }
  }
}
