package io.varve.storage;

/** The direction of a walk over rows; both directions cost the same. */
public enum Order {
  /** Clustering order: descending timestamp, then descending sequence. */
  NEWEST_FIRST,
  /** The reverse of clustering order. */
  OLDEST_FIRST;

  /** Compares two clustering keys in this direction; negative when the first key comes first. */
  public int compare(long timestampA, long sequenceA, long timestampB, long sequenceB) {
    int c = Long.compare(timestampA, timestampB);
    if (c == 0) {
      c = Long.compare(sequenceA, sequenceB);
    }
    return this == NEWEST_FIRST ? -c : c;
  }
}
