package io.varve.server.advise;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a sample shows, before any judgement.
 *
 * @param rows its rows
 * @param bytes their bytes, in the form that the sample has
 * @param firstMicros oldest timestamp
 * @param lastMicros newest timestamp
 * @param busiestHour hour with the most rows of all sensors, in hours since 1970; empty where it
 *     can't be told
 * @param busiestRows rows in that hour
 * @param firstHour hour of the oldest row
 * @param lastHour hour of the newest row
 * @param fullDays days that the rows lie in, weighted by rows
 * @param hoursOfTheDay hours of the day in UTC that have rows on some day, a bit for each
 * @param sortedSensorRows rows of some sensors, chosen without regard to their rows, ascending
 * @param keys a candidate key for each bucket width, in their order
 */
public record ReplayFigures(
    long rows,
    long bytes,
    long firstMicros,
    long lastMicros,
    OptionalLong busiestHour,
    long busiestRows,
    long firstHour,
    long lastHour,
    double fullDays,
    int hoursOfTheDay,
    long[] sortedSensorRows,
    List<KeyFigures> keys) {
  public ReplayFigures {
    keys = List.copyOf(keys);
  }

  KeyFigures key(BucketWidth width) {
    return keys.get(width.ordinal());
  }

  /** Sensors there are. */
  public double sensors() {
    return key(BucketWidth.NONE).partitions();
  }

  /** Bytes of a row on average. */
  public double bytesPerRow() {
    return (double) bytes / rows;
  }

  /** Hours from the one of the oldest to the one of the newest row, both counted. */
  public long hoursCovered() {
    return lastHour - firstHour + 1;
  }

  /**
   * Days that the sample covers: from its first to its last hour where that is two days or less,
   * else as many as most rows lie in, so that a few rows of a wrong clock do not count as a year.
   */
  public double daysCovered() {
    return hoursCovered() <= 48 ? hoursCovered() / 24.0 : fullDays;
  }

  /** Rows in an hour of the sensor in the middle. */
  double medianRowsAnHour() {
    return sortedSensorRows[(sortedSensorRows.length - 1) / 2] / (daysCovered() * 24);
  }

  /** Part of all rows that the largest sensor has. */
  public double largestShare() {
    return (double) key(BucketWidth.NONE).largest().rows() / rows;
  }
}
