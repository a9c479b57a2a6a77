package io.varve.query.plan;

import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import io.varve.storage.TimeRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
   * @param prefix UTF-8 bytes that the ids begin with
   * @param after list only ids after this one
   * @param limit most sensors
   */
  public static SensorList read(
      ServingStores stores, byte[] prefix, Optional<SensorId> after, int limit) {
    // A sensor among the first n of all is among the first n of each store that knows it, so
    // joining every store's first n + 1 gives the first n whole.
    TreeMap<SensorId, SensorSummary> joined = new TreeMap<>();
    Set<SensorId> twice = new HashSet<>();
    for (PartitionReader store : stores.all()) {
      for (SensorSummary summary : store.sensors(prefix, after, limit + 1)) {
        joined.merge(
            summary.sensor(),
            summary,
            (a, b) -> {
              if (a.last().key().equals(b.last().key())) {
                twice.add(a.sensor());
              }
              return join(a, b);
            });
      }
    }
    List<SensorSummary> page = new ArrayList<>(joined.values());
    boolean more = page.size() > limit;
    if (more) {
      page.subList(limit, page.size()).clear();
    }
    page.replaceAll(
        summary ->
            twice.contains(summary.sensor()) || isPlanned(summary.sensor(), stores)
                ? withLastShown(summary, stores)
                : summary);
    return new SensorList(List.copyOf(page), more);
  }

  /** Tells whether two shards of one store may hold the sensor's newest key. */
  private static boolean isPlanned(SensorId sensor, ServingStores stores) {
    return stores.shardCounts().planned(sensor.utf8(), 0, sensor.length());
  }

  /** Has a walk find out which of two rows of the newest key is shown. */
  private static SensorSummary withLastShown(SensorSummary summary, ServingStores stores) {
    SensorId sensor = summary.sensor();
    try (RowCursor rows =
        new RowWalk(
            stores,
            sensor,
            TimeRange.ALL,
            Order.NEWEST_FIRST,
            Optional.empty(),
            1,
            new ReadFacts(stores.all()))) {
      return rows.next()
          ? new SensorSummary(
              sensor,
              summary.firstDay(),
              summary.lastDay(),
              summary.rows(),
              new Row(rows.timestampMicros(), rows.sequence(), rows.value()))
          : summary;
    }
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
