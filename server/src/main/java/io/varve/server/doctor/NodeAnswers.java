package io.varve.server.doctor;

import io.varve.schemas.TimeText;
import io.varve.server.client.NumberText;
import io.varve.server.doctor.NodeFigures.Guardrail;
import io.varve.server.doctor.NodeFigures.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads {@link NodeFigures} out of a node's answers. What an answer lacks stays empty or 0. */
public final class NodeAnswers {
  private final Map<?, ?> status;
  private final Map<?, ?> stats;

  private NodeAnswers(Map<?, ?> status, Map<?, ?> stats) {
    this.status = status;
    this.stats = stats;
  }

  /**
   * Reads.
   *
   * @param status answer of {@code /v1/status}
   * @param stats answer of {@code /v1/store/stats}
   */
  public static NodeFigures figures(Map<String, ?> status, Map<String, ?> stats) {
    return new NodeAnswers(status, stats).figures();
  }

  private NodeFigures figures() {
    Map<?, ?> node = object(status, "node");
    Map<String, Long> lost = new LinkedHashMap<>();
    Map<String, Long> routed = new LinkedHashMap<>();
    for (Map<?, ?> source : objects(status, "sources")) {
      String partition = source.get("topic") + "-" + source.get("partition");
      routed.put(partition, number(source, "routed").orElse(0));
      number(source, "lost_records").stream()
          .filter(n -> n > 0)
          .forEach(n -> lost.put(partition, n));
    }
    Map<String, Long> percentiles = new LinkedHashMap<>();
    for (Map<?, ?> line : objects(stats, "percentiles")) {
      percentiles.put("" + line.get("percentile"), number(line, "rows").orElse(0));
    }
    Map<String, Long> refused = new LinkedHashMap<>();
    object(object(status, "ledger"), "refused_by_reason")
        .forEach((reason, n) -> refused.put("" + reason, whole(n).orElse(0)));
    OptionalLong retention = number(node, "retention_seconds");
    return new NodeFigures(
        text(node, "name"),
        Boolean.TRUE.equals(node.get("in_process_broker")),
        node.get("topics") instanceof List<?> topics
            ? topics.stream().map(String::valueOf).toList()
            : List.of(),
        (int) number(node, "partitions").orElse(0),
        retention.isPresent()
            ? Optional.of(Duration.ofSeconds(retention.getAsLong()))
            : Optional.empty(),
        instant(node, "now"),
        number(node, "open_files"),
        number(node, "max_open_files"),
        stores(),
        lost,
        routed,
        refused,
        percentiles,
        number(stats, "partitions").orElse(0),
        stats.get("bytes_a_row") instanceof NumberText n ? Double.parseDouble(n.text()) : 0,
        guardrail(),
        number(status, "visible_lag_records").orElse(0));
  }

  private List<Store> stores() {
    List<Store> stores = new ArrayList<>();
    for (Map<?, ?> store : objects(status, "topic_partitions")) {
      stores.add(
          new Store(
              (int) number(store, "topic_partition").orElse(-1),
              number(store, "rows").orElse(0),
              number(store, "applied_offset"),
              number(store, "begin_offset"),
              instant(store, "event_time")));
    }
    return stores;
  }

  private Guardrail guardrail() {
    Map<?, ?> guardrail = object(status, "guardrail");
    Map<?, ?> largest = object(guardrail, "largest");
    String words =
        largest.isEmpty()
            ? ""
            : String.format(
                java.util.Locale.ROOT,
                "%s on %s, %,d bytes, %,d rows",
                largest.get("sensor_id"),
                largest.get("day"),
                number(largest, "bytes").orElse(0),
                number(largest, "rows").orElse(0));
    return new Guardrail(number(guardrail, "shards_over").orElse(0), words);
  }

  private static Map<?, ?> object(Map<?, ?> in, String member) {
    return in.get(member) instanceof Map<?, ?> object ? object : Map.of();
  }

  private static List<Map<?, ?>> objects(Map<?, ?> in, String member) {
    List<Map<?, ?>> objects = new ArrayList<>();
    if (in.get(member) instanceof List<?> list) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> object) {
          objects.add(object);
        }
      }
    }
    return objects;
  }

  private static String text(Map<?, ?> in, String member) {
    return in.get(member) instanceof String text ? text : "";
  }

  private static OptionalLong number(Map<?, ?> in, String member) {
    Object value = in.get(member);
    return value == null ? OptionalLong.empty() : whole(value);
  }

  private static OptionalLong whole(Object value) {
    try {
      return value instanceof NumberText number
          ? OptionalLong.of(Long.parseLong(number.text()))
          : OptionalLong.empty();
    } catch (NumberFormatException e) {
      return OptionalLong.empty(); // a fraction, which no member asked for here is
    }
  }

  private static OptionalLong instant(Map<?, ?> in, String member) {
    try {
      String text = text(in, member);
      return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(TimeText.parse(text));
    } catch (TimeText.Invalid e) {
      return OptionalLong.empty(); // not of this version of Varve
    }
  }
}
