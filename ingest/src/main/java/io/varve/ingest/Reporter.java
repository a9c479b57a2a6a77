package io.varve.ingest;

import io.varve.ingest.IngestReport.RowsPartition;
import io.varve.ingest.IngestReport.SourcePartition;
import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.ledger.SourceCounts;
import io.varve.ingest.store.RowsStores;
import io.varve.ingest.topics.LogWatch;
import io.varve.storage.Freshness;
import io.varve.storage.PartitionReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.ThreadMetadata;

/** Puts counts, stores and logs together into a report. Thread-safe. */
final class Reporter {
  private final String rowsTopic;
  private final RowsStores stores;
  private final Ledger ledger;
  private final LogWatch watch;
  private final KafkaStreams streams;

  Reporter(
      String rowsTopic, RowsStores stores, Ledger ledger, LogWatch watch, KafkaStreams streams) {
    this.rowsTopic = rowsTopic;
    this.stores = stores;
    this.ledger = ledger;
    this.watch = watch;
    this.streams = streams;
  }

  IngestReport report() {
    Map<TopicPartition, Long> committed = committed();
    List<SourcePartition> sources = new ArrayList<>();
    for (SourceCounts counts : ledger.counts()) {
      sources.add(source(counts, committed));
    }
    List<RowsPartition> rows = new ArrayList<>();
    for (PartitionReader store : stores.readers()) {
      rows.add(rows(store));
    }
    return new IngestReport(sources, rows, watch.bytes(), stores.full());
  }

  /**
   * Committed offsets of local tasks: they pass the marks of transactions, which are no records.
   */
  private Map<TopicPartition, Long> committed() {
    Map<TopicPartition, Long> committed = new HashMap<>();
    for (ThreadMetadata thread : streams.metadataForLocalThreads()) {
      for (TaskMetadata task : thread.activeTasks()) {
        committed.putAll(task.committedOffsets());
      }
    }
    return committed;
  }

  private SourcePartition source(SourceCounts counts, Map<TopicPartition, Long> committed) {
    long through = counts.through();
    OptionalLong end = watch.endOffset(counts.topic(), counts.partition());
    long next =
        Math.max(
            Math.max(through + 1, watch.beginOffset(counts.topic(), counts.partition()).orElse(0)),
            committed.getOrDefault(new TopicPartition(counts.topic(), counts.partition()), 0L));
    Map<String, Long> refused = new HashMap<>();
    counts.refused().forEach((refusal, n) -> refused.put(refusal.text(), n));
    return new SourcePartition(
        counts.topic(),
        counts.partition(),
        watch.beginOffset(counts.topic(), counts.partition()),
        through < 0 ? OptionalLong.empty() : OptionalLong.of(through),
        end,
        end.isPresent() ? Math.max(0, end.getAsLong() - next) : 0,
        counts.routed(),
        refused,
        counts.deadLettered(),
        counts.lost(),
        watch.replicaBytes(counts.topic(), counts.partition()));
  }

  private RowsPartition rows(PartitionReader store) {
    Freshness freshness = store.freshness();
    int partition = store.topicPartition();
    OptionalLong begin = watch.beginOffset(rowsTopic, partition);
    OptionalLong end = watch.endOffset(rowsTopic, partition);
    long next =
        freshness.appliedOffset().isPresent()
            ? freshness.appliedOffset().getAsLong() + 1
            : begin.orElse(0);
    return new RowsPartition(
        partition,
        store.state(),
        freshness.appliedOffset(),
        begin,
        end,
        end.isPresent() ? Math.max(0, end.getAsLong() - next) : 0,
        freshness.eventTimeMicros(),
        watch.replicaBytes(rowsTopic, partition));
  }
}
