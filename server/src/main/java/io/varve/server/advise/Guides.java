package io.varve.server.advise;

/**
 * What keys are judged against.
 *
 * @param rows rows that a partition should not exceed
 * @param bytes bytes that a partition should not exceed
 * @param query what is mostly asked
 * @param touched partitions that one query should not exceed
 * @param keys partitions that should be written to at one time, at least
 * @param skew how often the largest partition may be the one in the middle before its size counts
 *     as skew
 * @param share part of all rows that one partition may take while it is written to
 * @param keepDays how long rows are kept
 */
public record Guides(
    long rows,
    long bytes,
    Query query,
    int touched,
    int keys,
    double skew,
    double share,
    int keepDays) {

  /** The guide for partitions of Cassandra, and a query for a day of one sensor. */
  public static final Guides DEFAULT =
      new Guides(100_000, 100_000_000, Query.range(24), 32, 16, 10, 0.1, 365);

  /**
   * What is mostly asked of one sensor: a range of time, or its newest rows.
   *
   * @param hours length of the range; 0 where rows are asked for
   * @param latest newest rows asked for; 0 where a range is
   */
  public record Query(double hours, long latest) {
    /** A query for a range of so many hours. */
    public static Query range(double hours) {
      return new Query(hours, 0);
    }

    /** A query for so many of the newest rows. */
    public static Query latest(long rows) {
      return new Query(0, rows);
    }

    /** Hours that a query reaches back in a sensor with so many rows an hour. */
    double hours(double rowsAnHour) {
      return latest > 0 ? latest / rowsAnHour : hours;
    }
  }
}
