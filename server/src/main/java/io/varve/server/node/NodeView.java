package io.varve.server.node;

import io.varve.ingest.IngestReport;
import io.varve.ingest.IngestService;
import io.varve.ingest.IngestState;
import io.varve.ingest.shards.PlanReport;
import io.varve.ingest.shards.ShardPlans;
import io.varve.query.NodeControl;
import io.varve.query.ShardControl;
import io.varve.query.Stores;
import io.varve.storage.Compaction;
import io.varve.storage.PartitionReader;
import io.varve.storage.ShardSizes;
import io.varve.storage.StoreState;
import io.varve.storage.StoreUnavailableException;
import io.varve.storage.placement.ShardCounts;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * The node as query-api sees it, from before ingest exists until after it is closed. Thread-safe.
 */
final class NodeView implements Stores, NodeControl {
  private final NodeFacts facts;
  private final RowRate rate = new RowRate();
  private final NodeMetrics metrics;

  /** A look goes over each partition of each day in use. */
  private final Rationed<Map<Integer, ShardSizes>> shardSizes =
      new Rationed<>(this::lookAtShardSizes, System::nanoTime);

  private final Rationed<Map<String, Object>> besideRows;

  private final NodeShards shards;
  private final NodeTraffic traffic;
  private volatile NodePhase phase = NodePhase.STARTING_BROKER;
  private volatile Optional<IngestService> ingest = Optional.empty();
  private volatile String brokerFault = "";

  NodeView(NodeFacts facts) {
    this.facts = facts;
    this.besideRows =
        new Rationed<>(
            () -> DiskStatus.besideRows(facts.data().resolve("store")), System::nanoTime);
    this.shards =
        new NodeShards(
            () -> ingest.flatMap(IngestService::plans),
            () -> ingest.flatMap(IngestService::sharding),
            this,
            NodeView::nowMicros);
    this.traffic = new NodeTraffic(() -> ingest.flatMap(IngestService::traffic));
    this.metrics =
        new NodeMetrics(this::snapshot, () -> notReady().isEmpty(), rate, shards, traffic);
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  void phase(NodePhase next) {
    if (phase != NodePhase.BROKER_FAILED) {
      phase = next;
    }
  }

  void ingest(IngestService service) {
    ingest = Optional.of(service);
  }

  void brokerFailed(String what) {
    brokerFault = what;
    phase = NodePhase.BROKER_FAILED;
  }

  NodeStatus snapshot() {
    NodeStatus status =
        new NodeStatus(
            ingest.map(IngestService::report).orElse(IngestReport.NOTHING),
            local(),
            rate,
            shardSizes::get);
    rate.sample(System.nanoTime(), status.rowsApplied(), status.report().visibleLag());
    return status;
  }

  private Map<Integer, ShardSizes> lookAtShardSizes() {
    Map<Integer, ShardSizes> sizes = new TreeMap<>();
    for (PartitionReader reader : local()) {
      sizes.put(reader.topicPartition(), reader.shardSizes());
    }
    return sizes;
  }

  @Override
  public int topicPartitions() {
    return facts.partitions();
  }

  @Override
  public List<PartitionReader> local() {
    return ingest.map(IngestService::readers).orElse(List.of());
  }

  @Override
  public ShardCounts shardCounts() {
    return ingest
        .flatMap(IngestService::plans)
        .<ShardCounts>map(ShardPlans::live)
        .orElse(ShardCounts.ONE);
  }

  @Override
  public Map<Integer, String> remoteOwners() {
    return ingest.map(IngestService::remoteOwners).orElse(Map.of());
  }

  @Override
  public boolean live() {
    return phase != NodePhase.BROKER_FAILED
        && ingest.map(s -> s.state() != IngestState.FAILED).orElse(true);
  }

  @Override
  public Optional<String> notReady() {
    NodePhase now = phase;
    if (now == NodePhase.BROKER_FAILED) {
      return Optional.of(now.whyNotReady() + ": " + brokerFault);
    }
    if (now != NodePhase.RUNNING) {
      return Optional.of(now.whyNotReady());
    }
    IngestService service = ingest.orElseThrow();
    if (service.state() == IngestState.FAILED) {
      return Optional.of("ingest has failed: " + service.reason().orElse("unknown cause"));
    }
    for (PartitionReader reader : service.readers()) {
      Optional<String> stalled = reader.stalled();
      if (stalled.isPresent()) {
        return Optional.of("readings wait, answers go on: " + stalled.get());
      }
    }
    PlanReport plans = shards.report();
    if (plans.state() == PlanReport.State.BEHIND) {
      return Optional.of(
          "readings wait, answers go on: shard plans are not known to their end"
              + (plans.trouble().isEmpty() ? "" : ", " + plans.trouble()));
    }
    return missing(service);
  }

  /** Names the topic partitions that belong here or nowhere and are not served. */
  private Optional<String> missing(IngestService service) {
    TreeSet<Integer> missing = new TreeSet<>();
    for (int p = 0; p < facts.partitions(); p++) {
      missing.add(p);
    }
    for (PartitionReader reader : service.readers()) {
      if (reader.state() == StoreState.SERVING) {
        missing.remove(reader.topicPartition());
      }
    }
    if (missing.isEmpty()) {
      return Optional.empty();
    }
    missing.removeAll(service.remoteOwners().keySet());
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("stores are restoring or moving: topic_partitions=" + missing);
  }

  @Override
  public Map<String, Object> status() {
    NodeStatus status = snapshot();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("ledger", status.ledger());
    tree.put("arrival", status.arrival());
    tree.put("state", state());
    notReady().ifPresent(why -> tree.put("not_ready", why));
    tree.put("paused", ingest.map(IngestService::paused).orElse(false));
    tree.put("visible_lag_records", status.report().visibleLag());
    tree.put("rows_applied_per_second", Math.round(rate.current()));
    tree.put("topic_partitions", status.topicPartitions());
    tree.put("sources", status.sources());
    tree.put("disk", new DiskStatus(facts, status, besideRows.get()).tree());
    tree.put("shard_plans", shards.tree());
    tree.put("guardrail", status.guardrail(facts.limits()));
    tree.put("compaction", compaction());
    tree.put("rebuild", status.rebuild());
    tree.put("node", facts.tree());
    tree.put("version", Version.varve());
    return tree;
  }

  private String state() {
    if (phase != NodePhase.RUNNING) {
      return phase.name().toLowerCase(java.util.Locale.ROOT);
    }
    return ingest.orElseThrow().state().name().toLowerCase(java.util.Locale.ROOT);
  }

  private Map<String, Object> compaction() {
    Compaction progress = ingest.map(IngestService::compaction).orElse(Compaction.NONE);
    Map<String, Object> compaction = new LinkedHashMap<>();
    compaction.put("running", progress.running());
    compaction.put("days_done", progress.daysDone());
    compaction.put("days", progress.days());
    ingest
        .flatMap(IngestService::compactionFailure)
        .ifPresent(why -> compaction.put("failure", why));
    return compaction;
  }

  @Override
  public Map<String, Object> storeStats(boolean segments) throws IOException {
    StoreStats stats = new StoreStats();
    for (PartitionReader store : local()) {
      stats.add(store);
    }
    return stats.tree(snapshot().arrival(), segments);
  }

  @Override
  public ShardControl shards() {
    return shards;
  }

  @Override
  public Map<String, Object> top(int seconds, int limit, boolean writes, boolean reads) {
    return traffic.top(seconds, limit, writes, reads);
  }

  @Override
  public String metrics() {
    return metrics.scrape();
  }

  @Override
  public boolean pauseIngest() {
    ingest.ifPresent(IngestService::pause);
    return ingest.isPresent();
  }

  @Override
  public boolean resumeIngest() {
    ingest.ifPresent(IngestService::resume);
    return ingest.isPresent();
  }

  @Override
  public Future<Integer> compactStores() {
    NodePhase now = phase;
    if (now != NodePhase.RUNNING) {
      return unavailable(now.whyNotReady());
    }
    IngestService service = ingest.orElseThrow();
    return missing(service).map(NodeView::unavailable).orElseGet(service::compact);
  }

  private static Future<Integer> unavailable(String why) {
    return CompletableFuture.failedFuture(
        new StoreUnavailableException("Nothing can be compacted now: " + why + "."));
  }

  /** Ends what the metrics hold; the view answers on without them. */
  void close() {
    metrics.close();
  }
}
