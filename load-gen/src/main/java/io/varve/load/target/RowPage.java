package io.varve.load.target;

import java.util.Arrays;
import java.util.Optional;

/** Rows of one answer in primitive arrays, in the order of the answer. Reused by one thread. */
public final class RowPage {
  private long[] timestamps = new long[128];
  private long[] sequences = new long[128];
  private long[] values = new long[128];
  private int size;
  private Optional<String> next = Optional.empty();
  private boolean complete;
  private long fragments;
  private long blocks;
  private long rowsDecoded;

  /** Forgets everything. */
  public void clear() {
    size = 0;
    next = Optional.empty();
    complete = false;
    fragments = 0;
    blocks = 0;
    rowsDecoded = 0;
  }

  /**
   * Adds a row.
   *
   * @param timestampMicros microseconds since 1970
   * @param valueBits as {@link Double#doubleToRawLongBits}
   */
  public void add(long timestampMicros, long sequence, long valueBits) {
    if (size == timestamps.length) {
      timestamps = Arrays.copyOf(timestamps, size * 2);
      sequences = Arrays.copyOf(sequences, size * 2);
      values = Arrays.copyOf(values, size * 2);
    }
    timestamps[size] = timestampMicros;
    sequences[size] = sequence;
    values[size] = valueBits;
    size++;
  }

  /**
   * Sets what the answer says of itself.
   *
   * @param next where the next page begins; empty at the end
   * @param complete whether nothing is missing between the first row and the last
   */
  public void end(Optional<String> next, boolean complete) {
    this.next = next;
    this.complete = complete;
  }

  /** Sets what the target says that the answer cost it; nothing for one that does not say. */
  public void cost(long fragments, long blocks, long rowsDecoded) {
    this.fragments = fragments;
    this.blocks = blocks;
    this.rowsDecoded = rowsDecoded;
  }

  /** Shards of days that the target opened; 0 when it does not say. */
  public long fragments() {
    return fragments;
  }

  /** Blocks that the target touched; 0 when it does not say. */
  public long blocks() {
    return blocks;
  }

  /** Rows that the target decoded; 0 when it does not say. */
  public long rowsDecoded() {
    return rowsDecoded;
  }

  /** How many rows there are. */
  public int size() {
    return size;
  }

  public long timestampMicros(int row) {
    return timestamps[row];
  }

  public long sequence(int row) {
    return sequences[row];
  }

  public long valueBits(int row) {
    return values[row];
  }

  /** Where the next page begins; empty at the end. */
  public Optional<String> next() {
    return next;
  }

  /** Whether the answer says that nothing is missing between its first row and its last. */
  public boolean complete() {
    return complete;
  }
}
