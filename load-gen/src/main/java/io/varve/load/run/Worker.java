package io.varve.load.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A thread that does one thing until told to stop, and keeps what ended it before. */
final class Worker {
  private final Thread thread;
  private volatile boolean stopped;
  private volatile @Nullable Throwable failure;

  private Worker(String name, java.util.function.Consumer<Worker> body) {
    this.thread =
        new Thread(
            () -> {
              try {
                body.accept(this);
              } catch (RuntimeException | Error e) {
                failure = e;
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Starts a thread that does something once. */
  static Worker once(String name, Runnable body) {
    return new Worker(name, worker -> body.run());
  }

  /** Starts a thread that does something over and over. */
  static Worker repeating(String name, Runnable round) {
    return new Worker(
        name,
        worker -> {
          while (!worker.stopped) {
            round.run();
          }
        });
  }

  boolean alive() {
    return thread.isAlive();
  }

  /** Fails if something ended it before its end. */
  void rethrow() {
    Throwable cause = failure;
    if (cause != null) {
      throw new IllegalStateException("a thread of the load ended early", cause);
    }
  }

  /** Asks it to stop after the round under way. */
  void wishStop() {
    stopped = true;
  }

  /** Asks it to stop and waits for the round under way. */
  void stop() throws InterruptedException {
    stopped = true;
    thread.join();
  }

  /** The same, for at most so long. */
  void stop(Duration atMost) throws InterruptedException {
    stopped = true;
    thread.join(Math.max(1, atMost.toMillis()));
  }
}
