package io.varve.load.fleet;

import java.util.Arrays;

/**
 * A set of (sensor, tick, version) in one array of longs. Not thread-safe.
 *
 * <p>Sensors are below 2^20, ticks below 2^41, versions 1 or 2.
 */
public final class KeySet {
  private static final long EMPTY = -1;

  private long[] slots = emptySlots(1 << 6);
  private int size;

  private static long[] emptySlots(int length) {
    long[] slots = new long[length];
    Arrays.fill(slots, EMPTY);
    return slots;
  }

  private static long key(int sensor, long tick, int version) {
    return (long) sensor << 43 | tick << 2 | version;
  }

  /** How many it holds. */
  public int size() {
    return size;
  }

  /** Adds one, unless it is there. */
  public void add(int sensor, long tick, int version) {
    if (size * 2 >= slots.length) {
      long[] old = slots;
      slots = emptySlots(old.length * 2);
      for (long key : old) {
        if (key != EMPTY) {
          slots[slot(key)] = key;
        }
      }
    }
    long key = key(sensor, tick, version);
    int slot = slot(key);
    if (slots[slot] == EMPTY) {
      slots[slot] = key;
      size++;
    }
  }

  /** Whether it is there. */
  public boolean contains(int sensor, long tick, int version) {
    return size > 0 && slots[slot(key(sensor, tick, version))] != EMPTY;
  }

  /** Where a key is, or would be. */
  private int slot(long key) {
    int mask = slots.length - 1;
    int slot = (int) Mix.mix(key) & mask;
    while (slots[slot] != EMPTY && slots[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
