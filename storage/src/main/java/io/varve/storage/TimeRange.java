package io.varve.storage;

/**
 * A half-open span of event time, {@code [fromMicros, toMicros)}.
 *
 * @param fromMicros first instant inside, in microseconds since 1970
 * @param toMicros first instant past the end; not before {@code fromMicros}
 */
public record TimeRange(long fromMicros, long toMicros) {
  /** Every instant that a row may carry. */
  public static final TimeRange ALL =
      new TimeRange(UtcDay.MIN_TIMESTAMP_MICROS, UtcDay.END_TIMESTAMP_MICROS);

  public TimeRange {
    if (fromMicros > toMicros) {
      throw new IllegalArgumentException(
          "range ends before it starts: from=" + fromMicros + " to=" + toMicros);
    }
  }

  /** Tells whether an instant lies inside. */
  public boolean contains(long timestampMicros) {
    return timestampMicros >= fromMicros && timestampMicros < toMicros;
  }

  /** Tells whether some instant of a UTC day lies inside. */
  public boolean touches(int day) {
    return fromMicros < toMicros && UtcDay.of(fromMicros) <= day && day <= UtcDay.of(toMicros - 1);
  }
}
