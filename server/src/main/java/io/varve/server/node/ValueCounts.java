package io.varve.server.node;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * How often which values occur, in memory that does not grow with their number. Values below 2 048
 * and the ends are exact, others are cut to eleven binary digits: up to 0.1 % too small.
 */
final class ValueCounts {
  private static final int DIGITS = 11;
  private static final int[] PERCENTILES = {50, 75, 95, 98, 99};

  private final TreeMap<Long, Long> counts = new TreeMap<>();
  private long n;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  /** Adds a value, 0 or more. */
  void add(long value) {
    int cut = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - DIGITS);
    counts.merge(value >>> cut << cut, 1L, Long::sum);
    n++;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  boolean isEmpty() {
    return n == 0;
  }

  /** The names of what {@link #summary} gives. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    names.add("min");
    for (int percentile : PERCENTILES) {
      names.add("p" + percentile);
    }
    names.add("max");
    return names;
  }

  /** Least value, percentiles by the nearest rank, greatest value; not of no values. */
  List<Long> summary() {
    List<Long> summary = new ArrayList<>();
    summary.add(min);
    for (int percentile : PERCENTILES) {
      summary.add(Math.max(min, at((percentile * n + 99) / 100)));
    }
    summary.add(max);
    return summary;
  }

  /** The value at a rank, from 1. */
  private long at(long rank) {
    long below = 0;
    for (var each : counts.entrySet()) {
      below += each.getValue();
      if (below >= rank) {
        return each.getKey();
      }
    }
    throw new IllegalArgumentException("rank=" + rank + " n=" + n);
  }
}
