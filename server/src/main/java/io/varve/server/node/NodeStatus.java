package io.varve.server.node;

import io.varve.ingest.IngestReport;
import io.varve.ingest.StoreLimits;
import io.varve.schemas.Rfc3339;
import io.varve.storage.Arrivals;
import io.varve.storage.DayUse;
import io.varve.storage.PartitionReader;
import io.varve.storage.ShardSize;
import io.varve.storage.ShardSizes;
import io.varve.storage.StoreTotals;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * What a node tells about itself, as one tree of maps, lists, texts, numbers and booleans. Units
 * are part of the names.
 *
 * <p>A snapshot: taken from the stores' and the router's live counters when it is made.
 */
final class NodeStatus {
  /** Rate that a rebuild is reckoned with before this node has measured one. */
  private static final double ASSUMED_ROWS_A_SECOND = 300_000;

  private final IngestReport report;
  private final Map<Integer, StoreTotals> totals = new TreeMap<>();
  private final RowRate rate;
  private final List<PartitionReader> readers;
  private final Supplier<Map<Integer, ShardSizes>> shardSizes;

  /**
   * @param shardSizes how large shards are, by topic partition; called only when it is asked for
   */
  NodeStatus(
      IngestReport report,
      List<PartitionReader> readers,
      RowRate rate,
      Supplier<Map<Integer, ShardSizes>> shardSizes) {
    this.report = report;
    this.rate = rate;
    this.shardSizes = shardSizes;
    this.readers = List.copyOf(readers);
    for (PartitionReader reader : readers) {
      totals.put(reader.topicPartition(), reader.totals());
    }
  }

  /** Rows that the stores have applied since they were created, also those that have left. */
  long rowsApplied() {
    return totals.values().stream()
        .mapToLong(t -> t.stored() + t.expired() + t.capped() + t.overwritten() + t.duplicates())
        .sum();
  }

  /** Rows stored since the stores were created, also those that have left with their day. */
  long stored() {
    return totals.values().stream().mapToLong(t -> t.stored() + t.expired() + t.capped()).sum();
  }

  long overwritten() {
    return totals.values().stream().mapToLong(StoreTotals::overwritten).sum();
  }

  long late() {
    return totals.values().stream().mapToLong(StoreTotals::late).sum();
  }

  long duplicates() {
    return totals.values().stream().mapToLong(StoreTotals::duplicates).sum();
  }

  long expired() {
    return totals.values().stream().mapToLong(StoreTotals::expired).sum();
  }

  long capped() {
    return totals.values().stream().mapToLong(StoreTotals::capped).sum();
  }

  /** Days that left for the cap in bytes, by whichever store. */
  SortedSet<Integer> cappedDays() {
    SortedSet<Integer> days = new TreeSet<>();
    totals.values().forEach(t -> days.addAll(t.cappedDays()));
    return days;
  }

  long expiredOnArrival() {
    return totals.values().stream().mapToLong(StoreTotals::expiredOnArrival).sum();
  }

  long storeBytes() {
    return totals.values().stream().mapToLong(StoreTotals::bytes).sum();
  }

  /** What each day takes in all stores, newest first. */
  List<DayUse> days() {
    SortedMap<Integer, DayUse> days = new TreeMap<>(Comparator.reverseOrder());
    for (PartitionReader reader : readers) {
      for (DayUse day : reader.days()) {
        days.merge(
            day.day(),
            day,
            (a, b) -> new DayUse(a.day(), a.rows() + b.rows(), a.bytes() + b.bytes()));
      }
    }
    return List.copyOf(days.values());
  }

  long shardsOverGuardrail() {
    return shardSizes.get().values().stream().mapToLong(ShardSizes::overGuardrail).sum();
  }

  /** Topic partition and size of the largest shard; empty while there are no rows. */
  Optional<Map.Entry<Integer, ShardSize>> largestShard() {
    Optional<Map.Entry<Integer, ShardSize>> largest = Optional.empty();
    for (Map.Entry<Integer, ShardSizes> each : shardSizes.get().entrySet()) {
      Optional<ShardSize> size = each.getValue().largest();
      if (size.isPresent()
          && (largest.isEmpty() || size.get().bytes() > largest.get().getValue().bytes())) {
        largest = Optional.of(Map.entry(each.getKey(), size.get()));
      }
    }
    return largest;
  }

  Map<String, Object> guardrail(StoreLimits limits) {
    Map<String, Object> guardrail = new LinkedHashMap<>();
    guardrail.put("max_shard_bytes", limits.maxShardBytes());
    guardrail.put("max_shard_rows", limits.maxShardRows());
    guardrail.put("shards_over", shardsOverGuardrail());
    largestShard()
        .ifPresent(
            found -> {
              ShardSize size = found.getValue();
              Map<String, Object> largest = new LinkedHashMap<>();
              largest.put("sensor_id", size.sensor().toString());
              largest.put("day", LocalDate.ofEpochDay(size.day()).toString());
              largest.put("shard", size.shard());
              largest.put("topic_partition", found.getKey());
              largest.put("bytes", size.bytes());
              largest.put("rows", size.rows());
              guardrail.put("largest", largest);
            });
    return guardrail;
  }

  IngestReport report() {
    return report;
  }

  Map<Integer, StoreTotals> totals() {
    return totals;
  }

  Pulse pulse() {
    return new Pulse(
        rowsApplied() + report.refused() + report.deadLettered(),
        report.visibleLag(),
        stored(),
        overwritten() + duplicates(),
        report.refused() + report.deadLettered());
  }

  Map<String, Object> ledger() {
    Map<String, Object> ledger = new LinkedHashMap<>();
    ledger.put("stored", stored());
    ledger.put("overwritten", overwritten());
    ledger.put("duplicates", duplicates());
    ledger.put("refused", report.refused());
    ledger.put("dead_lettered", report.deadLettered());
    ledger.put("refused_by_reason", new TreeMap<>(report.refusedByReason()));
    ledger.put("expired", expired());
    ledger.put("capped", capped());
    ledger.put("expired_on_arrival", expiredOnArrival());
    return ledger;
  }

  /** How the rows came that the stores have applied. */
  Map<String, Object> arrival() {
    return ArrivalFacts.of(new Arrivals(stored(), late(), overwritten(), duplicates()));
  }

  List<Object> topicPartitions() {
    List<Object> list = new ArrayList<>();
    for (IngestReport.RowsPartition p : report.rows()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("topic_partition", p.topicPartition());
      entry.put("state", p.state().name().toLowerCase(java.util.Locale.ROOT));
      putIfPresent(entry, "applied_offset", p.appliedOffset());
      putIfPresent(entry, "begin_offset", p.beginOffset());
      putIfPresent(entry, "end_offset", p.endOffset());
      entry.put("lag_records", p.lag());
      p.eventTimeMicros().ifPresent(micros -> entry.put("event_time", instant(micros)));
      StoreTotals t = totals.get(p.topicPartition());
      if (t != null) {
        entry.put("rows", t.stored());
        entry.put("store_bytes", t.bytes());
        entry.put("days", t.segments());
        entry.put("open_days", t.openSegments());
        entry.put("undecodable_records", t.undecodable());
        entry.put("damaged_days", t.damagedSegments());
        entry.put("incomplete_days", t.incompleteDays());
      }
      list.add(entry);
    }
    return list;
  }

  List<Object> sources() {
    List<Object> list = new ArrayList<>();
    for (IngestReport.SourcePartition p : report.sources()) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("topic", p.topic());
      entry.put("partition", p.partition());
      putIfPresent(entry, "counted_through_offset", p.countedThrough());
      putIfPresent(entry, "end_offset", p.endOffset());
      entry.put("lag_records", p.lag());
      entry.put("routed", p.routed());
      entry.put("refused", p.refused().values().stream().mapToLong(Long::longValue).sum());
      entry.put("dead_lettered", p.deadLettered());
      entry.put("lost_records", p.lost());
      list.add(entry);
    }
    return list;
  }

  /**
   * Reckons how long a rebuild of all stores from the log takes: the rows that the log carried, at
   * the best rate that this node has applied rows with over a full second in which more waited. A
   * rebuild reads the same records through the same function and has nothing else to do.
   */
  Map<String, Object> rebuild() {
    boolean measured = rate.best() > 0;
    double rowsASecond = measured ? rate.best() : ASSUMED_ROWS_A_SECOND;
    Map<String, Object> rebuild = new LinkedHashMap<>();
    rebuild.put("estimated_seconds", Math.ceil(rowsApplied() / rowsASecond * 10) / 10);
    rebuild.put("rows", rowsApplied());
    rebuild.put("rows_per_second", Math.round(rowsASecond));
    rebuild.put(
        "reckoned_from",
        measured ? "best busy second since the start" : "assumed, no busy second yet");
    return rebuild;
  }

  private static void putIfPresent(Map<String, Object> map, String key, OptionalLong value) {
    value.ifPresent(v -> map.put(key, v));
  }

  private static String instant(long micros) {
    return Rfc3339.format(micros);
  }
}
