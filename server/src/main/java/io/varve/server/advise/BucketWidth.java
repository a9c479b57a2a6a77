package io.varve.server.advise;

import java.time.LocalDate;
import java.util.Locale;

/** The time bucket of a candidate key, widest last; all in UTC. */
public enum BucketWidth {
  HOUR(1),
  DAY(24),
  /** From Monday. */
  WEEK(7 * 24),
  /** Of the calendar; its length is given as 30 days. */
  MONTH(30 * 24),
  /** No bucket: all rows of a sensor for good. */
  NONE(0);

  /** Days from Monday, 1969-12-29, to 1970-01-01. */
  private static final long DAYS_TO_EPOCH = 3;

  private static final long HOURS_A_DAY = 24;

  private final long hours;

  BucketWidth(long hours) {
    this.hours = hours;
  }

  /** Length in hours; 0 where there is no bucket. */
  public long hours() {
    return hours;
  }

  /**
   * Returns the number of the bucket that a day lies in; of hours, that of the first.
   *
   * @param day days since 1970
   */
  long bucketOfDay(long day) {
    return switch (this) {
      case HOUR -> day * HOURS_A_DAY;
      case DAY -> day;
      case WEEK -> Math.floorDiv(day + DAYS_TO_EPOCH, 7);
      case MONTH -> monthOf(day);
      case NONE -> 0;
    };
  }

  private static long monthOf(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    return date.getYear() * 12L + date.getMonthValue() - 1;
  }

  private LocalDate firstDay(long bucket) {
    return switch (this) {
      case HOUR -> LocalDate.ofEpochDay(Math.floorDiv(bucket, HOURS_A_DAY));
      case DAY -> LocalDate.ofEpochDay(bucket);
      case WEEK -> LocalDate.ofEpochDay(bucket * 7 - DAYS_TO_EPOCH);
      case MONTH ->
          LocalDate.of(
              Math.toIntExact(Math.floorDiv(bucket, 12)), (int) Math.floorMod(bucket, 12L) + 1, 1);
      case NONE -> LocalDate.EPOCH;
    };
  }

  /** Names a bucket, such as 2026-11-30 for a day; empty without buckets. */
  String label(long bucket) {
    LocalDate day = firstDay(bucket);
    return switch (this) {
      case HOUR -> String.format(Locale.ROOT, "%sT%02d", day, Math.floorMod(bucket, HOURS_A_DAY));
      case DAY -> day.toString();
      case WEEK -> "week of " + day;
      case MONTH -> String.format(Locale.ROOT, "%04d-%02d", day.getYear(), day.getMonthValue());
      case NONE -> "";
    };
  }

  /** Names the candidate key, such as {@code sensor+day}. */
  public String key() {
    return this == NONE ? "sensor" : "sensor+" + name().toLowerCase(Locale.ROOT);
  }
}
