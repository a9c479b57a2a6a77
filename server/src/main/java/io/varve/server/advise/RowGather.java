package io.varve.server.advise;

import java.util.Arrays;

/**
 * Gathers rows that come one after another into the same bucket of the same sensor, and passes them
 * on as one count for each width: where rows come in order of time, what lies behind works once for
 * each partition and not once for each row.
 *
 * <p>A table with one slot for a sensor, which may lie in four places. It grows up to a limit. A
 * sensor that finds all four places taken, or goes on to another bucket, pushes out what is there.
 * Every row is passed on once for every width: nothing is lost or counted twice.
 *
 * <pre>
 *   slot := sensor, hour, then for each width: rows, bytes
 * </pre>
 *
 * What a bucket holds is added to the wider one when it is passed on, hours to days, days to weeks
 * and months, months to the whole.
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
    void take(BucketWidth width, long sensor, byte[] name, long bucket, long rows, long bytes);
  }

  private static final byte[] NOBODY = new byte[0];
  private static final int FIRST_SLOTS = 1 << 12;
  private static final int SENSOR = 0;
  private static final int HOUR = 1;
  private static final int COUNTS = 2;
  private static final int SLOT_LENGTH = COUNTS + 2 * BucketWidth.values().length;

  /** A power of two. */
  private static final int PLACES = 4;

  /** All but hours, those that are added to others first. */
  private static final BucketWidth[] WIDER = {
    BucketWidth.DAY, BucketWidth.WEEK, BucketWidth.MONTH, BucketWidth.NONE
  };

  private final int mostSlots;
  private final Next next;
  private long[] slots = new long[0];
  private byte[][] names = new byte[0][];
  private int mask;
  private int taken;
  private int turn;

  /**
   * @param mostSlots sensors at most; a power of two
   */
  RowGather(int mostSlots, Next next) {
    this.mostSlots = mostSlots;
    this.next = next;
    allocate(Math.min(FIRST_SLOTS, mostSlots));
  }

  private void allocate(int count) {
    slots = new long[count * SLOT_LENGTH];
    names = new byte[count][];
    Arrays.fill(names, NOBODY);
    mask = count - 1;
    taken = 0;
  }

  /** Adds rows of a sensor whose id lies in a buffer that is lent for the call. */
  void add(long sensor, byte[] id, int offset, int length, long hour, long rows, long bytes) {
    int index = find(sensor);
    if (index < 0) {
      index = place(sensor, Arrays.copyOfRange(id, offset, offset + length));
      slots[index * SLOT_LENGTH + HOUR] = hour;
    }
    int slot = index * SLOT_LENGTH;
    if (slots[slot + HOUR] != hour) {
      goOn(index, hour);
    }
    int counts = slot + counts(BucketWidth.HOUR);
    slots[counts] += rows;
    slots[counts + 1] += bytes;
  }

  private static int counts(BucketWidth width) {
    return COUNTS + 2 * width.ordinal();
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
    if (taken > mask / 2 && mask + 1 < mostSlots) {
      grow();
    }
    int first = (int) (sensor >>> 20) & mask;
    int index = -1;
    for (int i = 0; i < PLACES && index < 0; i++) {
      index = names[(first + i) & mask] == NOBODY ? (first + i) & mask : -1;
    }
    if (index < 0) {
      index = (first + (turn++ & (PLACES - 1))) & mask;
      pushOut(index);
    }
    names[index] = name;
    slots[index * SLOT_LENGTH + SENSOR] = sensor;
    taken++;
    return index;
  }

  private void grow() {
    long[] oldSlots = slots;
    byte[][] oldNames = names;
    allocate((mask + 1) * 4 <= mostSlots ? (mask + 1) * 4 : mostSlots);
    for (int old = 0; old < oldNames.length; old++) {
      if (oldNames[old] != NOBODY) {
        int index = place(oldSlots[old * SLOT_LENGTH + SENSOR], oldNames[old]);
        System.arraycopy(oldSlots, old * SLOT_LENGTH, slots, index * SLOT_LENGTH, SLOT_LENGTH);
      }
    }
  }

  /** Passes on the buckets that end where another hour begins. */
  private void goOn(int index, long hour) {
    int slot = index * SLOT_LENGTH;
    long oldHour = slots[slot + HOUR];
    long oldDay = Math.floorDiv(oldHour, 24);
    long day = Math.floorDiv(hour, 24);
    pass(index, BucketWidth.HOUR, oldHour);
    if (day != oldDay) {
      pass(index, BucketWidth.DAY, oldDay);
      passIfOver(index, BucketWidth.WEEK, oldDay, day);
      passIfOver(index, BucketWidth.MONTH, oldDay, day);
    }
    slots[slot + HOUR] = hour;
  }

  private void passIfOver(int index, BucketWidth width, long oldDay, long day) {
    long bucket = width.bucketOfDay(oldDay);
    if (bucket != width.bucketOfDay(day)) {
      pass(index, width, bucket);
    }
  }

  private void pass(int index, BucketWidth width, long bucket) {
    int slot = index * SLOT_LENGTH;
    int counts = slot + counts(width);
    long rows = slots[counts];
    long bytes = slots[counts + 1];
    if (rows == 0) {
      return;
    }
    slots[counts] = 0;
    slots[counts + 1] = 0;
    next.take(width, slots[slot + SENSOR], names[index], bucket, rows, bytes);
    switch (width) {
      case HOUR -> addTo(slot, BucketWidth.DAY, rows, bytes);
      case DAY -> {
        addTo(slot, BucketWidth.WEEK, rows, bytes);
        addTo(slot, BucketWidth.MONTH, rows, bytes);
      }
      case MONTH -> addTo(slot, BucketWidth.NONE, rows, bytes);
      case WEEK, NONE -> {
        // nothing is wider
      }
    }
  }

  private void addTo(int slot, BucketWidth wider, long rows, long bytes) {
    slots[slot + counts(wider)] += rows;
    slots[slot + counts(wider) + 1] += bytes;
  }

  private void pushOut(int index) {
    long hour = slots[index * SLOT_LENGTH + HOUR];
    long day = Math.floorDiv(hour, 24);
    pass(index, BucketWidth.HOUR, hour);
    for (BucketWidth width : WIDER) {
      pass(index, width, width.bucketOfDay(day));
    }
    names[index] = NOBODY;
    taken--;
  }

  /** Passes on everything. */
  void flush() {
    for (int index = 0; index <= mask; index++) {
      if (names[index] != NOBODY) {
        pushOut(index);
      }
    }
  }
}
