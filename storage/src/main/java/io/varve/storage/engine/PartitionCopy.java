package io.varve.storage.engine;

import java.util.ArrayList;
import java.util.List;

/** A partition's rows as they were sealed for the next generation of its day. */
final class PartitionCopy {
  final Partition from;
  final List<Piece> pieces = new ArrayList<>();
  long rows;
  private final long reorders;

  PartitionCopy(Partition from) {
    this.from = from;
    this.reorders = from.reorders();
  }

  /**
   * Whether the partition still has these rows and no others; the caller holds the store's lock.
   */
  boolean isCurrent() {
    return from.reorders() == reorders && from.rows() == rows && !from.moved();
  }

  /** One sealed block of a copy; its place counts slabs from the first of the batch. */
  record Piece(
      long firstTimestamp,
      long firstSequence,
      long lastTimestamp,
      long lastSequence,
      long lastValueBits,
      int rows,
      long place) {}
}
