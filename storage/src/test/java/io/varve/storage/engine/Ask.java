package io.varve.storage.engine;

import static io.varve.storage.engine.StorageBenchmark.line;

import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.RowRun;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Questions to a store, one after another, and how long each answer takes. */
final class Ask {
  private static final int QUESTIONS = 50_000;
  private static final int ROUNDS = 3;
  private static final long FIVE_MINUTES = 300_000_000;

  private final RowRun run = new RowRun(1_024);
  private final PartitionStore store;
  private final SensorId[] ids;
  private final SplittableRandom random = new SplittableRandom(7);

  Ask(PartitionStore store, int sensors) {
    this.store = store;
    this.ids = new SensorId[sensors];
    for (int i = 0; i < sensors; i++) {
      byte[] id = ArrivalOrder.id(i);
      ids[i] = SensorId.of(id, 0, id.length);
    }
  }

  /** A question: adds up what it reads, so that nothing is left out. */
  private interface Question {
    double ask(SensorId id, ReadStats stats);
  }

  /** Newest rows of random sensors, the hot one left out. */
  void latest(String what, int rows) {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), rows);
    time(what, QUESTIONS, (id, stats) -> walk(id, scan, stats));
  }

  /** Blocks and rows of "latest 20" of sensors whose newest day has that many. */
  void latestTwenty() {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 20);
    ReadStats stats = new ReadStats();
    int asked = 0;
    while (asked < 1_000) {
      SensorId id = any();
      Fragment newest = store.newest(id).get(0);
      if (rows(id, newest) >= 20) {
        walk(id, scan, stats);
        asked++;
      }
    }
    line("latest 20: blocks", stats.blocks / 1e3);
    line("latest 20: rows decoded", stats.rowsDecoded / 1e3);
  }

  private int rows(SensorId id, Fragment fragment) {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 20);
    int rows = 0;
    try (RowCursor cursor = store.read(id, fragment, scan, new ReadStats())) {
      while (rows < 20 && cursor.next()) {
        rows++;
      }
    }
    return rows;
  }

  /** Ranges of a length at random places among the sensor's rows. */
  void range(String what, Duration length, Order order) {
    long newest = store.freshness().eventTimeMicros().getAsLong();
    long oldest = oldest();
    long room = newest - oldest - length.toNanos() / 1_000;
    time(
        what,
        (int) Math.max(200, QUESTIONS / length.toHours() / 4),
        (id, stats) -> {
          long from = oldest + random.nextLong(room);
          Scan scan =
              new Scan(
                  StorageBenchmark.range(from, length), order, Optional.empty(), Integer.MAX_VALUE);
          return walk(id, scan, stats);
        });
  }

  private long oldest() {
    Scan scan = new Scan(TimeRange.ALL, Order.OLDEST_FIRST, Optional.empty(), 1);
    List<Fragment> fragments = store.fragments(ids[1], TimeRange.ALL);
    Fragment first = fragments.get(fragments.size() - 1);
    try (RowCursor cursor = store.read(ids[1], first, scan, new ReadStats())) {
      cursor.next();
      return cursor.timestampMicros();
    }
  }

  /** Averages of five minutes over 24 hours across midnight, summed in plain doubles. */
  void averages(String what) {
    long from = RecordStream.JUNE - Duration.ofHours(12).toNanos() / 1_000;
    TimeRange day = StorageBenchmark.range(from, Duration.ofHours(24));
    Scan scan = new Scan(day, Order.NEWEST_FIRST, Optional.empty(), Integer.MAX_VALUE);
    time(what, 1_000, (id, stats) -> averages(id, scan, stats));
  }

  private double averages(SensorId id, Scan scan, ReadStats stats) {
    double all = 0;
    double sum = 0;
    long start = Long.MAX_VALUE;
    int count = 0;
    for (Fragment fragment : store.fragments(id, scan.range())) {
      try (RowCursor cursor = store.read(id, fragment, scan, stats)) {
        while (cursor.nextRun(run)) {
          for (int i = run.size - 1; i >= 0; i--) {
            if (run.timestamps[i] < start) {
              all += count == 0 ? 0 : sum / count;
              start = Math.floorDiv(run.timestamps[i], FIVE_MINUTES) * FIVE_MINUTES;
              sum = 0;
              count = 0;
            }
            sum += Double.longBitsToDouble(run.valueBits[i]);
            count++;
          }
        }
      }
    }
    return all;
  }

  /** Every row of every sensor: rows a second, and what of the heap a row takes. */
  void everything() {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), Integer.MAX_VALUE);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    double best = 0;
    double heap = 0;
    double sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      ReadStats stats = new ReadStats();
      long bytes = threads.getCurrentThreadAllocatedBytes();
      long before = System.nanoTime();
      for (SensorId id : ids) {
        for (Fragment fragment : store.fragments(id, scan.range())) {
          try (RowCursor cursor = store.read(id, fragment, scan, stats)) {
            while (cursor.nextRun(run)) {
              sum += run.valueBits[0] + run.timestamps[run.size - 1];
            }
          }
        }
      }
      best = Math.max(best, stats.rowsDecoded / ((System.nanoTime() - before) / 1e9));
      heap = (double) (threads.getCurrentThreadAllocatedBytes() - bytes) / stats.rowsDecoded;
    }
    if (sum == 0) {
      throw new AssertionError("no row was read");
    }
    line("every row, by runs, rows/s", best);
    line("bytes of heap a row decoded", heap);
  }

  /** One answer. */
  void once() {
    latestOf(ids[ids.length / 2]);
  }

  private double latestOf(SensorId id) {
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 100);
    return walk(id, scan, new ReadStats());
  }

  private SensorId any() {
    return ids[1 + random.nextInt(ids.length - 1)];
  }

  private void time(String what, int questions, Question question) {
    double best = Double.MAX_VALUE;
    double bestHigh = Double.MAX_VALUE;
    ReadStats stats = new ReadStats();
    double sum = 0;
    for (int round = 0; round <= ROUNDS; round++) {
      long[] nanos = new long[questions];
      stats = new ReadStats();
      for (int i = 0; i < questions; i++) {
        SensorId id = any();
        long before = System.nanoTime();
        sum += question.ask(id, stats);
        nanos[i] = System.nanoTime() - before;
      }
      Arrays.sort(nanos);
      if (round > 0) { // the first one warms up
        best = Math.min(best, nanos[questions / 2] / 1e3);
        bestHigh = Math.min(bestHigh, nanos[questions * 99 / 100] / 1e3);
      }
    }
    line(what + " p50 µs", best);
    line(what + " p99 µs", bestHigh);
    line(what + " blocks", (double) stats.blocks / questions);
    line(what + " rows decoded", (double) stats.rowsDecoded / questions);
    if (sum == 0) {
      throw new AssertionError("no row was read");
    }
  }

  private double walk(SensorId id, Scan scan, ReadStats stats) {
    double sum = 0;
    int left = scan.rowsWanted();
    List<Fragment> fragments = store.fragments(id, scan.range());
    boolean descending = scan.order() == Order.NEWEST_FIRST;
    for (int i = 0; i < fragments.size() && left > 0; i++) {
      Fragment fragment = fragments.get(descending ? i : fragments.size() - 1 - i);
      try (RowCursor cursor = store.read(id, fragment, scan, stats)) {
        while (left > 0 && cursor.next()) {
          sum += cursor.value() + cursor.timestampMicros();
          left--;
        }
      }
    }
    return sum;
  }

  /** Threads that ask for the latest 100 rows at a set rate until they are stopped. */
  final class Readers implements AutoCloseable {
    private final Thread[] threads;
    private final AtomicLong answers = new AtomicLong();
    private final long begun = System.nanoTime();
    private volatile boolean stopped;

    private Readers(int count, int perSecond) {
      threads = new Thread[count];
      for (int i = 0; i < count; i++) {
        SplittableRandom own = random.split();
        threads[i] = new Thread(() -> read(own, 1_000_000_000L * count / perSecond), "reader-" + i);
        threads[i].setDaemon(true);
        threads[i].start();
      }
    }

    private void read(SplittableRandom own, long everyNanos) {
      long due = System.nanoTime();
      double sum = 0;
      while (!stopped) {
        sum += latestOf(ids[1 + own.nextInt(ids.length - 1)]);
        answers.incrementAndGet();
        due += everyNanos;
        long wait = due - System.nanoTime();
        if (wait > 0) {
          LockSupport.parkNanos(wait);
        }
      }
      if (sum == 0) {
        throw new AssertionError("no row was read");
      }
    }

    /** Stops them; returns the answers a second. */
    double stop() {
      stopped = true;
      return answers.get() / ((System.nanoTime() - begun) / 1e9);
    }

    @Override
    public void close() {
      stopped = true;
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  Readers startReaders(int count, int perSecond) {
    return new Readers(count, perSecond);
  }
}
