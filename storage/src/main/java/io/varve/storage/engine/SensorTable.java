package io.varve.storage.engine;

import io.varve.storage.SensorId;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The sensors of one store: a hash table looked up by raw id bytes without allocation, and a sorted
 * view for listing. One writer (under the store's lock); readers on any thread.
 */
final class SensorTable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(SensorEntry[].class);

  private volatile @Nullable SensorEntry[] slots = new SensorEntry[1024];
  private final ConcurrentSkipListMap<SensorId, SensorEntry> sorted = new ConcurrentSkipListMap<>();
  private int size;
  private int nextNumber;

  /** Finds a sensor; null when it is not here. */
  @Nullable SensorEntry find(byte[] bytes, int offset, int length) {
    return find(slots, Hashing.of(bytes, offset, length), bytes, offset, length);
  }

  private static @Nullable SensorEntry find(
      @Nullable SensorEntry[] table, long hash, byte[] bytes, int offset, int length) {
    int mask = table.length - 1;
    for (int i = (int) hash & mask; ; i = i + 1 & mask) {
      SensorEntry entry = (SensorEntry) SLOT.getAcquire(table, i);
      if (entry == null) {
        return null;
      }
      if (entry.hash == hash
          && Arrays.equals(entry.utf8, 0, entry.utf8.length, bytes, offset, offset + length)) {
        return entry;
      }
    }
  }

  /** Finds a sensor or adds it; writer only. */
  SensorEntry findOrAdd(byte[] bytes, int offset, int length) {
    long hash = Hashing.of(bytes, offset, length);
    SensorEntry known = find(slots, hash, bytes, offset, length);
    return known != null ? known : add(hash, SensorId.of(bytes, offset, length));
  }

  private SensorEntry add(long hash, SensorId id) {
    if (size * 2 >= slots.length) {
      rehash(slots.length * 2);
    }
    SensorEntry entry = new SensorEntry(id, hash, nextNumber++);
    insert(slots, entry);
    sorted.put(id, entry);
    size++;
    return entry;
  }

  private static void insert(@Nullable SensorEntry[] table, SensorEntry entry) {
    int mask = table.length - 1;
    int i = (int) entry.hash & mask;
    while (table[i] != null) {
      i = i + 1 & mask;
    }
    SLOT.setRelease(table, i, entry);
  }

  private void rehash(int length) {
    @Nullable SensorEntry[] table = new SensorEntry[length];
    for (SensorEntry entry : sorted.values()) {
      insert(table, entry);
    }
    slots = table;
  }

  /**
   * Forgets sensors that have no rows left, so that ids that come and go cost nothing; writer only.
   */
  void forgetEmpty() {
    int before = size;
    for (Iterator<SensorEntry> all = sorted.values().iterator(); all.hasNext(); ) {
      if (all.next().fragments.size() == 0) {
        all.remove();
        size--;
      }
    }
    if (size < before) {
      rehash(slots.length);
    }
  }

  /** Sensors in bytewise order of their ids, at and after one. */
  NavigableMap<SensorId, SensorEntry> sorted() {
    return sorted;
  }

  int size() {
    return size;
  }
}
