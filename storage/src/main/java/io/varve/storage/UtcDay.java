package io.varve.storage;

import java.time.LocalDate;

/** The time bucket of the partition key: days since 1970-01-01, always UTC. */
public final class UtcDay {
  /** Microseconds in a day; UTC days here have no leap seconds. */
  public static final long MICROS = 86_400_000_000L;

  /** First instant that a row may carry: 0001-01-01T00:00:00Z, in microseconds since 1970. */
  public static final long MIN_TIMESTAMP_MICROS = LocalDate.of(1, 1, 1).toEpochDay() * MICROS;

  /** First instant past those that a row may carry: 10000-01-01T00:00:00Z. */
  public static final long END_TIMESTAMP_MICROS = LocalDate.of(10000, 1, 1).toEpochDay() * MICROS;

  private UtcDay() {}

  /** Returns the day that holds an instant: floor(timestamp / 86 400 000 000). */
  public static int of(long timestampMicros) {
    return (int) Math.floorDiv(timestampMicros, MICROS);
  }

  /** Returns the first instant of a day, in microseconds since 1970. */
  public static long startMicros(int day) {
    return day * MICROS;
  }
}
