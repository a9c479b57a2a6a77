package io.varve.query.plan;

import io.varve.storage.ClusteringKey;
import io.varve.storage.RowCursor;
import java.util.Optional;

/**
 * How a page of rows ended.
 *
 * @param stopReason why there are no more rows on it
 * @param last key of its last row, where the next page resumes; empty when nothing follows
 */
public record RowPage(StopReason stopReason, Optional<ClusteringKey> last) {
  /** Rows between two looks at the clock. */
  private static final int ROWS_BETWEEN_LOOKS = 256;

  /**
   * Moves rows from a walk to a sink until the walk ends, the limit is reached or time is up.
   *
   * <p>It never steps past the limit, so the latest n rows cost n; a full page therefore can't tell
   * whether it was the last one. Even when time is up from the start, one row comes through.
   *
   * @param limit most rows, at least 1
   */
  public static RowPage read(RowCursor rows, int limit, Deadline deadline, RowSink sink) {
    int count = 0;
    while (rows.next()) {
      sink.row(rows.timestampMicros(), rows.sequence(), rows.value());
      count++;
      boolean full = count == limit;
      if (full || (count % ROWS_BETWEEN_LOOKS == 1 && deadline.passed())) {
        return new RowPage(
            full ? StopReason.LIMIT : StopReason.DEADLINE,
            Optional.of(new ClusteringKey(rows.timestampMicros(), rows.sequence())));
      }
    }
    return new RowPage(StopReason.EXHAUSTED, Optional.empty());
  }
}
