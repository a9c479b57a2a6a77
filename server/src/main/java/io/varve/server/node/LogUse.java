package io.varve.server.node;

import io.varve.ingest.IngestReport.RowsPartition;
import io.varve.ingest.IngestReport.SourcePartition;
import io.varve.storage.StoreTotals;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What some logs take, and how many rows or readings they hold.
 *
 * <p>A log tells its records, not what is in them. Their rows are reckoned: records that it holds,
 * times what the records read so far held on average.
 *
 * @param known whether the brokers tell all that is asked
 * @param bytes of one replica
 * @param rows reckoned
 */
record LogUse(boolean known, long bytes, double rows) {
  private static final LogUse NOTHING = new LogUse(true, 0, 0);

  /** The logs of {@code rows} that feed the stores here. */
  static LogUse ofRows(List<RowsPartition> partitions, Map<Integer, StoreTotals> totals) {
    LogUse all = NOTHING;
    for (RowsPartition p : partitions) {
      StoreTotals t = totals.get(p.topicPartition());
      boolean known =
          p.logBytes().isPresent() && p.beginOffset().isPresent() && p.endOffset().isPresent();
      if (t == null || !known) {
        all = all.plus(new LogUse(false, 0, 0));
      } else if (p.appliedOffset().isPresent()) {
        long read =
            t.stored()
                + t.expired()
                + t.capped()
                + t.overwritten()
                + t.duplicates()
                + t.expiredOnArrival();
        long held = p.endOffset().getAsLong() - p.beginOffset().getAsLong();
        all = all.plus(of(p.logBytes().getAsLong(), held, read, p.appliedOffset().getAsLong() + 1));
      }
    }
    return all;
  }

  /** The source topic partitions that this node routes. */
  static LogUse ofSources(List<SourcePartition> partitions) {
    LogUse all = NOTHING;
    for (SourcePartition p : partitions) {
      boolean known =
          p.logBytes().isPresent() && p.beginOffset().isPresent() && p.endOffset().isPresent();
      if (!known) {
        all = all.plus(new LogUse(false, 0, 0));
      } else if (p.countedThrough().isPresent()) {
        long refused = p.refused().values().stream().mapToLong(Long::longValue).sum();
        long held = p.endOffset().getAsLong() - p.beginOffset().getAsLong();
        long records = p.countedThrough().getAsLong() + 1 - p.lost();
        all = all.plus(of(p.logBytes().getAsLong(), held, p.routed() + refused, records));
      }
    }
    return all;
  }

  /** A log that holds records, of which so many that were read held so many rows. */
  private static LogUse of(long bytes, long held, long rowsRead, long recordsRead) {
    return new LogUse(
        true, bytes, recordsRead < 1 ? 0 : (double) Math.max(0, held) * rowsRead / recordsRead);
  }

  private LogUse plus(LogUse other) {
    return new LogUse(known && other.known, bytes + other.bytes, rows + other.rows);
  }

  /** Bytes for each row; empty where either is not known. */
  OptionalDouble bytesPerRow() {
    return known ? ratio(bytes, rows) : OptionalDouble.empty();
  }

  /** Bytes for each row; empty where there are no rows. */
  static OptionalDouble ratio(long bytes, double rows) {
    return rows > 0 ? OptionalDouble.of(bytes / rows) : OptionalDouble.empty();
  }
}
