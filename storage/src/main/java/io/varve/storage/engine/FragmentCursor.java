package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.RowRun;
import io.varve.storage.Scan;
import io.varve.storage.sealed.RunDecoder;

/**
 * A walk over one fragment: copies a run of rows out of a block at a time, as they stand in memory,
 * and decodes each only when it is stepped to.
 *
 * <p>Between copies it remembers nothing but the last key, so that it does not matter what the
 * writer does to the blocks meanwhile: the next copy starts strictly after that key.
 */
final class FragmentCursor implements RowCursor {
  /** Rows copied at a time once the caller has stepped past what it said it wanted. */
  private static final int FURTHER_ROWS = 64;

  /** Rows that are stepped over together at most, and a restart run. */
  private static final int RUN_ROWS = 256;

  private final StoreReads store;
  private final SensorEntry sensor;
  private final int day;
  private final int shard;
  private final boolean newestFirst;
  private final ReadStats stats;
  private final Block block = new Block();
  private final Slab slab = new Slab();
  private final BlockCopy copy;
  private boolean closed;

  /** What was read, for whoever watches the store. */
  private long rowsRead;

  private long blocksRead;

  /** Rows at or after (low) and before (high) these keys remain. */
  private long lowTimestamp;

  private long lowSequence;
  private long highTimestamp;
  private long highSequence;

  private int wanted;

  /** Rows {@code [low, high)} of the block that was copied are still to come. */
  private int low;

  private int high;
  private boolean copied;
  private boolean exhausted;

  /**
   * Whether all rows of the sealed block that was copied lie at or after, or before, the bounds.
   */
  private boolean wholeLow;

  private boolean wholeHigh;

  /** Whether no block further on has rows that are asked for. */
  private boolean endOfBlocks;

  /** Whether all rows of it that are asked for have been taken. */
  private boolean blockDone;

  /** The key at which the block before or after it is to be looked for. */
  private long fenceTimestamp;

  private long fenceSequence;

  FragmentCursor(
      StoreReads store, SensorEntry sensor, int day, int shard, Scan scan, ReadStats stats) {
    this.store = store;
    this.sensor = sensor;
    this.day = day;
    this.shard = shard;
    this.newestFirst = scan.order() == Order.NEWEST_FIRST;
    this.stats = stats;
    this.copy = store.copies().take();
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
    if (low == high && !fill()) {
      return false;
    }
    try {
      if (newestFirst) {
        stats.rowsDecoded += copy.load(--high, low, high + 1);
      } else {
        stats.rowsDecoded += copy.load(low, low, high);
        low++;
      }
    } catch (CorruptBlockException e) {
      throw damaged(e);
    }
    rowsRead++;
    return true;
  }

  @Override
  public boolean nextRun(RowRun into) {
    into.clear();
    if (low == high && !fill()) {
      return false;
    }
    int from = newestFirst ? Math.max(low, copy.startOf(high - 1 - RUN_ROWS)) : low;
    int to = newestFirst ? high : Math.min(high, copy.startOf(low + RUN_ROWS));
    try {
      stats.rowsDecoded += copy.loadRun(from, to, into);
    } catch (CorruptBlockException e) {
      throw damaged(e);
    }
    if (newestFirst) {
      high = from;
    } else {
      low = to;
    }
    copy.standOn(into, newestFirst ? 0 : into.size - 1);
    rowsRead += into.size;
    return true;
  }

  private CorruptBlockException damaged(CorruptBlockException e) {
    return store.damaged(
        day,
        new CorruptBlockException(
            e.getMessage() + " sensor=" + sensor.id + " day=" + day + " shard=" + shard));
  }

  private boolean fill() {
    if (exhausted) {
      return false;
    }
    if (copied) {
      // All that was copied has been stepped over.
      if (copy.isSealed() && blockDone) {
        passBy();
      } else if (newestFirst) {
        highTimestamp = copy.timestamp;
        highSequence = copy.sequence;
      } else {
        startAfter(copy.timestamp, copy.sequence);
      }
      copied = false;
    }
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
        if (copied && narrowed()) {
          stats.blocks++;
          blocksRead++;
          wanted = wanted > high - low ? wanted - (high - low) : FURTHER_ROWS;
          return true;
        }
      }
    }
    return false;
  }

  private void copyFrom(Partition partition) {
    while (true) {
      long version = partition.readVersion();
      if (newestFirst) {
        copyNewest(partition);
      } else {
        copyOldest(partition);
      }
      if (partition.unchanged(version)) {
        exhausted = !copied;
        return;
      }
      copied = false;
    }
  }

  private void copyNewest(Partition partition) {
    for (int index = partition.blockBefore(highTimestamp, highSequence); index >= 0; index--) {
      if (partition.blocks() == 0) {
        return;
      }
      if (!pointAt(partition, index)) {
        return;
      }
      int n = block.count();
      int to = n;
      if (n > 0 && block.compareRow(n - 1, highTimestamp, highSequence) >= 0) {
        to = block.lowerBound(n, highTimestamp, highSequence);
      }
      int from = Math.max(0, to - wanted);
      if (to > 0 && block.compareRow(from, lowTimestamp, lowSequence) < 0) {
        from = block.lowerBound(to, lowTimestamp, lowSequence);
        if (from >= to) {
          return;
        }
      }
      if (from < to) {
        take(partition, from, to);
        return;
      }
    }
  }

  private void copyOldest(Partition partition) {
    for (int index = partition.blockOf(lowTimestamp, lowSequence);
        index < partition.blocks();
        index++) {
      if (!pointAt(partition, index)) {
        return;
      }
      int n = block.count();
      int from = 0;
      if (n > 0 && block.compareRow(0, lowTimestamp, lowSequence) < 0) {
        from = block.lowerBound(n, lowTimestamp, lowSequence);
      }
      int to = wanted < n - from ? from + wanted : n;
      if (from < to && block.compareRow(to - 1, highTimestamp, highSequence) >= 0) {
        to = block.lowerBound(to, highTimestamp, highSequence);
        if (from >= to) {
          return;
        }
      }
      if (from < to) {
        take(partition, from, to);
        return;
      }
    }
  }

  /** Points at a plain block; a sealed one is copied at once, which ends the search for now. */
  private boolean pointAt(Partition partition, int index) {
    long place = partition.place(index);
    long address = partition.map.address(BlockDirectory.number(place));
    if (!BlockDirectory.isSealed(place)) {
      block.at(address, partition.layout);
      return true;
    }
    copy.takeSealed(slab.at(address), BlockDirectory.offset(place), partition.layout.seed());
    copied = true;
    fenceTimestamp = partition.fenceTimestamp(index);
    fenceSequence = partition.fenceSequence(index);
    wholeLow = Block.compare(fenceTimestamp, fenceSequence, lowTimestamp, lowSequence) >= 0;
    boolean last = index + 1 >= partition.blocks();
    endOfBlocks =
        newestFirst
            ? Block.compare(fenceTimestamp, fenceSequence, lowTimestamp, lowSequence) <= 0
            : last;
    if (last) {
      wholeHigh = highIsPast(partition.lastTimestamp(), partition.lastSequence(), false);
    } else {
      long nextTimestamp = partition.fenceTimestamp(index + 1);
      long nextSequence = partition.fenceSequence(index + 1);
      wholeHigh = highIsPast(nextTimestamp, nextSequence, true);
      if (!newestFirst) {
        fenceTimestamp = nextTimestamp;
        fenceSequence = nextSequence;
        endOfBlocks = !wholeHigh;
      }
    }
    return false;
  }

  private boolean highIsPast(long t, long s, boolean orAt) {
    int c = Block.compare(highTimestamp, highSequence, t, s);
    return orAt ? c >= 0 : c > 0;
  }

  private void take(Partition partition, int from, int to) {
    copy.takeRows(block, from, to, partition.layout.seed());
    low = from;
    high = to;
    copied = true;
  }

  /**
   * Opens what was copied and finds the rows of it that are asked for.
   *
   * @return false if there are none in this block; the bounds say where to go on
   */
  private boolean narrowed() {
    if (!copy.isSealed()) {
      return true;
    }
    RunDecoder run;
    try {
      run = copy.open();
    } catch (CorruptBlockException e) {
      throw damaged(e);
    }
    int from = 0;
    if (!wholeLow) {
      from = run.lowerBound(lowTimestamp, lowSequence);
      stats.rowsDecoded += run.walksFrames() ? 0 : run.searched();
    }
    int to = run.size();
    if (!wholeHigh) {
      to = run.lowerBound(highTimestamp, highSequence);
      stats.rowsDecoded += run.searched();
    }
    if (from >= to) {
      passBy();
      return false;
    }
    low = newestFirst ? Math.max(from, to - wanted) : from;
    high = newestFirst || to - from <= wanted ? to : from + wanted;
    blockDone = low == from && high == to;
    return true;
  }

  /** Goes on at the block before or after the one that was copied, which has no row asked for. */
  private void passBy() {
    copied = false;
    exhausted = endOfBlocks;
    if (newestFirst) {
      highTimestamp = fenceTimestamp;
      highSequence = fenceSequence;
    } else {
      lowTimestamp = fenceTimestamp;
      lowSequence = fenceSequence;
    }
  }

  @Override
  public long timestampMicros() {
    return copy.timestamp;
  }

  @Override
  public long sequence() {
    return copy.sequence;
  }

  @Override
  public double value() {
    return Double.longBitsToDouble(copy.valueBits);
  }

  @Override
  public void close() {
    exhausted = true;
    copied = false;
    low = high;
    if (!closed) {
      closed = true;
      store.copies().give(copy);
      store.watch().read(sensor.id, day, rowsRead, blocksRead);
    }
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
