package io.varve.storage;

/**
 * A forward walk over rows in the order that it was opened with.
 *
 * <p>Contract: starts before the first row; {@link #next} steps, and only after it returned true do
 * the accessors speak, of that row, until the next step. Every row is visited once and in order,
 * also while the writer inserts: a row that was there from open to close is seen, a row inserted
 * meanwhile may be. Single-threaded; closes once; closing early is always allowed.
 */
public interface RowCursor extends AutoCloseable {
  /**
   * Steps to the next row.
   *
   * @return false when the walk is exhausted, and ever after
   * @throws CorruptBlockException if a block fails its checksum; the store quarantines it
   * @throws StoreUnavailableException if the store closed or moved away under the walk
   */
  boolean next();

  /**
   * Steps over the next few rows at once, for whoever folds them: as columns, with no step and no
   * check for each row. The cursor stands on the last of them.
   *
   * @param into receives the rows and loses what it held; oldest first in either order of the walk,
   *     though the runs themselves follow one another in the walk's order
   * @return false, and no rows, when the walk is exhausted
   * @throws CorruptBlockException as {@link #next}
   * @throws StoreUnavailableException as {@link #next}
   */
  default boolean nextRun(RowRun into) {
    into.clear();
    if (!next()) {
      return false;
    }
    into.add(timestampMicros(), sequence(), Double.doubleToRawLongBits(value()));
    return true;
  }

  /** Timestamp of the current row, in microseconds since 1970. */
  long timestampMicros();

  /** Sequence of the current row. */
  long sequence();

  /** Value of the current row, bit for bit. */
  double value();

  @Override
  void close();
}
