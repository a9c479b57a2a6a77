package io.varve.load.target;

import java.util.Map;
import java.util.SortedMap;

/**
 * What a target says about itself.
 *
 * @param lagRecords records that wait, by topic partition ({@code readings-0}, {@code rows-3})
 * @param stored rows
 * @param overwritten rows whose value was replaced
 * @param duplicates rows that were there already
 * @param refused readings that broke a rule
 * @param refusedByReason the same, by reason
 * @param deadLettered records that could not be decoded
 * @param version the program and its version
 */
public record TargetStatus(
    SortedMap<String, Long> lagRecords,
    long stored,
    long overwritten,
    long duplicates,
    long refused,
    Map<String, Long> refusedByReason,
    long deadLettered,
    String version) {

  /** Records that wait in all topic partitions. */
  public long totalLag() {
    return lagRecords.values().stream().mapToLong(Long::longValue).sum();
  }
}
