package io.varve.storage.inspect;

import java.util.List;

/**
 * What the files of one day of one topic partition hold.
 *
 * @param topicPartition topic partition of {@code rows}
 * @param day UTC day number
 * @param generations generations of block files in the folder, ascending
 * @param files block files, and the index if there is one
 * @param bytes lengths of these files; all of it is allocated when a file is made
 * @param form how its rows lie
 * @param indexed whether an index is there that matches its checksum, the files and the rows
 * @param incomplete whether rows are known to be missing, which the log no longer had
 * @param partitions its partitions, by sensor, then shard; of a damaged day those rows that verify
 * @param blocks how its blocks are used
 * @param findings what is wrong, and what the next start mends
 */
public record DayReport(
    int topicPartition,
    int day,
    List<Integer> generations,
    int files,
    long bytes,
    Form form,
    boolean indexed,
    boolean incomplete,
    List<PartitionReport> partitions,
    BlockReport blocks,
    List<Finding> findings) {

  /** How the rows of a day lie. */
  public enum Form {
    /** With blocks of plain rows. */
    LIVE,
    /** All rows sealed, in files as large as what they hold. */
    TIGHT,
    /** In two generations of files: a rewriting into tight form was cut short. */
    REWRITING,
    /** Not readable as a whole. */
    DAMAGED
  }

  public DayReport {
    generations = List.copyOf(generations);
    partitions = List.copyOf(partitions);
    findings = List.copyOf(findings);
  }

  /** Rows of all partitions. */
  public long rows() {
    return partitions.stream().mapToLong(PartitionReport::rows).sum();
  }

  /** Whether any finding is damage. */
  public boolean damaged() {
    return findings.stream().anyMatch(Finding::damage);
  }

  /** Whether every change is on disk and nothing is wrong. */
  public boolean clean() {
    return indexed && !damaged();
  }
}
