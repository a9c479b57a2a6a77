package io.varve.server.advise;

import java.util.Optional;

/**
 * What partitions a sample makes under one bucket width, one shard each.
 *
 * @param width the bucket
 * @param partitions how many there are
 * @param partitionsError standard error of that, as a share of it; 0 where it is exact
 * @param sortedRows rows of some partitions, chosen without regard to their size, ascending
 * @param largest the largest
 * @param emptyShare share of buckets without rows among all those from each sensor's first row to
 *     its last
 * @param sparse sensors with many empty buckets; empty where the width does not tell
 */
public record KeyFigures(
    BucketWidth width,
    double partitions,
    double partitionsError,
    long[] sortedRows,
    LargestPartitions.Largest largest,
    double emptyShare,
    Optional<SensorSample.Sparse> sparse) {

  /** Partitions that hold rows when each has so many shards. */
  double partitions(int shards) {
    if (shards == 1) {
      return partitions;
    }
    double each = 0;
    for (long rows : sortedRows) {
      each += filled(rows, shards);
    }
    return partitions * each / sortedRows.length;
  }

  /** Shards that get at least one of so many rows, on average. */
  private static double filled(long rows, int shards) {
    return shards * (1 - Math.pow(1 - 1.0 / shards, rows));
  }

  /** Rows of the partition in the middle when each has so many shards. */
  double p50Rows(int shards) {
    if (shards == 1) {
      return sortedRows[(sortedRows.length - 1) / 2];
    }
    double all = 0;
    for (long rows : sortedRows) {
      all += filled(rows, shards);
    }
    double below = 0;
    for (long rows : sortedRows) {
      double filled = filled(rows, shards);
      below += filled;
      if (below >= all / 2) {
        return Math.min(rows / filled, (double) ((largest.rows() + shards - 1) / shards));
      }
    }
    throw new IllegalStateException("no middle: partitions=" + sortedRows.length);
  }
}
