package io.varve.load.target;

import java.util.List;
import java.util.Optional;

/** Where questions are asked. Each belongs to one thread. */
public interface Queries extends AutoCloseable {
  /**
   * Asks for a page of rows.
   *
   * @param token the {@link RowPage#next} of the page before; empty for the first
   * @throws QueryException if there is no answer
   */
  void rows(RowsQuery query, Optional<String> token, RowPage page) throws QueryException;

  /**
   * Asks for averages over even steps, newest first; a row is a step's start and its average.
   *
   * @param fromMicros first instant
   * @param toMicros first instant past the range
   */
  void buckets(String sensor, long fromMicros, long toMicros, long stepMicros, RowPage page)
      throws QueryException;

  /**
   * Asks for the newest row of each of many sensors.
   *
   * @param page has one row a sensor, in their order; timestamp {@link #NONE} for one without rows
   */
  void latest(List<String> sensors, RowPage page) throws QueryException;

  /** Asks how far behind the target is and what it has counted; empty if it doesn't say. */
  Optional<TargetStatus> status() throws QueryException;

  /** Timestamp that stands for no row. */
  long NONE = Long.MIN_VALUE;

  /**
   * Ends asking, for good and from any thread: a question under way, and any later one, gets no
   * answer, as if nobody were there.
   */
  @Override
  void close();
}
