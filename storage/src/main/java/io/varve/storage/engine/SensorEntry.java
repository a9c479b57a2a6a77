package io.varve.storage.engine;

import io.varve.storage.SensorId;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A sensor of this store: its id and the (day, shard) fragments that have rows. Changed by the
 * writer under the store's lock; read by any thread.
 */
final class SensorEntry {
  /**
   * The non-empty fragments, ascending by day, then shard. The keys are immutable; a row count is
   * what it was when its segment was last closed.
   */
  record Fragments(long[] keys, int[] idleRows) {
    static final Fragments NONE = new Fragments(new long[0], new int[0]);

    static long key(int day, int shard) {
      return (long) day << 32 | shard;
    }

    int day(int index) {
      return (int) (keys[index] >> 32);
    }

    int shard(int index) {
      return (int) keys[index];
    }

    int size() {
      return keys.length;
    }

    /** First index whose day is at or after a day. */
    int from(int day) {
      int at = Arrays.binarySearch(keys, key(day, 0));
      return at >= 0 ? at : -at - 1;
    }
  }

  final SensorId id;

  /** The id's bytes, at hand for the look-up that every row does; never changed. */
  final byte[] utf8;

  final long hash;

  /** Unique in this store while it is open. */
  final int number;

  /**
   * Where the last row went: the next one nearly always goes there too, and most queries ask for
   * it. Set by the writer; its segment may be closed.
   */
  volatile @Nullable Partition current;

  volatile Fragments fragments = Fragments.NONE;

  SensorEntry(SensorId id, long hash, int number) {
    this.id = id;
    this.utf8 = id.toBytes();
    this.hash = hash;
    this.number = number;
  }

  boolean is(SensorId other) {
    return hash == other.lookupHash() && Arrays.equals(utf8, other.utf8());
  }

  /** Tells whether the id's bytes stand at a place; there are enough bytes from there on. */
  boolean is(byte[] bytes, int at) {
    return Arrays.equals(utf8, 0, utf8.length, bytes, at, at + utf8.length);
  }

  /** Lists a fragment, or notes the rows of one that is listed. */
  void list(int day, int shard, int rows) {
    Fragments old = fragments;
    long key = Fragments.key(day, shard);
    int at = Arrays.binarySearch(old.keys, key);
    if (at >= 0) {
      old.idleRows[at] = rows;
      return;
    }
    at = -at - 1;
    long[] keys = new long[old.keys.length + 1];
    int[] idleRows = new int[keys.length];
    System.arraycopy(old.keys, 0, keys, 0, at);
    System.arraycopy(old.idleRows, 0, idleRows, 0, at);
    keys[at] = key;
    idleRows[at] = rows;
    System.arraycopy(old.keys, at, keys, at + 1, old.keys.length - at);
    System.arraycopy(old.idleRows, at, idleRows, at + 1, old.keys.length - at);
    fragments = new Fragments(keys, idleRows);
  }

  /** Takes all fragments of days before one off the list. */
  void unlistBefore(int day) {
    Fragments old = fragments;
    int from = old.from(day);
    if (from > 0) {
      fragments =
          new Fragments(
              Arrays.copyOfRange(old.keys, from, old.keys.length),
              Arrays.copyOfRange(old.idleRows, from, old.keys.length));
    }
  }
}
