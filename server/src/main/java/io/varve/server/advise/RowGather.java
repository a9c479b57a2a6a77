package io.varve.server.advise;

import java.util.Arrays;

/**
 * Gathers rows that come one after another into the same bucket of the same sensor, and passes them
 * on as one count: where rows come in order of time, what lies behind works once for each partition
 * and not once for each row.
 *
 * <p>A table of fixed size, one slot for a sensor, which may lie in four places. A sensor that
 * finds all four taken, or goes on to another bucket, pushes out what is there. Nothing is lost or
 * counted twice.
 *
 * <pre>
 *   slot := sensor, bucket, rows, bytes     four longs side by side, half a cache line
 * </pre>
 */
final class RowGather {
  /** Takes what was gathered. */
  interface Next {
    /**
     * Takes rows of one bucket of one sensor.
     *
     * @param sensor hash of the sensor id
     * @param name the sensor id in UTF-8; not changed by anyone
     * @param bucket number of the bucket
     */
    void take(long sensor, byte[] name, long bucket, long rows, long bytes);
  }

  private static final byte[] NOBODY = new byte[0];
  private static final int SENSOR = 0;
  private static final int BUCKET = 1;
  private static final int ROWS = 2;
  private static final int BYTES = 3;
  private static final int SLOT_LENGTH = 4;

  /** A power of two. */
  private static final int PLACES = 4;

  private final Next next;
  private final int mask;
  private final long[] slots;
  private final byte[][] names;
  private int turn;

  /**
   * @param slotCount a power of two
   */
  RowGather(int slotCount, Next next) {
    this.next = next;
    mask = slotCount - 1;
    slots = new long[slotCount * SLOT_LENGTH];
    names = new byte[slotCount][];
    Arrays.fill(names, NOBODY);
  }

  /** Adds rows of a sensor whose id is an array of its own. */
  void add(long sensor, byte[] name, long bucket, long rows, long bytes) {
    int index = find(sensor);
    if (index < 0) {
      index = place(sensor, name);
    }
    add(index, bucket, rows, bytes);
  }

  /** Adds rows of a sensor whose id lies in a buffer that is lent for the call. */
  void add(long sensor, byte[] id, int offset, int length, long bucket, long rows, long bytes) {
    int index = find(sensor);
    if (index < 0) {
      index = place(sensor, Arrays.copyOfRange(id, offset, offset + length));
    }
    add(index, bucket, rows, bytes);
  }

  private int find(long sensor) {
    int first = (int) (sensor >>> 20) & mask;
    for (int i = 0; i < PLACES; i++) {
      int index = (first + i) & mask;
      if (slots[index * SLOT_LENGTH + SENSOR] == sensor && names[index] != NOBODY) {
        return index;
      }
    }
    return -1;
  }

  /** Makes room for a sensor: a free place, or one of the four in turn. */
  private int place(long sensor, byte[] name) {
    int first = (int) (sensor >>> 20) & mask;
    int index = (first + (turn++ & (PLACES - 1))) & mask;
    for (int i = 0; i < PLACES; i++) {
      if (names[(first + i) & mask] == NOBODY) {
        index = (first + i) & mask;
        break;
      }
    }
    flush(index);
    names[index] = name;
    slots[index * SLOT_LENGTH + SENSOR] = sensor;
    return index;
  }

  private void add(int index, long bucket, long rows, long bytes) {
    int slot = index * SLOT_LENGTH;
    if (slots[slot + BUCKET] != bucket) {
      flush(index);
      slots[slot + BUCKET] = bucket;
    }
    slots[slot + ROWS] += rows;
    slots[slot + BYTES] += bytes;
  }

  private void flush(int index) {
    int slot = index * SLOT_LENGTH;
    if (slots[slot + ROWS] > 0) {
      next.take(
          slots[slot + SENSOR],
          names[index],
          slots[slot + BUCKET],
          slots[slot + ROWS],
          slots[slot + BYTES]);
      slots[slot + ROWS] = 0;
      slots[slot + BYTES] = 0;
    }
  }

  /** Passes on everything. */
  void flush() {
    for (int index = 0; index <= mask; index++) {
      flush(index);
    }
  }
}
