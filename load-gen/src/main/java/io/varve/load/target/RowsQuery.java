package io.varve.load.target;

import java.util.OptionalLong;

/**
 * A question for rows of one sensor.
 *
 * @param fromMicros first instant, in microseconds since 1970; empty for no bound
 * @param toMicros first instant past the range; empty for no bound
 * @param newestFirst the order, else oldest first
 * @param limit most rows of one page
 */
public record RowsQuery(
    String sensor, OptionalLong fromMicros, OptionalLong toMicros, boolean newestFirst, int limit) {

  /** All rows of a sensor. */
  public static RowsQuery all(String sensor, boolean newestFirst, int limit) {
    return new RowsQuery(sensor, OptionalLong.empty(), OptionalLong.empty(), newestFirst, limit);
  }
}
