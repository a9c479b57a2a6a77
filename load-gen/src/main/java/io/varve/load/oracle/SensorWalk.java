package io.varve.load.oracle;

import io.varve.load.fleet.Fleet;
import io.varve.load.target.RowPage;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Judges all rows of one sensor, page by page, beside the ticks that must be there, in memory that
 * does not grow with either.
 */
final class SensorWalk {
  /** Ticks passed over and not seen yet that are remembered, to tell disorder from loss. */
  private static final int REMEMBERED = 4_096;

  private static final int SPARE = 1_000;

  private final Expected expected;
  private final Fleet fleet;
  private final int sensor;
  private final boolean newestFirst;
  private final Faults faults;
  private final String where;
  private final long first;
  private final long end;
  private final SortedSet<Long> missing = new TreeSet<>();

  /** Ticks from the walk's beginning that were passed. */
  private long passed;

  private long rows;
  private int emptyPages;

  SensorWalk(Expected expected, int sensor, boolean newestFirst, Faults faults) {
    this.expected = expected;
    this.fleet = expected.fleet();
    this.sensor = sensor;
    this.newestFirst = newestFirst;
    this.faults = faults;
    this.where = fleet.nameOf(sensor);
    this.first = fleet.firstTick(sensor);
    this.end = Math.max(first, expected.sent().nextTick(sensor));
  }

  /** Rows judged so far. */
  long rows() {
    return rows;
  }

  /** Whether so many pages came that there can be no end: they begin again, or have no rows. */
  boolean isEndless() {
    return rows > 2 * (end - first) + SPARE || emptyPages > SPARE;
  }

  /** Judges the next page. */
  void page(RowPage page, int limit) {
    emptyPages += page.size() == 0 ? 1 : 0;
    Pages.checkSize(page, limit, where, faults);
    for (int row = 0; row < page.size(); row++) {
      row(page.timestampMicros(row), page.sequence(row), page.valueBits(row));
    }
  }

  private void row(long timestampMicros, long sequence, long valueBits) {
    rows++;
    long tick = fleet.tickOf(sensor, timestampMicros, sequence);
    int newest = tick < 0 ? 0 : expected.newest(sensor, tick);
    if (newest == 0) {
      faults.add(FaultKind.UNKNOWN, where, Expected.row(timestampMicros, sequence, valueBits));
      return;
    }
    long place = newestFirst ? end - 1 - tick : tick - first;
    if (place < passed) {
      boolean skipped = missing.remove(tick);
      faults.add(
          skipped ? FaultKind.DISORDERED : FaultKind.REPEATED,
          where,
          Expected.row(timestampMicros, sequence, valueBits));
      return;
    }
    skipTo(place);
    passed = place + 1;
    value(tick, newest, valueBits);
  }

  private void value(long tick, int newest, long valueBits) {
    int oldest = expected.oldest(sensor, tick);
    for (int version = newest; version > 0; version--) {
      if (expected.valueBits(sensor, tick, version) == valueBits) {
        if (version < oldest) {
          faults.add(
              FaultKind.REVERTED,
              where,
              expected.row(sensor, tick, version)
                  + ", right is "
                  + expected.row(sensor, tick, oldest));
        }
        return;
      }
    }
    faults.add(
        FaultKind.ALTERED,
        where,
        expected.row(sensor, tick, newest)
            + " is right, shown is value="
            + Double.longBitsToDouble(valueBits));
  }

  private long tickAt(long place) {
    return newestFirst ? end - 1 - place : first + place;
  }

  private void skipTo(long place) {
    for (long at = passed; at < place; at++) {
      long tick = tickAt(at);
      if (expected.oldest(sensor, tick) > 0) {
        missing.add(tick);
        if (missing.size() > REMEMBERED) {
          long oldest = missing.first();
          missing.remove(oldest);
          lost(oldest);
        }
      }
    }
  }

  private void lost(long tick) {
    faults.add(FaultKind.LOST, where, expected.row(sensor, tick, expected.oldest(sensor, tick)));
  }

  /** Ends the walk: what has not come by now does not come. */
  void end() {
    skipTo(end - first);
    missing.forEach(this::lost);
  }
}
