package io.varve.server.node;

import io.varve.ingest.traffic.Busiest;
import io.varve.ingest.traffic.Hit;
import io.varve.ingest.traffic.PartitionKey;
import io.varve.ingest.traffic.Traffic;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The busiest partitions of this node, as operators and metrics are told. Thread-safe. */
final class NodeTraffic {
  /** Seconds that metrics tell of. */
  static final int SECONDS = 10;

  private static final int RANKS = 10;

  private final Supplier<Optional<Traffic>> traffic;

  /**
   * @param traffic what is measured; empty before ingest has started
   */
  NodeTraffic(Supplier<Optional<Traffic>> traffic) {
    this.traffic = traffic;
  }

  Map<String, Object> top(int seconds, int limit, boolean writes, boolean reads) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("seconds", seconds);
    if (writes) {
      tree.put("writes", tree(writes(seconds, limit), seconds));
    }
    if (reads) {
      tree.put("reads", tree(reads(seconds, limit), seconds));
    }
    return tree;
  }

  private Busiest writes(int seconds, int limit) {
    return traffic.get().map(measured -> measured.writes(seconds, limit)).orElse(Busiest.NONE);
  }

  private Busiest reads(int seconds, int limit) {
    return traffic.get().map(measured -> measured.reads(seconds, limit)).orElse(Busiest.NONE);
  }

  private static Map<String, Object> tree(Busiest busiest, int seconds) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("rows", busiest.rows());
    tree.put("bytes", busiest.bytes());
    tree.put("by_rows", list("rows", busiest.byRows(), busiest.rows(), seconds));
    tree.put("by_bytes", list("bytes", busiest.byBytes(), busiest.bytes(), seconds));
    return tree;
  }

  private static List<Object> list(
      String what, List<Hit<PartitionKey>> hits, long all, int seconds) {
    List<Object> list = new ArrayList<>();
    for (Hit<PartitionKey> hit : hits) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("rank", list.size() + 1);
      entry.put("sensor_id", hit.item().sensor().toString());
      entry.put("day", LocalDate.ofEpochDay(hit.item().day()).toString());
      entry.put(what, hit.estimate());
      entry.put("at_least", hit.atLeast());
      entry.put("at_most", hit.atMost());
      entry.put("percent", Math.round(1e4 * hit.estimate() / all) / 1e2);
      entry.put(what + "_per_second", Math.round((double) hit.estimate() / seconds));
      list.add(entry);
    }
    return list;
  }

  /** The busiest partitions of late, for metrics: by {@code writes} and by {@code reads}. */
  Map<String, Busiest> busiest() {
    return Map.of("writes", writes(SECONDS, RANKS), "reads", reads(SECONDS, RANKS));
  }
}
