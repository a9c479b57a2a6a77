package io.varve.load.lab;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * A sensor whose rows follow from a seed, so that any answer can be checked without a stored copy.
 *
 * @param shards parts that each of its days is spread over
 * @param days days with rows, up to {@link #NEWEST_DAY}
 * @param newestRows rows of the newest day
 * @param olderRows rows of each other day
 */
record MergeSensor(
    Density density, int shards, int days, int newestRows, int olderRows, long seed) {
  /** Day number of the newest day: a fixed one, so that every run places the rows alike. */
  static final long NEWEST_DAY = LocalDate.of(2023, 12, 31).toEpochDay();

  private static final long DAY_MICROS = 86_400_000_000L;

  /** One row in so many has the timestamp of the one before, and a sequence. */
  private static final int TWIN_EVERY = 16;

  /** Whether the newest day alone has what is asked for. */
  enum Density {
    SPARSE,
    DENSE;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One row. */
  record Row(long timestampMicros, long sequence, double value) {}

  String id() {
    return "lab-merge-" + density.text() + "-" + shards + "-shards-" + days + "-days";
  }

  /** Rows of all days. */
  long rows() {
    return newestRows + (days - 1L) * olderRows;
  }

  /** First instant of its oldest day. */
  long fromMicros() {
    return (NEWEST_DAY - days + 1) * DAY_MICROS;
  }

  /**
   * The rows of one day, oldest first.
   *
   * @param age 0 for the newest day, {@code days - 1} for the oldest
   */
  List<Row> rowsOfDay(int age) {
    int count = age == 0 ? newestRows : olderRows;
    long day = NEWEST_DAY - age;
    SplittableRandom random = new SplittableRandom(seed * 31 + id().hashCode() + day * 1_000_003);
    long slot = DAY_MICROS / count;
    List<Row> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long timestamp = day * DAY_MICROS + i * slot + random.nextLong(slot);
      double value = random.nextInt(10_000) / 100.0;
      boolean twin = i % TWIN_EVERY == TWIN_EVERY - 1;
      rows.add(new Row(twin ? rows.get(i - 1).timestampMicros : timestamp, twin ? 1 : 0, value));
    }
    return rows;
  }

  /** The rows that an answer must have, newest first. */
  List<Row> latest(int limit) {
    List<Row> latest = new ArrayList<>(limit);
    for (int age = 0; age < days && latest.size() < limit; age++) {
      List<Row> rows = rowsOfDay(age);
      for (int i = rows.size() - 1; i >= 0 && latest.size() < limit; i--) {
        latest.add(rows.get(i));
      }
    }
    return latest;
  }
}
