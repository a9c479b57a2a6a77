package io.varve.query.plan;

import io.varve.storage.PartitionReader;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The sensors of all stores, in bytewise order of their ids, a page at a time. A sensor's days lie
 * in several stores, so what they know of it is joined.
 *
 * @param sensors the page
 * @param more whether there are sensors after it
 */
public record SensorList(List<SensorSummary> sensors, boolean more) {
  /**
   * Reads a page.
   *
   * @param stores serving stores
   * @param prefix UTF-8 bytes that the ids begin with
   * @param after list only ids after this one
   * @param limit most sensors
   */
  public static SensorList read(
      List<PartitionReader> stores, byte[] prefix, Optional<SensorId> after, int limit) {
    // A sensor among the first n of all is among the first n of each store that knows it, so
    // joining every store's first n + 1 gives the first n whole.
    TreeMap<SensorId, SensorSummary> joined = new TreeMap<>();
    for (PartitionReader store : stores) {
      for (SensorSummary summary : store.sensors(prefix, after, limit + 1)) {
        joined.merge(summary.sensor(), summary, SensorList::join);
      }
    }
    List<SensorSummary> page = new ArrayList<>(joined.values());
    boolean more = page.size() > limit;
    return new SensorList(more ? List.copyOf(page.subList(0, limit)) : page, more);
  }

  private static SensorSummary join(SensorSummary a, SensorSummary b) {
    Row last = a.last().key().compareTo(b.last().key()) <= 0 ? a.last() : b.last();
    return new SensorSummary(
        a.sensor(),
        Math.min(a.firstDay(), b.firstDay()),
        Math.max(a.lastDay(), b.lastDay()),
        a.rows() + b.rows(),
        last);
  }
}
