package io.varve.storage;

/**
 * What one day holds in one store.
 *
 * @param day UTC day number
 * @param partitions partitions with rows, one for each shard
 * @param rows rows of all of them
 * @param bytes of its files
 * @param form how its rows lie
 * @param clean whether every change of it is on disk
 */
public record DayStats(int day, long partitions, long rows, long bytes, Form form, boolean clean) {
  /** How the rows of a day lie. */
  public enum Form {
    /** With plain blocks. */
    LIVE,
    /** All sealed. */
    TIGHT,
    /** Some partitions still in the files of before. */
    REWRITING
  }
}
