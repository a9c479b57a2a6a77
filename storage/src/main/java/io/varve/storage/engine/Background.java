package io.varve.storage.engine;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One thread of a store for what need not be waited for. */
final class Background {
  private static final Logger LOG = LoggerFactory.getLogger(Background.class);
  private static final long END_SECONDS = 60;

  private final String name;
  private final ScheduledThreadPoolExecutor thread;

  Background(String name) {
    this.name = name;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread t = new Thread(task, name);
              t.setDaemon(true);
              return t;
            });
    // Closing forces and closes everything itself: what is not due yet need not be waited for.
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** Runs a task later; not at all once the store is closing, which does what is left itself. */
  void later(long waitNanos, Runnable task) {
    try {
      var unused = thread.schedule(task, waitNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("store is closing: thread={}", name);
    }
  }

  /** Takes no more tasks. */
  void stop() {
    thread.shutdown();
  }

  /** Waits, for a bounded time, for what runs; to be called after {@link #stop}. */
  void awaitEnd() throws InterruptedException {
    if (!thread.awaitTermination(END_SECONDS, TimeUnit.SECONDS)) {
      LOG.error("work in the background does not end: thread={}", name);
    }
  }
}
