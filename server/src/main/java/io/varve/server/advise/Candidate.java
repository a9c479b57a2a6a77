package io.varve.server.advise;

import java.util.List;
import java.util.Optional;

/**
 * A candidate key and what became of it.
 *
 * @param width its bucket
 * @param shards shards of each partition
 * @param touched partitions that one query touches
 * @param partitions partitions with rows
 * @param p50Rows rows of the partition in the middle
 * @param maxRows rows of the largest that the sample shows
 * @param maxRowsAtMost rows that the largest may have, where counts are not exact
 * @param maxBytes bytes of the largest
 * @param fullRows rows of the largest when its bucket has passed wholly; without buckets, when the
 *     oldest rows begin to leave
 * @param fullBytes bytes of the same
 * @param failing properties that it fails, in their order
 */
public record Candidate(
    BucketWidth width,
    int shards,
    long touched,
    double partitions,
    double p50Rows,
    long maxRows,
    long maxRowsAtMost,
    long maxBytes,
    double fullRows,
    double fullBytes,
    List<Property> failing) {
  public Candidate {
    failing = List.copyOf(failing);
  }

  /** The same key, found to fail some properties. */
  Candidate failing(List<Property> found) {
    return new Candidate(
        width,
        shards,
        touched,
        partitions,
        p50Rows,
        maxRows,
        maxRowsAtMost,
        maxBytes,
        fullRows,
        fullBytes,
        found);
  }

  /** How often the largest is the one in the middle. */
  public double skew() {
    return maxRows / p50Rows;
  }

  /** The first property that it fails. */
  public Optional<Property> firstFailing() {
    return failing.stream().findFirst();
  }

  /** The key and its shards, such as {@code sensor+day with 16 shards}. */
  public String text() {
    return shards == 1 ? width.key() : width.key() + " with " + shards + " shards";
  }
}
