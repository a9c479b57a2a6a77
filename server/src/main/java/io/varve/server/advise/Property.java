package io.varve.server.advise;

import java.util.Locale;

/** What a partition key is judged by, in order of weight. */
public enum Property {
  /** One query touches few partitions. */
  ALIGNMENT,
  /**
   * Enough keys are written to at one time to keep all of a cluster at work, and hold some rows.
   */
  CARDINALITY,
  /** No partition is far larger or busier than the ordinary one. */
  SKEW,
  /** A partition stays within the guide for good. */
  GROWTH;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
