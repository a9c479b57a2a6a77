package io.varve.server.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/**
 * The wish to stop: SIGTERM, Ctrl-C or a closed terminal. The second one ends the process at once.
 *
 * <p>A shutdown hook could do neither: the JVM would end with 143 whatever the hook does, and it
 * ignores further signals while hooks run. {@code sun.misc.Signal} is what the JDK offers instead
 * (module jdk.unsupported, there in 17 to 25). Signals that the parent ignores, as {@code nohup}
 * does, stay ignored.
 */
final class StopSignal {
  private static final Logger log = LoggerFactory.getLogger(StopSignal.class);
  private static final int SIGNAL_EXIT = 128;

  /** One wish may send two signals: timeout(1) tells the process and then its group. */
  private static final long SAME_WISH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final AtomicLong firstNanos = new AtomicLong();
  private final CountDownLatch wished = new CountDownLatch(1);

  private StopSignal() {}

  /** Takes over the process's stop signals. */
  static StopSignal install() {
    StopSignal stop = new StopSignal();
    for (String name : List.of("TERM", "INT", "HUP")) {
      Signal.handle(new Signal(name), stop::received);
    }
    return stop;
  }

  private void received(Signal signal) {
    long now = System.nanoTime();
    long since = now - firstNanos.updateAndGet(first -> first == 0 ? now : first);
    if (since > SAME_WISH_NANOS) {
      Runtime.getRuntime().halt(SIGNAL_EXIT + signal.getNumber());
    }
    if (since > 0) {
      return;
    }
    log.info("stopping: signal={} (a second one ends at once)", signal.getName());
    wished.countDown();
  }

  /** Wishes to stop from inside. */
  void wish() {
    wished.countDown();
  }

  /** Waits for the wish to stop; false if the time passed before. */
  boolean await(Duration atMost) {
    try {
      return wished.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Waits for the wish to stop. */
  void await() {
    while (!await(Duration.ofDays(1))) {
      // no wish in a day
    }
  }
}
