package io.varve.query.plan;

import io.varve.storage.Order;
import io.varve.storage.RowCursor;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Rows to buckets of one length, aligned to 1970-01-01T00:00:00Z: a bucket holds the rows with
 * timestamps in [start, start + step), is labelled by its start, and is left out when empty.
 *
 * <p>Streams: rows pass once, in the order of the walk, and only the open bucket is kept.
 */
public final class Downsampler {
  /** Rows between two looks at the clock. */
  private static final int ROWS_BETWEEN_LOOKS = 1_024;

  /**
   * How a page of buckets ended.
   *
   * @param stopReason why there are no more buckets on it
   * @param last start of the last bucket that was finished, where the next page resumes beyond it;
   *     empty when nothing follows
   */
  public record Page(StopReason stopReason, OptionalLong last) {}

  private final long stepMicros;
  private final Bucket bucket;

  /**
   * @param stepMicros bucket length, at least 1
   * @param order order of the walks
   */
  public Downsampler(long stepMicros, Set<Aggregate> aggregates, Order order) {
    this.stepMicros = stepMicros;
    this.bucket = new Bucket(aggregates, order);
  }

  /** Returns the start of the bucket that holds an instant. */
  public static long startOf(long timestampMicros, long stepMicros) {
    return Math.floorDiv(timestampMicros, stepMicros) * stepMicros;
  }

  /**
   * Folds a walk's rows until it ends, the limit is reached or time is up. A bucket that time
   * leaves unfinished is not shown; the next page begins with it.
   *
   * @param limit most buckets, at least 1
   * @throws DeadlineExceededException if time was up before one bucket was finished
   */
  public Page read(RowCursor rows, int limit, Deadline deadline, BucketSink sink) {
    OptionalLong finished = OptionalLong.empty();
    boolean open = false;
    long start = 0;
    int count = 0;
    for (int row = 1; rows.next(); row++) {
      long timestampMicros = rows.timestampMicros();
      if (!open || timestampMicros < start || timestampMicros - start >= stepMicros) {
        if (open) {
          count += show(start, sink);
          finished = OptionalLong.of(start);
          if (count == limit) {
            return new Page(StopReason.LIMIT, finished);
          }
        }
        start = startOf(timestampMicros, stepMicros);
        bucket.clear();
        open = true;
      }
      bucket.add(rows.value());
      if (row % ROWS_BETWEEN_LOOKS == 0 && deadline.passed()) {
        if (finished.isEmpty()) {
          throw new DeadlineExceededException("not one bucket was finished, rows=" + row);
        }
        return new Page(StopReason.DEADLINE, finished);
      }
    }
    if (open) {
      show(start, sink);
    }
    return new Page(StopReason.EXHAUSTED, OptionalLong.empty());
  }

  private int show(long start, BucketSink sink) {
    if (bucket.count() == 0) {
      return 0;
    }
    sink.bucket(start, bucket);
    return 1;
  }
}
