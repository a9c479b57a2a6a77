package io.varve.storage;

import java.util.Arrays;

/**
 * Rows in columns, oldest first, in reused arrays. Elements at and past {@code size} mean nothing.
 */
public final class RowRun {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  public long[] timestamps;

  public long[] sequences;

  /** Bits of IEEE doubles. */
  public long[] valueBits;

  /** Rows present. */
  public int size;

  /** Makes an empty run with room for {@code capacity} rows before it grows. */
  public RowRun(int capacity) {
    timestamps = new long[capacity];
    sequences = new long[capacity];
    valueBits = new long[capacity];
  }

  /** Forgets all rows and keeps the arrays. */
  public void clear() {
    size = 0;
  }

  /** Appends a row; the arrays may be replaced by longer ones. */
  public void add(long timestampMicros, long sequence, long valueBits) {
    reserve(1);
    timestamps[size] = timestampMicros;
    sequences[size] = sequence;
    this.valueBits[size] = valueBits;
    size++;
  }

  /** Forgets the oldest few rows. */
  public void removeFirst(int rows) {
    size -= rows;
    System.arraycopy(timestamps, rows, timestamps, 0, size);
    System.arraycopy(sequences, rows, sequences, 0, size);
    System.arraycopy(valueBits, rows, valueBits, 0, size);
  }

  /** Turns the order of the rows round. */
  public void reverse() {
    for (int a = 0, b = size - 1; a < b; a++, b--) {
      swap(timestamps, a, b);
      swap(sequences, a, b);
      swap(valueBits, a, b);
    }
  }

  private static void swap(long[] column, int a, int b) {
    long kept = column[a];
    column[a] = column[b];
    column[b] = kept;
  }

  /** Makes room for {@code rows} more. */
  public void reserve(int rows) {
    if (timestamps.length - size < rows) {
      int capacity = Math.max(size + rows, timestamps.length * 2);
      timestamps = Arrays.copyOf(timestamps, capacity);
      sequences = Arrays.copyOf(sequences, capacity);
      valueBits = Arrays.copyOf(valueBits, capacity);
    }
  }
}
