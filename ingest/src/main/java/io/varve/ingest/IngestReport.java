package io.varve.ingest;

import io.varve.storage.StoreState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What this node has taken in so far and how far it is behind. Counts are live; offsets at the end
 * of the log and sizes are at most a few seconds old.
 *
 * @param sources the source topic partitions that this node routes, by topic and number
 * @param rows the topic partitions of {@code rows} whose stores are here, by number
 * @param topicBytes bytes on the brokers' disks by topic, all replicas; a topic whose size is not
 *     known is left out
 * @param full whether the day being written to alone takes more than the stores may
 */
public record IngestReport(
    List<SourcePartition> sources,
    List<RowsPartition> rows,
    Map<String, Long> topicBytes,
    boolean full) {
  /** The report before anything has started. */
  public static final IngestReport NOTHING =
      new IngestReport(List.of(), List.of(), Map.of(), false);

  public IngestReport {
    sources = List.copyOf(sources);
    rows = List.copyOf(rows);
    topicBytes = Map.copyOf(topicBytes);
  }

  /**
   * The ledger of one source topic partition: consumed = routed + refused + dead-lettered, each
   * reading counted once however often a restart reads it again.
   *
   * @param topic source topic
   * @param partition its topic partition
   * @param beginOffset oldest offset that the topic still holds; empty while unknown
   * @param countedThrough newest offset that the counts include; empty before the first
   * @param endOffset offset that the next record will get; empty while unknown
   * @param lag records not counted yet
   * @param routed readings written to {@code rows}
   * @param refused readings that break a rule, by {@link io.varve.ingest.check.Refusal#text}; only
   *     reasons that occurred
   * @param deadLettered records that could not be decoded, or not to their end
   * @param lost offsets that the topic dropped before they were read
   * @param logBytes bytes of one replica; empty where the brokers do not tell
   */
  public record SourcePartition(
      String topic,
      int partition,
      OptionalLong beginOffset,
      OptionalLong countedThrough,
      OptionalLong endOffset,
      long lag,
      long routed,
      Map<String, Long> refused,
      long deadLettered,
      long lost,
      OptionalLong logBytes) {
    public SourcePartition {
      refused = Map.copyOf(refused);
    }
  }

  /**
   * One store and the log that feeds it.
   *
   * @param topicPartition topic partition of {@code rows}
   * @param state what the store may answer
   * @param appliedOffset newest offset whose rows are visible; empty before the first
   * @param beginOffset oldest offset that the log still holds; empty while unknown
   * @param endOffset offset that the next record will get; empty while unknown
   * @param lag records of {@code rows} not applied yet
   * @param eventTimeMicros newest timestamp applied; empty before the first
   * @param logBytes bytes of one replica of the log; empty where the brokers do not tell
   */
  public record RowsPartition(
      int topicPartition,
      StoreState state,
      OptionalLong appliedOffset,
      OptionalLong beginOffset,
      OptionalLong endOffset,
      long lag,
      OptionalLong eventTimeMicros,
      OptionalLong logBytes) {}

  /** Readings written to {@code rows}. */
  public long routed() {
    return sources.stream().mapToLong(SourcePartition::routed).sum();
  }

  /** Readings refused, for whatever reason. */
  public long refused() {
    return refusedByReason().values().stream().mapToLong(Long::longValue).sum();
  }

  /** Readings refused by reason; only reasons that occurred. */
  public Map<String, Long> refusedByReason() {
    Map<String, Long> sum = new LinkedHashMap<>();
    for (SourcePartition source : sources) {
      source.refused().forEach((reason, n) -> sum.merge(reason, n, Long::sum));
    }
    return sum;
  }

  /** Records that could not be decoded, or not to their end. */
  public long deadLettered() {
    return sources.stream().mapToLong(SourcePartition::deadLettered).sum();
  }

  /** Records that the source topics dropped before they were read. */
  public long lost() {
    return sources.stream().mapToLong(SourcePartition::lost).sum();
  }

  /** Records that are acknowledged and not visible yet: unrouted source records, unapplied rows. */
  public long visibleLag() {
    return sources.stream().mapToLong(SourcePartition::lag).sum()
        + rows.stream().mapToLong(RowsPartition::lag).sum();
  }
}
