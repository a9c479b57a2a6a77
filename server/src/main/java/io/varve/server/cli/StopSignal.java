package io.varve.server.cli;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import sun.misc.Signal;

/**
 * The wish to stop: SIGTERM, Ctrl-C or a closed terminal. The second one ends the process at once,
 * or a later one where a command has more than one thing to end.
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

  private final List<CountDownLatch> wishes;

  /** Signals come on threads of their own. */
  private int received;

  private long lastNanos;

  private StopSignal(int stages) {
    this.wishes = Stream.generate(() -> new CountDownLatch(1)).limit(stages).toList();
  }

  /** Takes over the process's stop signals; the second one ends the process. */
  static StopSignal install() {
    return install(1);
  }

  /**
   * Takes over the process's stop signals.
   *
   * @param stages how many are only wishes; the one after them ends the process
   */
  static StopSignal install(int stages) {
    StopSignal stop = new StopSignal(stages);
    for (String name : List.of("TERM", "INT", "HUP")) {
      Signal.handle(new Signal(name), stop::received);
    }
    return stop;
  }

  private synchronized void received(Signal signal) {
    long now = System.nanoTime();
    if (received > 0 && now - lastNanos <= SAME_WISH_NANOS) {
      return;
    }
    lastNanos = now;
    if (received == wishes.size()) {
      Runtime.getRuntime().halt(SIGNAL_EXIT + signal.getNumber());
    }
    CountDownLatch wish = wishes.get(received);
    received++;
    if (received == wishes.size()) {
      log.info("stopping: signal={} (another one ends at once)", signal.getName());
    }
    wish.countDown();
  }

  /** Wishes to stop from inside. */
  void wish() {
    wishes.get(0).countDown();
  }

  /** Waits for the wish to stop; false if the time passed before. */
  boolean await(Duration atMost) {
    try {
      return wishes.get(0).await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Waits for the wish to stop. */
  void await() {
    awaitWish(wishes.get(0));
  }

  /** Has something done at each wish to stop that is not the last, on a thread of its own. */
  void whenWished(Runnable stage) {
    Thread waiting =
        new Thread(
            () -> {
              for (CountDownLatch wish : wishes) {
                awaitWish(wish);
                stage.run();
              }
            },
            "varve-stop");
    waiting.setDaemon(true);
    waiting.start();
  }

  private static void awaitWish(CountDownLatch wish) {
    try {
      wish.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
