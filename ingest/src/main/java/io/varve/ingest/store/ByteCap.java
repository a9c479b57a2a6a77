package io.varve.ingest.store;

import java.util.Map;
import java.util.SortedMap;

/**
 * The rule by which days leave when the stores of a node take too much: the oldest first, each as a
 * whole, until the rest takes no more than the cap. The live day stays, and so does any after it.
 *
 * @param maxBytes the cap
 */
record ByteCap(long maxBytes) {
  ByteCap {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes=" + maxBytes);
    }
  }

  /**
   * Decides where the floor is to be.
   *
   * @param bytesByDay what each day takes in all stores, ascending
   * @param liveDay day that is being written to
   * @param floor days before it are leaving already, whatever they still take
   * @return first day that stays: the floor given, or the day after the last one that has to leave
   */
  int floor(SortedMap<Integer, Long> bytesByDay, int liveDay, int floor) {
    SortedMap<Integer, Long> kept = bytesByDay.tailMap(floor);
    long sum = sum(kept);
    int raised = floor;
    for (Map.Entry<Integer, Long> oldest : kept.entrySet()) {
      if (sum <= maxBytes || oldest.getKey() >= liveDay) {
        break;
      }
      sum -= oldest.getValue();
      raised = oldest.getKey() + 1;
    }
    return raised;
  }

  /** Whether the days from a floor on take more than the cap. */
  boolean isExceeded(SortedMap<Integer, Long> bytesByDay, int floor) {
    return sum(bytesByDay.tailMap(floor)) > maxBytes;
  }

  private static long sum(SortedMap<Integer, Long> days) {
    return days.values().stream().mapToLong(Long::longValue).sum();
  }
}
