package io.varve.load.run;

import io.varve.load.probe.QueryProbe;
import io.varve.load.probe.VisibilityProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The threads that ask while a load is on: for the status, for markers, and all kinds of things.
 */
final class Asking {
  private static final long STATUS_NANOS = 1_000_000_000;
  private static final long VISIBLE_PAUSE_NANOS = 1_000_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000_000;

  private final Clock clock;
  private final long startNanos;
  private final RunningLoad.Ways ways;
  private final StatusWatch status;
  private final VisibilityProbe visibility;
  private final QueryProbe questions;
  private final List<Worker> workers = new ArrayList<>();

  Asking(
      Clock clock,
      long startNanos,
      RunningLoad.Ways ways,
      StatusWatch status,
      VisibilityProbe visibility,
      QueryProbe questions) {
    this.clock = clock;
    this.startNanos = startNanos;
    this.ways = ways;
    this.status = status;
    this.visibility = visibility;
    this.questions = questions;
  }

  void start(boolean markers, boolean queries) {
    workers.add(Worker.repeating("load-status", this::askStatus));
    if (markers) {
      workers.add(Worker.repeating("load-visible", this::askVisible));
    }
    if (queries) {
      workers.add(Worker.repeating("load-queries", this::askQuestion));
    }
  }

  private long now() {
    return clock.nanos() - startNanos;
  }

  private void askStatus() {
    status.ask();
    clock.await(clock.nanos() + STATUS_NANOS);
  }

  private void askVisible() {
    if (visibility.nextDueNanos() > now()) {
      clock.await(
          Math.min(startNanos + visibility.nextDueNanos(), clock.nanos() + LONGEST_PAUSE_NANOS));
      return;
    }
    visibility.ask(this::now);
    clock.await(clock.nanos() + VISIBLE_PAUSE_NANOS);
  }

  private void askQuestion() {
    long due = questions.nextDueNanos();
    if (due > now()) {
      clock.await(Math.min(startNanos + due, clock.nanos() + LONGEST_PAUSE_NANOS));
      return;
    }
    questions.ask();
  }

  /** Waits for answers under way, at most so long: who still waits then gets none. */
  void stop(long graceNanos) throws InterruptedException {
    workers.forEach(Worker::wishStop);
    long graceEnd = clock.nanos() + graceNanos;
    for (Worker worker : workers) {
      worker.stop(Duration.ofNanos(Math.max(1_000_000, graceEnd - clock.nanos())));
    }
    end();
    for (Worker worker : workers) {
      worker.stop();
      worker.rethrow();
    }
  }

  /** Answers nobody any more. From any thread. */
  void end() {
    ways.statusQueries().close();
    ways.visibleQueries().close();
    ways.probeQueries().close();
  }
}
