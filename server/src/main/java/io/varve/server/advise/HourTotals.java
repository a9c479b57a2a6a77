package io.varve.server.advise;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** Rows of all sensors together, by hour. */
final class HourTotals {
  /** Eleven years; a sample with more hours than that is not judged by them. */
  private static final int MOST_HOURS = 100_000;

  private final Map<Long, long[]> rows = new HashMap<>();
  private long firstHour = Long.MAX_VALUE;
  private long lastHour = Long.MIN_VALUE;
  private long cachedHour = Long.MIN_VALUE;
  private long[] cached = new long[1];
  private boolean overflown;

  void add(long hour, long addRows) {
    if (hour != cachedHour) {
      firstHour = Math.min(firstHour, hour);
      lastHour = Math.max(lastHour, hour);
      long[] known = rows.get(hour);
      if (known == null) {
        if (rows.size() == MOST_HOURS) {
          overflown = true;
          return;
        }
        known = new long[1];
        rows.put(hour, known);
      }
      cached = known;
      cachedHour = hour;
    }
    cached[0] += addRows;
  }

  /** The busiest hour; empty without rows, or where there were too many hours to tell. */
  OptionalLong busiest() {
    if (overflown || rows.isEmpty()) {
      return OptionalLong.empty();
    }
    long best = firstHour;
    for (Map.Entry<Long, long[]> each : rows.entrySet()) {
      long n = each.getValue()[0];
      if (n > in(best) || n == in(best) && each.getKey() < best) {
        best = each.getKey();
      }
    }
    return OptionalLong.of(best);
  }

  long in(long hour) {
    long[] known = rows.get(hour);
    return known == null ? 0 : known[0];
  }

  /** Hours of the day, 0 to 23 in UTC, that have rows on some day: a bit for each. */
  int hoursOfTheDay() {
    int seen = 0;
    for (long hour : rows.keySet()) {
      seen |= 1 << Math.floorMod(hour, 24);
    }
    return seen;
  }

  long firstHour() {
    return firstHour;
  }

  long lastHour() {
    return lastHour;
  }

  /**
   * Days that the rows lie in, weighted by rows: (Σ n)² / Σ n² over the days. It is their number
   * where all have as many rows, and a few rows of another year add next to nothing.
   */
  double days() {
    Map<Long, Long> days = new HashMap<>();
    rows.forEach((hour, n) -> days.merge(Math.floorDiv(hour, 24), n[0], Long::sum));
    double sum = 0;
    double squares = 0;
    for (long n : days.values()) {
      sum += n;
      squares += (double) n * n;
    }
    return sum * sum / squares;
  }
}
