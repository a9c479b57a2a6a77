package io.varve.storage.engine;

import io.varve.storage.SensorId;
import io.varve.storage.hash.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The sensors of one store: a hash table looked up by raw id bytes without allocation, and a sorted
 * view for listing. One writer (under the store's lock); readers on any thread.
 */
final class SensorTable {
  private static final VarHandle TAG = MethodHandles.arrayElementVarHandle(int[].class);

  /**
   * Open addressing. A slot is free while its tag is 0; the tags alone tell nearly always that a
   * sensor is not here, without a look at any entry.
   */
  private record Slots(int[] tags, @Nullable SensorEntry[] entries) {
    Slots(int length) {
      this(new int[length], new SensorEntry[length]);
    }

    private static int tag(long hash) {
      return (int) (hash >>> 32) | 1;
    }

    @Nullable SensorEntry find(long hash, byte[] bytes, int offset, int length) {
      int mask = tags.length - 1;
      int tag = tag(hash);
      for (int i = (int) hash & mask; ; i = i + 1 & mask) {
        int found = tags[i];
        if (found == 0) {
          return null;
        }
        if (found == tag) {
          VarHandle.acquireFence(); // the entry was written before its tag
          SensorEntry entry = entries[i];
          if (entry != null
              && entry.hash == hash
              && Arrays.equals(entry.utf8, 0, entry.utf8.length, bytes, offset, offset + length)) {
            return entry;
          }
        }
      }
    }

    /**
     * Finds some sensors; null where one is not here. One step for all of them, then the next, so
     * that the memory that each waits for comes at once.
     */
    void find(List<SensorId> ids, @Nullable SensorEntry[] found) {
      int mask = tags.length - 1;
      int[] first = new int[ids.size()];
      for (int i = 0; i < first.length; i++) {
        first[i] = tags[(int) ids.get(i).lookupHash() & mask];
      }
      VarHandle.acquireFence(); // an entry was written before its tag
      for (int i = 0; i < first.length; i++) {
        long hash = ids.get(i).lookupHash();
        found[i] = first[i] == tag(hash) ? entries[(int) hash & mask] : null;
      }
      for (int i = 0; i < first.length; i++) {
        SensorEntry entry = found[i];
        SensorId id = ids.get(i);
        if (first[i] != 0 && (entry == null || !entry.is(id))) {
          found[i] = find(id.lookupHash(), id.utf8(), 0, id.length());
        }
      }
    }

    void insert(SensorEntry entry) {
      int mask = tags.length - 1;
      int i = (int) entry.hash & mask;
      while (tags[i] != 0) {
        i = i + 1 & mask;
      }
      entries[i] = entry;
      TAG.setRelease(tags, i, tag(entry.hash));
    }
  }

  /** Room for looking up several sensors at once. */
  static final class Batch {
    private final long[] hashes;
    private final int[] tags;
    private final @Nullable SensorEntry[] likely;

    Batch(int most) {
      hashes = new long[most];
      tags = new int[most];
      likely = new SensorEntry[most];
    }
  }

  private volatile Slots slots = new Slots(1024);
  private final ConcurrentSkipListMap<SensorId, SensorEntry> sorted = new ConcurrentSkipListMap<>();
  private int size;
  private int nextNumber;

  /** Finds a sensor; null when it is not here. */
  @Nullable SensorEntry find(byte[] bytes, int offset, int length) {
    return slots.find(Hashing.of(bytes, offset, length), bytes, offset, length);
  }

  /** Finds a sensor; null when it is not here. */
  @Nullable SensorEntry find(SensorId id) {
    byte[] bytes = id.utf8();
    return slots.find(id.lookupHash(), bytes, 0, bytes.length);
  }

  /** Finds some sensors; null where one is not here. */
  void find(List<SensorId> ids, @Nullable SensorEntry[] found) {
    slots.find(ids, found);
  }

  /** Finds a sensor or adds it; writer only. */
  SensorEntry findOrAdd(byte[] bytes, int offset, int length) {
    long hash = Hashing.of(bytes, offset, length);
    SensorEntry known = slots.find(hash, bytes, offset, length);
    return known != null ? known : add(hash, SensorId.of(bytes, offset, length));
  }

  /**
   * Finds or adds the first few sensors of a list; writer only. One step for all of them, then the
   * next, so that the memory that each waits for comes at once.
   *
   * @param at where the ids' bytes begin
   * @param lengths how many bytes they have
   */
  void findOrAdd(
      byte[] bytes, int[] at, int[] lengths, int count, Batch batch, SensorEntry[] found) {
    Slots table = slots;
    int mask = table.tags.length - 1;
    for (int i = 0; i < count; i++) {
      long hash = Hashing.of(bytes, at[i], lengths[i]);
      batch.hashes[i] = hash;
      batch.tags[i] = table.tags[(int) hash & mask];
    }
    for (int i = 0; i < count; i++) {
      long hash = batch.hashes[i];
      batch.likely[i] = batch.tags[i] == Slots.tag(hash) ? table.entries[(int) hash & mask] : null;
    }
    for (int i = 0; i < count; i++) {
      SensorEntry entry = batch.likely[i];
      batch.tags[i] = entry == null || entry.hash != batch.hashes[i] ? -1 : entry.utf8.length;
    }
    for (int i = 0; i < count; i++) {
      SensorEntry entry = batch.likely[i];
      found[i] =
          entry != null && batch.tags[i] == lengths[i] && entry.is(bytes, at[i])
              ? entry
              : findOrAdd(bytes, at[i], lengths[i]);
    }
  }

  private SensorEntry add(long hash, SensorId id) {
    if (size * 2 >= slots.tags().length) {
      rehash(slots.tags().length * 2);
    }
    SensorEntry entry = new SensorEntry(id, hash, nextNumber++);
    slots.insert(entry);
    sorted.put(id, entry);
    size++;
    return entry;
  }

  private void rehash(int length) {
    Slots table = new Slots(length);
    for (SensorEntry entry : sorted.values()) {
      table.insert(entry);
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
      rehash(slots.tags().length);
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
