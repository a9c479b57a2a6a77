package io.varve.load.oracle;

import io.varve.load.fleet.Fleet;
import io.varve.load.target.Queries;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Judges answers while the load is on: what is shown must have been sent, be in order and right,
 * and never get older. What is not shown yet is not judged, since it may still be on its way. One
 * thread judges; the count may be read by others.
 */
public final class AnswerCheck {
  private final Fleet fleet;
  private final Faults faults;
  private final long[] latestTimestamps;
  private final long[] latestSequences;
  private final AtomicLong answers = new AtomicLong();

  public AnswerCheck(Fleet fleet, Faults faults) {
    this.fleet = fleet;
    this.faults = faults;
    this.latestTimestamps = new long[fleet.sensors()];
    this.latestSequences = new long[fleet.sensors()];
    java.util.Arrays.fill(latestTimestamps, Long.MIN_VALUE);
  }

  /** Answers judged so far. */
  public long answers() {
    return answers.get();
  }

  /**
   * Judges a page of rows.
   *
   * @param firstPage whether it is the first of its walk
   * @param nowNanos when it was given, in nanoseconds since the start of the load
   */
  public void rows(int sensor, RowsQuery query, boolean firstPage, RowPage page, long nowNanos) {
    answers.incrementAndGet();
    String where = query.sensor();
    Pages.checkSize(page, query.limit(), where, faults);
    for (int row = 0; row < page.size(); row++) {
      long timestamp = page.timestampMicros(row);
      if (timestamp < query.fromMicros().orElse(Long.MIN_VALUE)
          || timestamp >= query.toMicros().orElse(Long.MAX_VALUE)) {
        faults.add(FaultKind.OUT_OF_RANGE, where, text(page, row));
      }
      row(sensor, page, row, nowNanos);
      if (row > 0) {
        order(where, query.newestFirst(), page, row);
      }
    }
    boolean startsAtLatest = firstPage && query.newestFirst() && query.toMicros().isEmpty();
    if (startsAtLatest && query.fromMicros().isEmpty()) {
      latest(sensor, page, 0);
    }
  }

  /** Judges the newest row of one of many sensors. */
  public void latestRow(int sensor, RowPage page, int row, long nowNanos) {
    answers.incrementAndGet();
    if (page.timestampMicros(row) != Queries.NONE) {
      row(sensor, page, row, nowNanos);
    }
    latest(sensor, page, row);
  }

  /** Notes an answer that must never be given. */
  public void unreadable(String where, String why) {
    faults.add(FaultKind.UNREADABLE, where, why);
  }

  private void row(int sensor, RowPage page, int row, long nowNanos) {
    long timestamp = page.timestampMicros(row);
    long sequence = page.sequence(row);
    long tick = fleet.tickOf(sensor, timestamp, sequence);
    String where = fleet.nameOf(sensor);
    if (tick < 0 || fleet.measured(sensor, tick) > nowNanos) {
      faults.add(FaultKind.UNKNOWN, where, text(page, row));
      return;
    }
    int newest = fleet.isCorrected(sensor, tick) ? 2 : 1;
    for (int version = newest; version > 0; version--) {
      if (fleet.valueBits(sensor, timestamp, sequence, version) == page.valueBits(row)) {
        return;
      }
    }
    faults.add(FaultKind.ALTERED, where, text(page, row));
  }

  private void order(String where, boolean newestFirst, RowPage page, int row) {
    int order = Long.compare(page.timestampMicros(row), page.timestampMicros(row - 1));
    if (order == 0) {
      order = Long.compare(page.sequence(row), page.sequence(row - 1));
    }
    if (order == 0) {
      faults.add(FaultKind.REPEATED, where, text(page, row));
    } else if (order > 0 == newestFirst) {
      faults.add(FaultKind.DISORDERED, where, text(page, row));
    }
  }

  /** Compares with the newest row that was ever shown of the sensor. */
  private void latest(int sensor, RowPage page, int row) {
    boolean any = row < page.size() && page.timestampMicros(row) != Queries.NONE;
    long timestamp = any ? page.timestampMicros(row) : Long.MIN_VALUE;
    long sequence = any ? page.sequence(row) : 0;
    int order = Long.compare(timestamp, latestTimestamps[sensor]);
    if (order == 0) {
      order = Long.compare(sequence, latestSequences[sensor]);
    }
    if (order < 0) {
      faults.add(
          FaultKind.STALE_LATEST,
          fleet.nameOf(sensor),
          (any ? text(page, row) : "no row")
              + " after sequence="
              + latestSequences[sensor]
              + " of "
              + io.varve.schemas.Rfc3339.format(latestTimestamps[sensor]));
    } else if (any) {
      latestTimestamps[sensor] = timestamp;
      latestSequences[sensor] = sequence;
    }
  }

  private static String text(RowPage page, int row) {
    return Expected.row(page.timestampMicros(row), page.sequence(row), page.valueBits(row));
  }
}
