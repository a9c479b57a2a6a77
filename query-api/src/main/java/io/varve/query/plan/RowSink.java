package io.varve.query.plan;

/** Where the rows of a page go, one after another. */
@FunctionalInterface
public interface RowSink {
  /** Takes one row. */
  void row(long timestampMicros, long sequence, double value);
}
