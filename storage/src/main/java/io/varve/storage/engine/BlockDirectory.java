package io.varve.storage.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The blocks of one partition, oldest first: for each its fence and where it lies.
 *
 * <p>A block's <b>fence</b> is a key that none of its rows is before, while no row of the block
 * before it reaches it; the first block's is the smallest key of all. Fences are derived from the
 * rows when a segment is opened: nothing of the directory is stored, so nothing of it can disagree
 * with the blocks.
 *
 * <p>A <b>place</b> is a block's segment-wide number times 4 096, plus a sealed block's offset in
 * its slab, or 0 for a plain block.
 *
 * <p>One writer. Readers use the sequence lock: {@code version} is odd while a change is under way
 * that an append is not (a shift, a split, a sealing, a new block); they copy, then check that it
 * did not move. An append needs no lock: its row is complete before the block's count says that it
 * is there.
 */
abstract class BlockDirectory {
  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(BlockDirectory.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int OFFSET_BITS = 12;

  private static final int TIMESTAMP = 0;
  private static final int SEQUENCE = 1;
  private static final int PLACE = 2;

  @SuppressWarnings("unused") // through VERSION
  private long version;

  private final DirectoryMemory memory;

  /** One word, so that a reader never meets parts of two directories that do not fit together. */
  private volatile long room;

  private int blocks;

  BlockDirectory(DirectoryMemory memory) {
    this.memory = memory;
    this.room = memory.allocate(1);
  }

  // ---- places

  static long place(int number, int offset) {
    return (long) number << OFFSET_BITS | offset;
  }

  static int number(long place) {
    return (int) (place >>> OFFSET_BITS);
  }

  /** Offset in the slab; 0 for a plain block. */
  static int offset(long place) {
    return (int) place & (1 << OFFSET_BITS) - 1;
  }

  static boolean isSealed(long place) {
    return offset(place) != 0;
  }

  // ---- what readers use

  /**
   * Returns an even version to read under, waiting while the writer is in the middle of a change.
   */
  final long readVersion() {
    long v = (long) VERSION.getAcquire(this);
    for (int spins = 0; (v & 1) != 0; spins++) {
      if (spins < 100) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(20_000);
      }
      v = (long) VERSION.getAcquire(this);
    }
    return v;
  }

  /** Tells whether what was read since {@link #readVersion} is whole. */
  final boolean unchanged(long v) {
    VarHandle.acquireFence();
    return (long) VERSION.getOpaque(this) == v;
  }

  final int blocks() {
    return blocks;
  }

  /** Place of a block by its index; of some block if the directory changes under the reader. */
  final long place(int index) {
    long now = room;
    return memory.get(now, Math.min(index, DirectoryMemory.blocks(now) - 1), PLACE);
  }

  /** Finds the last block whose fence is before (timestamp, sequence), or 0. */
  final int blockBefore(long timestamp, long sequence) {
    return blockBefore(room, timestamp, sequence);
  }

  private int blockBefore(long now, long timestamp, long sequence) {
    int low = 1;
    int high = Math.min(blocks, DirectoryMemory.blocks(now));
    if (low < high && fenceBefore(now, high - 1, timestamp, sequence)) {
      return high - 1;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (fenceBefore(now, middle, timestamp, sequence)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private boolean fenceBefore(long now, int index, long timestamp, long sequence) {
    return Block.compare(
            memory.get(now, index, TIMESTAMP),
            memory.get(now, index, SEQUENCE),
            timestamp,
            sequence)
        < 0;
  }

  /** Finds the last block whose fence is not after (timestamp, sequence). */
  final int blockOf(long timestamp, long sequence) {
    long now = room;
    int next = blockBefore(now, timestamp, sequence) + 1;
    return next < Math.min(blocks, DirectoryMemory.blocks(now))
            && memory.get(now, next, TIMESTAMP) == timestamp
            && memory.get(now, next, SEQUENCE) == sequence
        ? next
        : next - 1;
  }

  final long fenceTimestamp(int index) {
    long now = room;
    return memory.get(now, Math.min(index, DirectoryMemory.blocks(now) - 1), TIMESTAMP);
  }

  final long fenceSequence(int index) {
    long now = room;
    return memory.get(now, Math.min(index, DirectoryMemory.blocks(now) - 1), SEQUENCE);
  }

  // ---- what the writer uses

  /**
   * Makes room for further blocks, so that entering them can't fail in the middle of a change.
   *
   * @throws OutOfMemoryError if there is no memory for it; nothing was changed
   */
  final void reserve(int more) {
    long now = room;
    if (blocks + more <= DirectoryMemory.blocks(now)) {
      return;
    }
    long next = memory.allocate(blocks + more);
    memory.copy(now, 0, next, 0, blocks);
    beginChange();
    room = next;
    memory.free(now);
    endChange();
  }

  /** Enters a block before the one that is at an index now. */
  final void enter(int index, long fenceTimestamp, long fenceSequence, long place) {
    long now = room;
    long next = now;
    if (blocks == DirectoryMemory.blocks(now)) {
      next = memory.allocate(blocks + 1);
      memory.copy(now, 0, next, 0, index);
    }
    memory.copy(now, index, next, index + 1, blocks - index);
    memory.set(next, index, fenceTimestamp, fenceSequence, place);
    if (next != now) {
      room = next;
      memory.free(now);
    }
    blocks++;
  }

  /** Changes what is entered at an index. */
  final void set(int index, long fenceTimestamp, long fenceSequence, long place) {
    memory.set(room, index, fenceTimestamp, fenceSequence, place);
  }

  /** Takes a block off the directory. */
  final void remove(int index) {
    memory.copy(room, index + 1, room, index, blocks - index - 1);
    blocks--;
  }

  /** Sorts the blocks by their fences; of equal ones the sealed block comes first. */
  final void sort() {
    Integer[] order = new Integer[blocks];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (a, b) -> {
          int c =
              Block.compare(
                  fenceTimestamp(a), fenceSequence(a), fenceTimestamp(b), fenceSequence(b));
          return c != 0 ? c : Boolean.compare(isSealed(place(b)), isSealed(place(a)));
        });
    long sorted = memory.allocate(Math.max(1, blocks));
    for (int i = 0; i < blocks; i++) {
      memory.copy(room, order[i], sorted, i, 1);
    }
    memory.free(room);
    room = sorted;
  }

  final void beginChange() {
    VERSION.setOpaque(this, (long) VERSION.getOpaque(this) + 1);
    VarHandle.fullFence();
  }

  final void endChange() {
    VERSION.setRelease(this, (long) VERSION.getOpaque(this) + 1);
  }
}
