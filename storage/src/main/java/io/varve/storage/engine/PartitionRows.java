package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.sealed.RunDecoder;

/**
 * What a partition holds, as it is found in the files or moved to by whoever rewrites its day. What
 * it knows of its newest row and its head block is derived, like the directory.
 */
abstract class PartitionRows extends BlockDirectory {
  final SensorEntry sensor;
  final int shard;
  final SegmentMap map;
  final RowLayout layout;

  /** The layout's figures once more: the append that nearly every row is saves a look-up. */
  private final long seed;

  private final int rowsAt;
  final int capacity;

  /** The newest row's key and the head block, for that append. */
  long headAddress;

  int headCount;
  int headFirst;
  long lastTimestamp = Long.MIN_VALUE;
  long lastSequence = Long.MIN_VALUE;

  /** Value of the newest row, while it is sealed. */
  private long lastValueBits;

  long rows;

  /** Bytes of its blocks: all of each plain one, the length of each sealed one. */
  private long bytes;

  /** Whether it has been told that the partition outgrew the guardrail. */
  boolean outgrown;

  /** Counts changes that are no appends, each after it was made, under the store's lock. */
  volatile long reorders;

  /** Whether its rows stand in the segment's next generation by now, and only there are written. */
  private volatile boolean moved;

  PartitionRows(SensorEntry sensor, int shard, SegmentMap map) {
    super(map.directories);
    this.sensor = sensor;
    this.shard = shard;
    this.map = map;
    this.layout = RowLayout.of(sensor.utf8, map.day, shard);
    this.seed = layout.seed();
    this.rowsAt = layout.rowsAt();
    this.capacity = layout.capacity();
  }

  /** Tells whether this is the partition of a day and shard. */
  boolean is(int day, int shard) {
    return map.day == day && this.shard == shard;
  }

  /** Rows present. */
  long rows() {
    return rows;
  }

  /** Bytes of its blocks: all of each plain one, the length of each sealed one. */
  long bytes() {
    return bytes;
  }

  /** Counts bytes of blocks that were found, or copied from another generation. */
  void countBytes(long more) {
    bytes += more;
  }

  long lastTimestamp() {
    return lastTimestamp;
  }

  long lastSequence() {
    return lastSequence;
  }

  /** Bits of the newest row's value; meaningless while that row is a plain one. */
  long sealedLastValueBits() {
    return lastValueBits;
  }

  long reorders() {
    return reorders;
  }

  boolean moved() {
    return moved;
  }

  void markMoved() {
    moved = true;
  }

  /** Whether every row is sealed. */
  boolean isSealed() {
    for (int i = 0; i < blocks(); i++) {
      if (!isSealed(place(i))) {
        return false;
      }
    }
    return true;
  }

  /** Address of the block, or of the slab, at an index. */
  long address(int index) {
    return map.address(number(place(index)));
  }

  // ---- what opening and rewriting use

  /** Adds a plain block found in the files; {@link #join} follows when all are there. */
  void adopt(Block block, int number) {
    if (block.count() == 0) {
      throw new CorruptBlockException("block without rows: sensor=" + sensor.id);
    }
    enter(blocks(), block.timestamp(0), block.sequence(0), place(number, 0));
    bytes += BlockFile.BLOCK_BYTES;
  }

  /** Adds a sealed block found in the files. */
  void adopt(RunDecoder run, int number, int offset) {
    enter(blocks(), run.firstTimestamp(), run.firstSequence(), place(number, offset));
  }

  /**
   * Puts the adopted blocks in order and checks that they are one run of rows.
   *
   * <p>A process killed while it sealed or unsealed leaves rows that stand both in a live sealed
   * block and, as the oldest ones, in plain blocks: there they are dropped.
   *
   * @throws CorruptBlockException if blocks overlap in any other way
   */
  void join() {
    sort();
    int sealed = -1;
    for (int i = 0; i < blocks(); i++) {
      if (isSealed(place(i))) {
        sealed = i;
      } else if (sealed >= 0 && dropCopies(i, sealed)) {
        remove(i--);
        continue;
      }
      count(i);
    }
    set(0, Long.MIN_VALUE, Long.MIN_VALUE, place(0));
  }

  private void count(int index) {
    boolean ordered =
        index == 0
            || Block.compare(
                    lastTimestamp, lastSequence, fenceTimestamp(index), fenceSequence(index))
                < 0;
    if (!ordered) {
      throw new CorruptBlockException(
          "blocks of a partition do not join: sensor=" + sensor.id + " day=" + map.day);
    }
    if (isSealed(place(index))) {
      RunDecoder run = map.sealed.decode(place(index), layout.seed());
      rows += run.size();
      lastTimestamp = run.lastTimestamp();
      lastSequence = run.lastSequence();
      RowRun last = map.sealer.run;
      last.clear();
      run.decode(run.size() - 1, run.size(), last);
      lastValueBits = last.valueBits[0];
      headAddress = 0;
      return;
    }
    Block block = map.block.at(address(index), layout);
    rows += block.count();
    lastTimestamp = block.timestamp(block.count() - 1);
    lastSequence = block.sequence(block.count() - 1);
    becomeHead(index, block);
  }

  /** Points the writer's flyweight at the head block, of which there must be one. */
  final Block head() {
    return map.block.at(headAddress, rowsAt, capacity, seed, headCount, headFirst);
  }

  /** Takes the newest block as the one that rows are appended to. */
  final void becomeHead(int index, Block block) {
    headAddress = address(index);
    headCount = block.count();
    headFirst = block.first();
  }

  /** Drops rows of a plain block that a sealed one holds; tells whether none was left. */
  private boolean dropCopies(int index, int sealedIndex) {
    Block block = map.block.at(address(index), layout);
    RunDecoder run = map.sealed.decode(place(sealedIndex), layout.seed());
    int copies = 0;
    RowRun row = map.sealer.run;
    while (copies < block.count()
        && block.compareRow(copies, run.lastTimestamp(), run.lastSequence()) <= 0) {
      int at = run.lowerBound(block.timestamp(copies), block.sequence(copies));
      row.clear();
      run.decode(at, at + 1, row);
      if (block.compareRow(copies, row.timestamps[0], row.sequences[0]) != 0
          || block.valueBits(copies) != row.valueBits[0]) {
        throw new CorruptBlockException(
            "plain and sealed blocks disagree: sensor=" + sensor.id + " day=" + map.day);
      }
      copies++;
    }
    if (copies == 0) {
      return false;
    }
    if (copies == block.count()) {
      block.free();
      bytes -= BlockFile.BLOCK_BYTES;
      map.space.release(number(place(index)));
      return true;
    }
    block.publish(block.count() - copies, (block.first() + copies) % layout.capacity());
    set(index, block.timestamp(0), block.sequence(0), place(index));
    return false;
  }

  /** Adds a sealed block that follows all others, while no reader knows this partition. */
  void append(
      long firstTimestamp,
      long firstSequence,
      long newLastTimestamp,
      long newLastSequence,
      long newLastValueBits,
      int moreRows,
      long place) {
    boolean first = blocks() == 0;
    enter(
        blocks(),
        first ? Long.MIN_VALUE : firstTimestamp,
        first ? Long.MIN_VALUE : firstSequence,
        place);
    rows += moreRows;
    lastTimestamp = newLastTimestamp;
    lastSequence = newLastSequence;
    lastValueBits = newLastValueBits;
  }
}
