package io.varve.query.plan;

import io.varve.storage.Order;
import io.varve.storage.RowCursor;
import io.varve.storage.RowRun;
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

  /** Rows that a run has room for at first; walks may hand more at a time. */
  private static final int RUN_ROWS = 256;

  /**
   * How a page of buckets ended.
   *
   * @param stopReason why there are no more buckets on it
   * @param last start of the last bucket that was finished, where the next page resumes beyond it;
   *     empty when nothing follows
   */
  public record Page(StopReason stopReason, OptionalLong last) {}

  private final long stepMicros;
  private final boolean newestFirst;
  private final Bucket bucket;
  private final RowRun run = new RowRun(RUN_ROWS);

  /** Rows of the run that are still to be folded: {@code [low, high)}. */
  private int low;

  private int high;

  /**
   * @param stepMicros bucket length, at least 1
   * @param order order of the walks
   */
  public Downsampler(long stepMicros, Set<Aggregate> aggregates, Order order) {
    this.stepMicros = stepMicros;
    this.newestFirst = order == Order.NEWEST_FIRST;
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
    int count = 0;
    long folded = 0;
    long nextLook = ROWS_BETWEEN_LOOKS;
    low = 0;
    high = 0;
    while (low < high || refill(rows)) {
      long start = startOf(run.timestamps[newestFirst ? high - 1 : low], stepMicros);
      bucket.clear();
      do {
        folded += fold(start);
        if (folded >= nextLook) {
          if (deadline.passed()) {
            return unfinished(finished, folded);
          }
          nextLook = folded + ROWS_BETWEEN_LOOKS;
        }
      } while ((low < high || refill(rows)) && inBucket(start));
      count += show(start, sink);
      if (count == limit && low < high) {
        return new Page(StopReason.LIMIT, OptionalLong.of(start));
      }
      finished = OptionalLong.of(start);
    }
    return new Page(StopReason.EXHAUSTED, OptionalLong.empty());
  }

  private static Page unfinished(OptionalLong finished, long folded) {
    if (finished.isEmpty()) {
      throw new DeadlineExceededException("not one bucket was finished, rows=" + folded);
    }
    return new Page(StopReason.DEADLINE, finished);
  }

  private boolean refill(RowCursor rows) {
    low = 0;
    boolean more = rows.nextRun(run);
    high = run.size;
    return more;
  }

  /** Tells whether the next row belongs to the bucket that begins at a start. */
  private boolean inBucket(long start) {
    return holds(start, run.timestamps[newestFirst ? high - 1 : low]);
  }

  private boolean holds(long start, long timestampMicros) {
    return timestampMicros >= start && timestampMicros - start < stepMicros;
  }

  /** Folds what of the run belongs to a bucket; returns how many rows. */
  private int fold(long start) {
    int from = low;
    int to = high;
    if (newestFirst) {
      from = high;
      while (from > low && holds(start, run.timestamps[from - 1])) {
        from--;
      }
      high = from;
    } else {
      to = low;
      while (to < high && holds(start, run.timestamps[to])) {
        to++;
      }
      low = to;
    }
    bucket.add(run.valueBits, from, to);
    return to - from;
  }

  private int show(long start, BucketSink sink) {
    if (bucket.count() == 0) {
      return 0;
    }
    sink.bucket(start, bucket);
    return 1;
  }
}
