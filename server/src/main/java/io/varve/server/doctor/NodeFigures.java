package io.varve.server.doctor;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a node tells that the checks need.
 *
 * @param name prefix of its topics and application id
 * @param ownBroker whether the broker is in its process
 * @param sources its source topics
 * @param partitions topic partitions of {@code rows}
 * @param retention event time that its stores keep; empty keeps all
 * @param nowMicros its clock when it answered; empty of a node that does not tell
 * @param openFiles files that its process has open; empty where the system does not tell
 * @param maxOpenFiles files that its process may have open
 * @param stores its stores
 * @param lost records that source topics dropped before they were read, by topic partition, such as
 *     {@code readings-3}; only where there were some
 * @param routed readings routed since the ledger began, by topic partition of a source
 * @param refused readings refused, by reason
 * @param partitionRows rows of its partitions at some percentiles, such as {@code p99}
 * @param partitionCount its partitions
 * @param bytesPerRow bytes of a row in its stores
 * @param guardrail shards over the guardrail
 * @param visibleLag records acknowledged and not visible yet
 */
public record NodeFigures(
    String name,
    boolean ownBroker,
    List<String> sources,
    int partitions,
    Optional<Duration> retention,
    OptionalLong nowMicros,
    OptionalLong openFiles,
    OptionalLong maxOpenFiles,
    List<Store> stores,
    Map<String, Long> lost,
    Map<String, Long> routed,
    Map<String, Long> refused,
    Map<String, Long> partitionRows,
    long partitionCount,
    double bytesPerRow,
    Guardrail guardrail,
    long visibleLag) {
  public NodeFigures {
    sources = List.copyOf(sources);
    stores = List.copyOf(stores);
    lost = Map.copyOf(lost);
    routed = Map.copyOf(routed);
    refused = Map.copyOf(refused);
    partitionRows = Map.copyOf(partitionRows);
  }

  /**
   * One store.
   *
   * @param topicPartition its topic partition of {@code rows}
   * @param rows rows that it holds
   * @param appliedOffset newest offset applied
   * @param beginOffset oldest offset of its log
   * @param eventMicros newest timestamp applied
   */
  public record Store(
      int topicPartition,
      long rows,
      OptionalLong appliedOffset,
      OptionalLong beginOffset,
      OptionalLong eventMicros) {}

  /**
   * Shards that are too large.
   *
   * @param over how many
   * @param largest the largest shard in words; empty while there are no rows
   */
  public record Guardrail(long over, String largest) {}

  /** Rows at a percentile; 0 where there are no partitions. */
  long rowsAt(String percentile) {
    return partitionRows.getOrDefault(percentile, 0L);
  }

  /** Rows in all its stores. */
  long rows() {
    return stores.stream().mapToLong(Store::rows).sum();
  }
}
