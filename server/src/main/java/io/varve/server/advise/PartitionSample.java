package io.varve.server.advise;

import java.util.Arrays;

/**
 * Some of the partitions, chosen by their hash alone, each with its exact counts.
 *
 * <p>Kept is every partition whose hash lies below a threshold. When the table is full, the
 * threshold is halved and what lies above it leaves. A partition below the present threshold was
 * below all earlier ones, so that none of its rows was missed, in whatever order they came. The
 * number kept over the threshold's share of all hashes estimates how many partitions there are (the
 * idea of the theta sketch: Dasgupta, Lang, Rhodes, Thaler, "A Framework for Estimating Stream
 * Expression Cardinalities").
 *
 * <pre>
 *   slot := hash, rows, bytes, nothing     free where rows is 0
 * </pre>
 */
final class PartitionSample {
  private static final int HASH = 0;
  private static final int ROWS = 1;
  private static final int BYTES = 2;
  private static final int SLOT_LENGTH = 4;

  private final int most;
  private final int mask;
  private long[] slots;
  private int size;

  /** Kept are hashes whose so many upper bits are all zero. */
  private int halvings;

  /**
   * @param most partitions kept at most; a power of two
   */
  PartitionSample(int most) {
    this.most = most;
    mask = most * 2 - 1;
    slots = new long[most * 2 * SLOT_LENGTH];
  }

  private boolean keeps(long hash) {
    return halvings == 0 || hash >>> (64 - halvings) == 0;
  }

  /** Counts rows of a partition, if it is one of those kept. */
  void add(long hash, long rows, long bytes) {
    if (!keeps(hash)) {
      return;
    }
    int slot = slot(hash);
    if (slots[slot + ROWS] == 0) {
      if (size == most) {
        halve();
        add(hash, rows, bytes);
        return;
      }
      slots[slot + HASH] = hash;
      size++;
    }
    slots[slot + ROWS] += rows;
    slots[slot + BYTES] += bytes;
  }

  private int slot(long hash) {
    int index = (int) hash & mask;
    while (slots[index * SLOT_LENGTH + ROWS] != 0 && slots[index * SLOT_LENGTH + HASH] != hash) {
      index = (index + 1) & mask;
    }
    return index * SLOT_LENGTH;
  }

  private void halve() {
    long[] old = slots;
    slots = new long[old.length];
    size = 0;
    halvings++;
    for (int slot = 0; slot < old.length; slot += SLOT_LENGTH) {
      if (old[slot + ROWS] != 0) {
        add(old[slot + HASH], old[slot + ROWS], old[slot + BYTES]);
      }
    }
  }

  /** Partitions there are, as far as those kept tell. */
  double estimate() {
    return size * Math.scalb(1.0, halvings);
  }

  /** Standard error of the estimate as a share of it; 0 where all are kept. */
  double relativeError() {
    return halvings == 0 || size == 0 ? 0 : 1 / Math.sqrt(size);
  }

  /** Rows of each partition kept, ascending. */
  long[] sortedRows() {
    long[] sorted = new long[size];
    int n = 0;
    for (int slot = 0; slot < slots.length; slot += SLOT_LENGTH) {
      if (slots[slot + ROWS] > 0) {
        sorted[n++] = slots[slot + ROWS];
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  long mostRows() {
    return most(ROWS);
  }

  long mostBytes() {
    return most(BYTES);
  }

  private long most(int field) {
    long most = 0;
    for (int slot = 0; slot < slots.length; slot += SLOT_LENGTH) {
      most = Math.max(most, slots[slot + field]);
    }
    return most;
  }
}
