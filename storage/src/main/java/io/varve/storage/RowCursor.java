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

  /** Timestamp of the current row, in microseconds since 1970. */
  long timestampMicros();

  /** Sequence of the current row. */
  long sequence();

  /** Value of the current row, bit for bit. */
  double value();

  @Override
  void close();
}
