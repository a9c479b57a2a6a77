package io.varve.storage.engine;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The rows of one sensor in one day and shard: its directory of blocks, oldest first, and the hot
 * path that adds rows to them.
 *
 * <p>The directory (fence and number of each block) is derived from the blocks' own headers when
 * the segment is opened; nothing of it is stored, so nothing of it can disagree with the blocks.
 *
 * <p>One writer. Readers use the sequence lock: {@link #version} is odd while a change is under way
 * that an append is not (a shift, a split, a new block); they copy, then check that it did not
 * move. An append needs no lock: its row is complete before the block's count says that it is
 * there.
 */
final class Partition {
  /** What {@link #put} did. */
  enum Outcome {
    STORED,
    OVERWRITTEN,
    DUPLICATE
  }

  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Partition.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final SensorEntry sensor;
  final int shard;
  final SegmentMap map;
  final int rowsAt;
  final int capacity;
  private final long seed;

  @SuppressWarnings("unused") // through VERSION
  private long version;

  /** Fence of each block, ascending; slots at and past {@link #blocks} are unused. */
  private long[] fenceTimestamps = new long[1];

  private long[] fenceSequences = new long[1];
  private int[] numbers = new int[1];
  private int blocks;

  /** The newest row's key and the head block, for the append that nearly every row is. */
  private long headAddress;

  private int headCount;
  private long lastTimestamp = Long.MIN_VALUE;
  private long lastSequence = Long.MIN_VALUE;
  private long rows;

  Partition(SensorEntry sensor, int shard, SegmentMap map) {
    this.sensor = sensor;
    this.shard = shard;
    this.map = map;
    byte[] id = sensor.id.toBytes();
    this.rowsAt = Block.rowsAt(id.length);
    this.capacity = Block.capacity(id.length);
    this.seed = Block.seed(id, 0, id.length, map.day, shard);
  }

  /** Tells whether this is the partition of a day and shard. */
  boolean is(int day, int shard) {
    return map.day == day && this.shard == shard;
  }

  /** Rows present. */
  long rows() {
    return rows;
  }

  int blocks() {
    return blocks;
  }

  long seed() {
    return seed;
  }

  long lastTimestamp() {
    return lastTimestamp;
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Key of the oldest row: (timestamp, sequence). */
  long[] firstKey() {
    Block block = new Block().at(map.address(numbers[0]));
    return new long[] {block.timestamp(rowsAt, 0), block.sequence(rowsAt, 0)};
  }

  // ---- what readers use

  /**
   * Returns an even version to read under, waiting while the writer is in the middle of a change.
   */
  long readVersion() {
    long v = (long) VERSION.getAcquire(this);
    for (int spins = 0; (v & 1) != 0; spins++) {
      if (spins < 100) {
        Thread.onSpinWait();
      } else {
        java.util.concurrent.locks.LockSupport.parkNanos(20_000);
      }
      v = (long) VERSION.getAcquire(this);
    }
    return v;
  }

  /** Tells whether what was read since {@link #readVersion} is whole. */
  boolean unchanged(long v) {
    VarHandle.acquireFence();
    return (long) VERSION.getOpaque(this) == v;
  }

  /** Finds the last block whose fence is before (timestamp, sequence), or 0. */
  int blockBefore(long timestamp, long sequence) {
    int low = 1;
    int high = Math.min(blocks, numbers.length);
    if (low < high && fenceBefore(high - 1, timestamp, sequence)) {
      return high - 1;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (fenceBefore(middle, timestamp, sequence)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  private boolean fenceBefore(int index, long timestamp, long sequence) {
    return Block.compare(fenceTimestamps[index], fenceSequences[index], timestamp, sequence) < 0;
  }

  /** Address of a block by its place in the directory. */
  long blockAddress(int index) {
    return map.address(numbers[Math.min(index, numbers.length - 1)]);
  }

  // ---- what opening uses

  /** Adds a block found in the files; {@link #seal} follows when all are there. */
  void adopt(long fenceTimestamp, long fenceSequence, int number) {
    grow();
    fenceTimestamps[blocks] = fenceTimestamp;
    fenceSequences[blocks] = fenceSequence;
    numbers[blocks++] = number;
  }

  /**
   * Sorts the adopted blocks and checks that they are one run of rows.
   *
   * @throws io.varve.storage.CorruptBlockException if fences collide or rows cross a fence
   */
  void seal(Block block) {
    Integer[] order = new Integer[blocks];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (a, b) ->
            Block.compare(
                fenceTimestamps[a], fenceSequences[a], fenceTimestamps[b], fenceSequences[b]));
    long[] t = new long[blocks];
    long[] s = new long[blocks];
    int[] n = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      t[i] = fenceTimestamps[order[i]];
      s[i] = fenceSequences[order[i]];
      n[i] = numbers[order[i]];
    }
    fenceTimestamps = t;
    fenceSequences = s;
    numbers = n;
    for (int i = 0; i < blocks; i++) {
      block.at(map.address(n[i]));
      int count = block.count();
      rows += count;
      boolean fenced =
          i == 0
              ? t[0] == Long.MIN_VALUE && s[0] == Long.MIN_VALUE
              : Block.compare(t[i - 1], s[i - 1], t[i], s[i]) < 0
                  && Block.compare(lastTimestamp, lastSequence, t[i], s[i]) < 0;
      if (!fenced || count == 0) {
        throw new io.varve.storage.CorruptBlockException(
            "blocks of a partition do not join: sensor=" + sensor.id + " day=" + map.day);
      }
      lastTimestamp = block.timestamp(rowsAt, count - 1);
      lastSequence = block.sequence(rowsAt, count - 1);
      headAddress = map.address(n[i]);
      headCount = count;
    }
  }

  // ---- what the writer uses

  /**
   * Adds or replaces a row.
   *
   * @throws IOException if a block is needed and the disk has no room; nothing was changed, and the
   *     same call may be made again
   */
  Outcome put(long timestamp, long sequence, long valueBits) throws IOException {
    if (Block.compare(timestamp, sequence, lastTimestamp, lastSequence) > 0) {
      if (headCount < capacity && blocks > 0) {
        Block block = map.block.at(headAddress);
        block.putRow(rowsAt, headCount, seed, timestamp, sequence, valueBits);
        block.publishCount(++headCount);
        lastTimestamp = timestamp;
        lastSequence = sequence;
      } else {
        addBlock(blocks, timestamp, sequence, valueBits);
      }
      rows++;
      return Outcome.STORED;
    }
    return putInOrder(timestamp, sequence, valueBits);
  }

  private Outcome putInOrder(long timestamp, long sequence, long valueBits) throws IOException {
    // The last block whose fence is not after the key.
    int index = blockBefore(timestamp, sequence);
    if (index + 1 < blocks
        && fenceTimestamps[index + 1] == timestamp
        && fenceSequences[index + 1] == sequence) {
      index++;
    }
    Block block = map.block.at(map.address(numbers[index]));
    int n = block.count();
    int row = block.lowerBound(rowsAt, n, timestamp, sequence);
    if (row < n
        && block.timestamp(rowsAt, row) == timestamp
        && block.sequence(rowsAt, row) == sequence) {
      if (block.valueBits(rowsAt, row) == valueBits) {
        return Outcome.DUPLICATE;
      }
      overwrite(block, index, n, row, valueBits);
      return Outcome.OVERWRITTEN;
    }
    if (n == capacity) {
      if (row == n) {
        addBlock(index + 1, timestamp, sequence, valueBits);
        rows++;
        return Outcome.STORED;
      }
      split(index, n);
      return putInOrder(timestamp, sequence, valueBits);
    }
    insert(block, index, n, row, timestamp, sequence, valueBits);
    rows++;
    return Outcome.STORED;
  }

  private void overwrite(Block block, int index, int n, int row, long valueBits) {
    long timestamp = block.timestamp(rowsAt, row);
    long sequence = block.sequence(rowsAt, row);
    map.undo.arm(block, numbers[index], n, rowsAt + row * Block.ROW_BYTES, Block.ROW_BYTES, -1);
    beginChange();
    block.putRow(rowsAt, row, seed, timestamp, sequence, valueBits);
    endChange();
    map.undo.clear();
  }

  private void insert(
      Block block, int index, int n, int row, long timestamp, long sequence, long valueBits) {
    // With the place past the last row: undone, it must not hold a whole row.
    map.undo.arm(
        block,
        numbers[index],
        n,
        rowsAt + row * Block.ROW_BYTES,
        (n + 1 - row) * Block.ROW_BYTES,
        -1);
    beginChange();
    block.shiftUp(rowsAt, row, n);
    block.putRow(rowsAt, row, seed, timestamp, sequence, valueBits);
    block.publishCount(n + 1);
    endChange();
    map.undo.clear();
    if (index == blocks - 1) {
      headCount = n + 1;
    }
  }

  /** Puts a new block with one row at a place of the directory; no other block changes. */
  private void addBlock(int index, long timestamp, long sequence, long valueBits)
      throws IOException {
    int number = map.allocate();
    boolean first = blocks == 0;
    Block block = map.other.at(map.address(number));
    block.format(
        sensor.id,
        map.day,
        shard,
        first ? Long.MIN_VALUE : timestamp,
        first ? Long.MIN_VALUE : sequence);
    block.putRow(rowsAt, 0, seed, timestamp, sequence, valueBits);
    block.publishCount(1);
    beginChange();
    block.activate();
    enter(index, block.fenceTimestamp(), block.fenceSequence(), number);
    endChange();
    if (index == blocks - 1) {
      headAddress = map.address(number);
      headCount = 1;
      lastTimestamp = timestamp;
      lastSequence = sequence;
    }
  }

  /** Moves the newer half of a full block into a block of its own. */
  private void split(int index, int n) throws IOException {
    int number = map.allocate();
    int middle = n / 2;
    Block old = map.block.at(map.address(numbers[index]));
    Block born = map.other.at(map.address(number));
    long fenceTimestamp = old.timestamp(rowsAt, middle);
    long fenceSequence = old.sequence(rowsAt, middle);
    born.format(sensor.id, map.day, shard, fenceTimestamp, fenceSequence);
    born.memory.putBytes(
        rowsAt, old.memory, rowsAt + middle * Block.ROW_BYTES, (n - middle) * Block.ROW_BYTES);
    born.publishCount(n - middle);
    map.undo.arm(
        old,
        numbers[index],
        n,
        rowsAt + middle * Block.ROW_BYTES,
        (n - middle) * Block.ROW_BYTES,
        number);
    beginChange();
    born.activate();
    old.publishCount(middle);
    old.clearRows(rowsAt, middle, n);
    enter(index + 1, fenceTimestamp, fenceSequence, number);
    endChange();
    map.undo.clear();
    if (index + 1 == blocks - 1) {
      headAddress = map.address(number);
      headCount = n - middle;
    }
  }

  private void enter(int index, long fenceTimestamp, long fenceSequence, int number) {
    grow();
    int moved = blocks - index;
    System.arraycopy(fenceTimestamps, index, fenceTimestamps, index + 1, moved);
    System.arraycopy(fenceSequences, index, fenceSequences, index + 1, moved);
    System.arraycopy(numbers, index, numbers, index + 1, moved);
    fenceTimestamps[index] = fenceTimestamp;
    fenceSequences[index] = fenceSequence;
    numbers[index] = number;
    blocks++;
  }

  private void grow() {
    if (blocks == numbers.length) {
      int length = blocks < 64 ? blocks * 2 : blocks + blocks / 2;
      fenceTimestamps = Arrays.copyOf(fenceTimestamps, length);
      fenceSequences = Arrays.copyOf(fenceSequences, length);
      numbers = Arrays.copyOf(numbers, length);
    }
  }

  private void beginChange() {
    VERSION.setOpaque(this, (long) VERSION.getOpaque(this) + 1);
    VarHandle.fullFence();
  }

  private void endChange() {
    VERSION.setRelease(this, (long) VERSION.getOpaque(this) + 1);
  }
}
