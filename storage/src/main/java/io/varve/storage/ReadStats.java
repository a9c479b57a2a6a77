package io.varve.storage;

/** What one answer cost: counters that cursors add to. Not thread-safe; one per query. */
public final class ReadStats {
  /** Distinct days read. */
  public int days;

  /** Fragments read: one for each (day, shard) that was opened. */
  public int shards;

  /** Blocks whose rows were looked at. */
  public long blocks;

  /** Rows whose timestamp or value was reconstructed, skipped ones included. */
  public long rowsDecoded;
}
