package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.hash.Hashing;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A walk over one fragment: copies a run of rows out of a block at a time, as they stand in memory,
 * and decodes each only when it is stepped to.
 *
 * <p>Between copies it remembers nothing but the last key, so that it does not matter what the
 * writer does to the blocks meanwhile: the next copy starts strictly after that key.
 */
final class FragmentCursor implements RowCursor {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] NOTHING = {};

  /** Rows copied at a time once the caller has stepped past what it said it wanted. */
  private static final int FURTHER_ROWS = 64;

  private final StoreReads store;
  private final SensorEntry sensor;
  private final int day;
  private final int shard;
  private final boolean newestFirst;
  private final ReadStats stats;
  private final Block block = new Block();

  /** Rows at or after (low) and before (high) these keys remain. */
  private long lowTimestamp;

  private long lowSequence;
  private long highTimestamp;
  private long highSequence;

  private int wanted;
  private long seed;
  private byte[] copy = NOTHING;
  private int copied;
  private int next;
  private boolean exhausted;

  private long timestamp;
  private long sequence;
  private long valueBits;

  FragmentCursor(
      StoreReads store, SensorEntry sensor, int day, int shard, Scan scan, ReadStats stats) {
    this.store = store;
    this.sensor = sensor;
    this.day = day;
    this.shard = shard;
    this.newestFirst = scan.order() == Order.NEWEST_FIRST;
    this.stats = stats;
    this.wanted = Math.max(1, scan.rowsWanted());
    lowTimestamp = scan.range().fromMicros();
    lowSequence = Long.MIN_VALUE;
    highTimestamp = scan.range().toMicros();
    highSequence = Long.MIN_VALUE;
    if (scan.after().isPresent()) {
      long t = scan.after().get().timestampMicros();
      long s = scan.after().get().sequence();
      if (newestFirst) {
        if (Block.compare(t, s, highTimestamp, highSequence) < 0) {
          highTimestamp = t;
          highSequence = s;
        }
      } else if (Block.compare(t, s, lowTimestamp, lowSequence) >= 0) {
        startAfter(t, s);
      }
    }
  }

  /** The smallest key after (t, s) becomes the lowest that remains. */
  private void startAfter(long t, long s) {
    lowTimestamp = s == Long.MAX_VALUE ? t + 1 : t;
    lowSequence = s == Long.MAX_VALUE ? Long.MIN_VALUE : s + 1;
  }

  @Override
  public boolean next() {
    if (next == copied && !fill()) {
      return false;
    }
    int row = newestFirst ? copied - 1 - next : next;
    next++;
    int at = row * Block.ROW_BYTES;
    timestamp = (long) LONG.get(copy, at);
    sequence = (long) LONG.get(copy, at + 8);
    valueBits = (long) LONG.get(copy, at + 16);
    stats.rowsDecoded++;
    if ((int) INT.get(copy, at + 24) != Hashing.row(seed, timestamp, sequence, valueBits)) {
      throw store.damaged(
          day,
          new CorruptBlockException(
              "row fails its checksum: sensor=" + sensor.id + " day=" + day + " shard=" + shard));
    }
    return true;
  }

  private boolean fill() {
    if (exhausted) {
      return false;
    }
    if (copied > 0) {
      // All that was copied has been stepped over.
      if (newestFirst) {
        highTimestamp = timestamp;
        highSequence = sequence;
      } else {
        startAfter(timestamp, sequence);
      }
    }
    next = 0;
    copied = 0;
    while (!exhausted) {
      Partition partition = store.partition(sensor, day, shard);
      if (partition == null) {
        exhausted = true;
      } else if (partition.map.acquire()) {
        try {
          copyFrom(partition);
        } finally {
          partition.map.release();
        }
        if (copied > 0) {
          stats.blocks++;
          wanted = wanted > copied ? wanted - copied : FURTHER_ROWS;
          return true;
        }
      }
    }
    return false;
  }

  private void copyFrom(Partition partition) {
    seed = partition.seed();
    while (true) {
      long version = partition.readVersion();
      boolean found = newestFirst ? copyNewest(partition) : copyOldest(partition);
      if (partition.unchanged(version)) {
        exhausted = !found;
        return;
      }
      copied = 0;
    }
  }

  private boolean copyNewest(Partition partition) {
    int rowsAt = partition.rowsAt;
    for (int index = partition.blockBefore(highTimestamp, highSequence); index >= 0; index--) {
      if (partition.blocks() == 0) {
        return false;
      }
      block.at(partition.blockAddress(index));
      int n = Math.min(block.count(), partition.capacity);
      int high = n;
      if (n > 0 && !before(rowsAt, n - 1, highTimestamp, highSequence)) {
        high = block.lowerBound(rowsAt, n, highTimestamp, highSequence);
      }
      int low = Math.max(0, high - wanted);
      if (high > 0 && before(rowsAt, low, lowTimestamp, lowSequence)) {
        low = block.lowerBound(rowsAt, high, lowTimestamp, lowSequence);
        if (low >= high) {
          return false;
        }
      }
      if (low < high) {
        copyRows(rowsAt, low, high);
        return true;
      }
    }
    return false;
  }

  private boolean copyOldest(Partition partition) {
    int rowsAt = partition.rowsAt;
    for (int index = partition.blockBefore(lowTimestamp, lowSequence);
        index < partition.blocks();
        index++) {
      block.at(partition.blockAddress(index));
      int n = Math.min(block.count(), partition.capacity);
      int low = 0;
      if (n > 0 && before(rowsAt, 0, lowTimestamp, lowSequence)) {
        low = block.lowerBound(rowsAt, n, lowTimestamp, lowSequence);
      }
      int high = wanted < n - low ? low + wanted : n;
      if (low < high && !before(rowsAt, high - 1, highTimestamp, highSequence)) {
        high = block.lowerBound(rowsAt, high, highTimestamp, highSequence);
        if (low >= high) {
          return false;
        }
      }
      if (low < high) {
        copyRows(rowsAt, low, high);
        return true;
      }
    }
    return false;
  }

  private boolean before(int rowsAt, int row, long t, long s) {
    return Block.compare(block.timestamp(rowsAt, row), block.sequence(rowsAt, row), t, s) < 0;
  }

  private void copyRows(int rowsAt, int low, int high) {
    int length = (high - low) * Block.ROW_BYTES;
    if (copy.length < length) {
      copy = new byte[length];
    }
    block.memory.getBytes(rowsAt + low * Block.ROW_BYTES, copy, 0, length);
    copied = high - low;
  }

  @Override
  public long timestampMicros() {
    return timestamp;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public double value() {
    return Double.longBitsToDouble(valueBits);
  }

  @Override
  public void close() {
    exhausted = true;
    next = copied;
  }

  /** A walk over nothing. */
  static RowCursor empty() {
    return new RowCursor() {
      @Override
      public boolean next() {
        return false;
      }

      @Override
      public long timestampMicros() {
        throw new IllegalStateException("no row");
      }

      @Override
      public long sequence() {
        throw new IllegalStateException("no row");
      }

      @Override
      public double value() {
        throw new IllegalStateException("no row");
      }

      @Override
      public void close() {}
    };
  }
}
