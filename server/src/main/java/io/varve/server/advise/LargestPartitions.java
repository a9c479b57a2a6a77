package io.varve.server.advise;

import java.nio.charset.StandardCharsets;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.LongsSketch;

/**
 * How large the largest partition is, by rows and by bytes, with bounds, and which it is by rows.
 *
 * <p>Two frequent-items sketches. While the partitions fit into them the counts are exact. Beyond,
 * none is above the upper bound, and one has at least the lower: the most that a sketch vouched for
 * or that came at once.
 */
final class LargestPartitions {
  /** Names are kept of so many, since which one is the largest shows only in the end. */
  private static final int NAMED = 16;

  /** A partition that gets few rows at once is looked up each so many times. */
  private static final int LOOK_EVERY = 16;

  private static final class Named {
    long hash;
    long rows;
    byte[] sensor = new byte[0];
    long bucket;
  }

  private final LongsSketch rows;
  private final LongsSketch bytes;
  private final Named[] named = new Named[NAMED];
  private long leastNamedRows;
  private long mostRowsAtOnce;
  private long mostBytesAtOnce;
  private int adds;

  /**
   * @param slots of each sketch; a power of two
   */
  LargestPartitions(int slots) {
    rows = new LongsSketch(slots);
    bytes = new LongsSketch(slots);
    for (int i = 0; i < NAMED; i++) {
      named[i] = new Named();
    }
  }

  void add(long hash, byte[] sensor, long bucket, long addRows, long addBytes) {
    rows.update(hash, addRows);
    bytes.update(hash, addBytes);
    mostRowsAtOnce = Math.max(mostRowsAtOnce, addRows);
    mostBytesAtOnce = Math.max(mostBytesAtOnce, addBytes);
    if (addRows > leastNamedRows || ++adds % LOOK_EVERY == 0) {
      long least = Math.max(addRows, rows.getLowerBound(hash));
      if (least > leastNamedRows) {
        name(hash, sensor, bucket, least);
      }
    }
  }

  private void name(long hash, byte[] sensor, long bucket, long atLeast) {
    Named place = named[0];
    for (Named each : named) {
      if (each.hash == hash && each.rows > 0) {
        place = each;
        break;
      }
      if (each.rows < place.rows) {
        place = each;
      }
    }
    place.rows = place.hash == hash ? Math.max(atLeast, place.rows) : atLeast;
    place.hash = hash;
    place.sensor = sensor;
    place.bucket = bucket;
    leastNamedRows = Long.MAX_VALUE;
    for (Named each : named) {
      leastNamedRows = Math.min(leastNamedRows, each.rows);
    }
  }

  /** What is known of the largest. */
  Largest largest(PartitionSample sample, BucketWidth width) {
    Named first = named[0];
    for (Named each : named) {
      each.rows = Math.max(each.rows, each.rows == 0 ? 0 : rows.getLowerBound(each.hash));
      first = each.rows > first.rows ? each : first;
    }
    long[] ofRows = bounds(rows, Math.max(Math.max(mostRowsAtOnce, first.rows), sample.mostRows()));
    long[] ofBytes = bounds(bytes, Math.max(mostBytesAtOnce, sample.mostBytes()));
    return new Largest(
        new String(first.sensor, StandardCharsets.UTF_8),
        width.label(first.bucket),
        ofRows[0],
        ofRows[1],
        ofBytes[0],
        ofBytes[1]);
  }

  /** Least and most that the largest can have, when it is known to have so much. */
  private static long[] bounds(LongsSketch sketch, long known) {
    long least = known;
    long most = sketch.getMaximumError(); // of those that the sketch has dropped
    long from = Math.max(most, known) - 1;
    for (LongsSketch.Row each : sketch.getFrequentItems(from, ErrorType.NO_FALSE_NEGATIVES)) {
      least = Math.max(least, each.getLowerBound());
      most = Math.max(most, each.getUpperBound());
    }
    return new long[] {least, Math.max(least, most)};
  }

  /**
   * The largest partition.
   *
   * @param sensor its sensor, as far as the rows tell
   * @param bucket its bucket; empty without buckets
   * @param rows rows that one has for certain
   * @param rowsAtMost rows that none exceeds
   * @param bytes bytes that one has for certain
   * @param bytesAtMost bytes that none exceeds
   */
  record Largest(
      String sensor, String bucket, long rows, long rowsAtMost, long bytes, long bytesAtMost) {}
}
