package io.varve.server.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.varve.ingest.IngestReport;
import io.varve.ingest.shards.PlanReport;
import io.varve.ingest.traffic.Hit;
import io.varve.ingest.traffic.PartitionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The node's metrics in Prometheus' text format. Tags are topics, topic partitions, states and
 * reasons, never sensors: their number does not grow with the data. Micrometer is imported here
 * only.
 *
 * <p>Values of one scrape come from one {@link NodeStatus}. Thread-safe.
 */
final class NodeMetrics implements AutoCloseable {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gc = new JvmGcMetrics();
  private final Supplier<NodeStatus> snapshots;
  private final Map<String, Long> refusedByReason = new ConcurrentHashMap<>();
  private final MultiGauge lag;
  private final MultiGauge rowsOfPartition;
  private final MultiGauge topicBytes;
  private final MultiGauge topRows;
  private final MultiGauge topBytes;
  private final NodeTraffic traffic;
  private volatile NodeStatus current;

  /**
   * @param snapshots makes the snapshot that a scrape shows
   * @param ready whether the node can answer
   */
  NodeMetrics(
      Supplier<NodeStatus> snapshots,
      Supplier<Boolean> ready,
      RowRate rate,
      NodeShards shards,
      NodeTraffic traffic) {
    this.snapshots = snapshots;
    this.traffic = traffic;
    this.current = snapshots.get();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    gc.bindTo(registry);
    Gauge.builder("varve.ready", () -> ready.get() ? 1 : 0)
        .description("1 when the node answers queries")
        .register(registry);
    gauge(
        "varve.rows.stored",
        "Rows in the segments, and rows that have left with their day",
        NodeStatus::stored);
    gauge("varve.store.bytes", "Bytes of the stores on disk", NodeStatus::storeBytes);
    gauge(
        "varve.shards.over.guardrail",
        "Shards of a sensor's day larger than the guardrail",
        NodeStatus::shardsOverGuardrail);
    gauge(
        "varve.shard.bytes.max",
        "Bytes of the largest shard of a sensor's day",
        s -> s.largestShard().map(found -> found.getValue().bytes()).orElse(0L));
    gauge(
        "varve.visible.lag.records",
        "Acknowledged records not visible yet",
        s -> s.report().visibleLag());
    Gauge.builder("varve.rows.applied.per.second", rate, RowRate::current)
        .description("Rows applied a second, over the last second or more")
        .register(registry);
    register(shards);
    counter("varve.rows.late", "Rows not behind the newest of their partition", NodeStatus::late);
    counter("varve.rows.overwritten", "Rows that replaced another value", NodeStatus::overwritten);
    counter("varve.rows.duplicates", "Rows that were there already", NodeStatus::duplicates);
    counter("varve.rows.expired", "Rows dropped with their day", NodeStatus::expired);
    counter(
        "varve.rows.capped",
        "Rows dropped with their day for --max-store-bytes",
        NodeStatus::capped);
    counter("varve.days.capped", "Days dropped for --max-store-bytes", s -> s.cappedDays().size());
    counter("varve.readings.routed", "Readings written to rows", s -> s.report().routed());
    counter("varve.records.dead.lettered", "Records not decodable", s -> s.report().deadLettered());
    counter(
        "varve.records.lost", "Records that source topics dropped unread", s -> s.report().lost());
    counter(
        "varve.segments.damaged",
        "Days set aside as damaged",
        s -> s.totals().values().stream().mapToLong(t -> t.damagedSegments()).sum());
    lag =
        MultiGauge.builder("varve.lag.records")
            .description("Records behind the log's end")
            .register(registry);
    rowsOfPartition =
        MultiGauge.builder("varve.partition.rows")
            .description("Rows of one topic partition")
            .register(registry);
    topicBytes =
        MultiGauge.builder("varve.topic.bytes")
            .description("Bytes on the brokers' disks")
            .register(registry);
    topRows =
        MultiGauge.builder("varve.top.rows.per.second")
            .description("Rows of the busiest partitions, by rank, over 10 s")
            .register(registry);
    topBytes =
        MultiGauge.builder("varve.top.bytes.per.second")
            .description("Bytes of the busiest partitions, by rank, over 10 s")
            .register(registry);
  }

  private void register(NodeShards shards) {
    Gauge.builder("varve.sensors.hot", shards, NodeShards::hotSensors)
        .description("Sensors with more than one shard now")
        .register(registry);
    Gauge.builder("varve.shard.plans", shards, s -> s.report().table().size())
        .description("Shard plans known")
        .register(registry);
    Gauge.builder(
            "varve.shard.plans.following",
            shards,
            s -> s.report().state() == PlanReport.State.FOLLOWING ? 1 : 0)
        .description("1 when shard plans are known to their end; readings wait when they are not")
        .register(registry);
    FunctionCounter.builder("varve.shard.plans.bad.records", shards, s -> s.report().badRecords())
        .description("Records of the plan topic that are no plan")
        .register(registry);
  }

  private void gauge(String name, String description, ToDoubleFunction<NodeStatus> value) {
    Gauge.builder(name, this, m -> value.applyAsDouble(m.current))
        .description(description)
        .register(registry);
  }

  private void counter(String name, String description, ToDoubleFunction<NodeStatus> value) {
    FunctionCounter.builder(name, this, m -> value.applyAsDouble(m.current))
        .description(description)
        .register(registry);
  }

  /** Returns all metrics in text format 0.0.4. */
  synchronized String scrape() {
    NodeStatus status = snapshots.get();
    current = status;
    List<MultiGauge.Row<?>> lags = new ArrayList<>();
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (IngestReport.SourcePartition p : status.report().sources()) {
      lags.add(
          MultiGauge.Row.of(Tags.of("topic", p.topic(), "partition", "" + p.partition()), p.lag()));
    }
    for (IngestReport.RowsPartition p : status.report().rows()) {
      lags.add(
          MultiGauge.Row.of(
              Tags.of("topic", "rows", "partition", "" + p.topicPartition()), p.lag()));
    }
    status
        .totals()
        .forEach((p, t) -> rows.add(MultiGauge.Row.of(Tags.of("partition", "" + p), t.stored())));
    lag.register(lags, true);
    rowsOfPartition.register(rows, true);
    List<MultiGauge.Row<?>> bytes = new ArrayList<>();
    status
        .report()
        .topicBytes()
        .forEach((topic, n) -> bytes.add(MultiGauge.Row.of(Tags.of("topic", topic), n)));
    topicBytes.register(bytes, true);
    List<MultiGauge.Row<?>> byRows = new ArrayList<>();
    List<MultiGauge.Row<?>> byBytes = new ArrayList<>();
    traffic
        .busiest()
        .forEach(
            (kind, busiest) -> {
              addRanks(kind, busiest.byRows(), byRows);
              addRanks(kind, busiest.byBytes(), byBytes);
            });
    topRows.register(byRows, true);
    topBytes.register(byBytes, true);
    status.report().refusedByReason().forEach(this::countRefused);
    return registry.scrape();
  }

  /** By rank: the number of ids grows with the data. */
  private static void addRanks(
      String kind, List<Hit<PartitionKey>> hits, List<MultiGauge.Row<?>> into) {
    for (int i = 0; i < hits.size(); i++) {
      double aSecond = (double) hits.get(i).estimate() / NodeTraffic.SECONDS;
      into.add(MultiGauge.Row.of(Tags.of("kind", kind, "rank", "" + (i + 1)), aSecond));
    }
  }

  private void countRefused(String reason, long count) {
    if (refusedByReason.put(reason, count) == null) {
      FunctionCounter.builder(
              "varve.readings.refused", refusedByReason, m -> m.getOrDefault(reason, 0L))
          .description("Readings that break a rule")
          .tag("reason", reason)
          .register(registry);
    }
  }

  @Override
  public void close() {
    gc.close();
    registry.close();
  }
}
