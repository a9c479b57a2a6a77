package io.varve.storage.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A set of days as text: ascending day numbers and inclusive ranges, {@code 19875,19880..20054}.
 */
final class DayRanges {
  private DayRanges() {}

  /** Writes a set of days. */
  static String format(Iterable<Integer> ascendingDays) {
    List<String> ranges = new ArrayList<>();
    long from = Long.MIN_VALUE;
    long to = Long.MIN_VALUE;
    for (int day : ascendingDays) {
      if (from != Long.MIN_VALUE && day == to + 1) {
        to = day;
        continue;
      }
      if (from != Long.MIN_VALUE) {
        ranges.add(range(from, to));
      }
      from = day;
      to = day;
    }
    if (from != Long.MIN_VALUE) {
      ranges.add(range(from, to));
    }
    return String.join(",", ranges);
  }

  private static String range(long from, long to) {
    return from == to ? "" + from : from + ".." + to;
  }

  /**
   * Reads a set of days.
   *
   * @throws NumberFormatException if the text is not one
   */
  static SortedSet<Integer> parse(String text) {
    SortedSet<Integer> days = new TreeSet<>();
    if (text.isEmpty()) {
      return days;
    }
    for (String range : text.split(",", -1)) {
      int dots = range.indexOf("..");
      int from = Integer.parseInt(dots < 0 ? range : range.substring(0, dots));
      int to = dots < 0 ? from : Integer.parseInt(range.substring(dots + 2));
      for (int day = from; day <= to; day++) {
        days.add(day);
      }
    }
    return days;
  }
}
