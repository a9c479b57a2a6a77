package io.varve.storage;

import static io.varve.storage.Order.NEWEST_FIRST;
import static io.varve.storage.Order.OLDEST_FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What readers see while the one writer works. */
public abstract class ConcurrencyContract extends PartitionContract {
  /** C057: a row put ahead of the cursor may be seen, one behind it is not, nothing repeats. */
  @Test
  void walkGoesOnOverRowsPutUnderIt() {
    for (int i = 0; i < 1_000; i++) {
      put(row(JUNE + i * 100, i));
    }
    Fragment fragment = store.reader().newest(PUMP).get(0);
    Scan scan = new Scan(TimeRange.ALL, NEWEST_FIRST, Optional.empty(), Integer.MAX_VALUE);
    List<Row> seen = new ArrayList<>();
    try (RowCursor cursor = store.reader().read(PUMP, fragment, scan, new ReadStats())) {
      while (cursor.next()) {
        seen.add(current(cursor));
        if (seen.size() == 500) {
          for (int i = 0; i < 1_000; i++) {
            put(row(JUNE + i * 100 + 50, -1));
          }
        }
      }
      assertThat(cursor.next()).isFalse();
    }
    assertThat(seen).isEqualTo(sorted(seen, NEWEST_FIRST)).doesNotHaveDuplicates();
    assertThat(seen.stream().filter(row -> row.value() >= 0)).hasSize(1_000);
    assertThat(seen.subList(0, 500)).allMatch(row -> row.value() >= 0);
  }

  @Test
  void newestSideOfAWalkIsAsOfItsOpeningOrLater() {
    put(row(JUNE, 1));
    Fragment fragment = store.reader().newest(PUMP).get(0);
    put(row(JUNE + 1, 2));
    Scan scan = new Scan(TimeRange.ALL, NEWEST_FIRST, Optional.empty(), 10);
    assertThat(walk(store.reader(), PUMP, fragment, scan, new ReadStats()))
        .containsExactly(row(JUNE + 1, 2), row(JUNE, 1));
  }

  /** Even microseconds were there from the start; odd ones come in random order meanwhile. */
  @Seeded(runs = 3, fullRuns = 50)
  void readersSeeEveryOldRowOnceAndInOrderWhileTheWriterInserts(RandomGenerator random)
      throws Exception {
    int old = 4_000;
    for (int i = 0; i < old; i++) {
      put(row(JUNE + 2 * i, i));
    }
    Callable<Void> writer =
        () -> {
          for (int i = 0; i < 4_000; i++) {
            put(row(JUNE + 2 * random.nextInt(old) + 1, -1));
          }
          return null;
        };
    List<Row> expected = walk(TimeRange.ALL, OLDEST_FIRST);
    besideTheWriter(
        writer,
        2,
        reader -> {
          Order order = reader % 2 == 0 ? NEWEST_FIRST : OLDEST_FIRST;
          List<Row> seen = walk(TimeRange.ALL, order);
          for (int i = 1; i < seen.size(); i++) {
            Row a = seen.get(i - 1);
            Row b = seen.get(i);
            assertThat(
                    order.compare(
                        a.timestampMicros(), a.sequence(), b.timestampMicros(), b.sequence()))
                .isNegative();
          }
          assertThat(seen.stream().filter(row -> row.value() >= 0).toList())
              .isEqualTo(sorted(expected, order));
        });
  }

  /** C089: no reader sees an older value than one that was applied before it asked. */
  @Test
  void valuesNeverGoBack() throws Exception {
    AtomicInteger applied = new AtomicInteger();
    put(row(JUNE, 0));
    Callable<Void> writer =
        () -> {
          for (int value = 1; value <= 20_000; value++) {
            put(row(JUNE, value));
            applied.set(value);
          }
          return null;
        };
    besideTheWriter(
        writer,
        4,
        reader -> {
          int before = applied.get();
          Row seen = walk(TimeRange.ALL, NEWEST_FIRST).get(0);
          assertThat(seen.value()).isGreaterThanOrEqualTo(before);
          assertThat(store.reader().sensor(PUMP).orElseThrow().last().value())
              .isGreaterThanOrEqualTo(seen.value());
        });
  }

  /**
   * Rows come in front of the newest one, of which most are late, so that blocks split under the
   * readers: none of them is given a row older than one that was applied before it asked.
   */
  @Seeded(runs = 3, fullRuns = 50)
  void newestRowNeverGoesBack(RandomGenerator random) throws Exception {
    AtomicInteger applied = new AtomicInteger();
    put(row(JUNE, 0));
    Callable<Void> writer =
        () -> {
          for (int i = 1; i <= 20_000; i++) {
            put(row(JUNE + i, i));
            applied.set(i);
            put(row(JUNE + random.nextInt(i) + 1, i), row(JUNE - random.nextInt(20_000), -1));
          }
          return null;
        };
    besideTheWriter(
        writer,
        2,
        reader -> {
          NewestRows rows = store.reader().newestRows();
          for (int i = 0; i < 100; i++) {
            int before = applied.get();
            rows.find(List.of(SensorId.of("nobody"), PUMP));
            assertThat(rows.read(0b10, new ReadStats())).isEqualTo(0b10);
            assertThat(rows.timestampMicros(1)).isGreaterThanOrEqualTo(JUNE + before);
          }
        });
  }

  /** C197: the index and the rows agree while days appear. */
  @Test
  void everyAppliedDayIsListedAtOnce() throws Exception {
    AtomicInteger days = new AtomicInteger();
    Callable<Void> writer =
        () -> {
          for (int day = 1; day <= 150; day++) {
            put(row(JUNE + day * UtcDay.MICROS, day));
            days.set(day);
          }
          return null;
        };
    put(row(JUNE, 0));
    besideTheWriter(
        writer,
        2,
        reader -> {
          int before = days.get();
          int newest = store.reader().newest(PUMP).get(0).day();
          assertThat(newest).isGreaterThanOrEqualTo(JUNE_DAY + before);
          List<Fragment> listed = store.reader().fragments(PUMP, TimeRange.ALL);
          assertThat(listed.size()).isGreaterThan(before);
          assertThat(walk(TimeRange.ALL, NEWEST_FIRST).size()).isGreaterThan(before);
        });
  }

  @Test
  void walksEndInGoodOrderWhileDaysExpireUnderThem() throws Exception {
    for (int day = 0; day < 60; day++) {
      for (int i = 0; i < 20; i++) {
        put(row(JUNE + day * UtcDay.MICROS + i, day));
      }
    }
    Callable<Void> writer =
        () -> {
          for (int day = 1; day < 60; day++) {
            store.expire(JUNE_DAY + day);
            put(row(JUNE + 59 * UtcDay.MICROS + 100 + day, 59));
          }
          return null;
        };
    besideTheWriter(
        writer,
        2,
        reader -> {
          List<Row> seen = walk(TimeRange.ALL, NEWEST_FIRST);
          assertThat(seen).isEqualTo(sorted(seen, NEWEST_FIRST));
          assertThat(seen.stream().filter(row -> row.value() == 59).count())
              .isGreaterThanOrEqualTo(20);
        });
  }

  private interface Observation {
    void observe(int reader) throws Exception;
  }

  /** Runs a writer once and readers over and over until it ends, each at least once. */
  private static void besideTheWriter(Callable<Void> writer, int readers, Observation observation)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(readers + 1);
    try {
      AtomicBoolean written = new AtomicBoolean();
      List<Future<Void>> running = new ArrayList<>();
      for (int i = 0; i < readers; i++) {
        int reader = i;
        running.add(
            threads.submit(
                () -> {
                  boolean last;
                  do {
                    last = written.get();
                    observation.observe(reader);
                  } while (!last);
                  return null;
                }));
      }
      Future<Void> writing = threads.submit(writer);
      try {
        writing.get();
      } finally {
        written.set(true);
      }
      for (Future<Void> each : running) {
        each.get();
      }
    } finally {
      threads.shutdownNow();
      assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
