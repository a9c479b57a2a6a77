package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.sealed.RunDecoder;
import java.io.IOException;

/**
 * The rows of one sensor in one day and shard, and the hot path that adds rows to them.
 *
 * <p>Its newest rows stand in a plain head block. When that is full, its oldest rows are sealed;
 * the newest {@link #KEPT} and more stay, so that whoever wants the latest few meets one block. A
 * late row that belongs into a sealed block turns that block into plain ones first, which take
 * further late rows cheaply until the day is closed.
 */
final class Partition extends PartitionRows {
  /** What {@link #put} did. */
  enum Outcome {
    STORED,
    /** Stored, but not behind the newest row. */
    LATE,
    OVERWRITTEN,
    DUPLICATE
  }

  /** Fewest rows that stay in a head block when it is sealed. */
  private static final int KEPT = 20;

  /** Sealed blocks but for those of odd shapes hold a multiple of so many rows. */
  private static final int SEALED_UNIT = 32;

  Partition(SensorEntry sensor, int shard, SegmentMap map) {
    super(sensor, shard, map);
  }

  /** Counts bytes of blocks that rows have called for. */
  void grow(long more) {
    countBytes(more);
    map.grew(this);
  }

  /**
   * Reads where the next row will be written, so that it is at hand by then; the caller holds the
   * store's lock. What is returned means nothing.
   */
  long touchHead() {
    return headAddress == 0 || !map.open ? 0 : head().touch();
  }

  /**
   * Adds or replaces a row.
   *
   * @throws IOException if a block is needed and the disk has no room; no row was changed, and the
   *     same call may be made again
   * @throws CorruptBlockException if rows that would be sealed or unsealed fail their checksum
   */
  Outcome put(long timestamp, long sequence, long valueBits) throws IOException {
    if (Block.compare(timestamp, sequence, lastTimestamp, lastSequence) <= 0) {
      Outcome outcome = putInOrder(timestamp, sequence, valueBits);
      if (outcome != Outcome.DUPLICATE) {
        reorders++; // one writer
      }
      return outcome == Outcome.STORED ? Outcome.LATE : outcome;
    }
    if (headAddress == 0) {
      addBlock(blocks(), timestamp, sequence, valueBits);
    } else {
      if (headCount == capacity) {
        sealHead(-1, 0, 0, 0);
      }
      Block block = head();
      block.putRow(headCount, timestamp, sequence, valueBits);
      block.publish(++headCount, headFirst);
      lastTimestamp = timestamp;
      lastSequence = sequence;
    }
    rows++;
    return Outcome.STORED;
  }

  private Outcome putInOrder(long timestamp, long sequence, long valueBits) throws IOException {
    int index = blockOf(timestamp, sequence);
    if (isSealed(place(index))) {
      RunDecoder run = map.sealed.decode(place(index), layout.seed());
      int row = run.lowerBound(timestamp, sequence);
      if (row < run.size() && isRow(run, row, timestamp, sequence, valueBits)) {
        return Outcome.DUPLICATE;
      }
      if (row < run.size() || index + 1 == blocks() || isSealed(place(index + 1))) {
        unseal(index, run);
        return putInOrder(timestamp, sequence, valueBits);
      }
      // After the last sealed row: it may as well open the plain block that follows.
      index++;
      beginChange();
      set(index, timestamp, sequence, place(index));
      endChange();
    }
    Block block = map.block.at(address(index), layout);
    int n = block.count();
    int row = block.lowerBound(n, timestamp, sequence);
    if (row < n && block.compareRow(row, timestamp, sequence) == 0) {
      if (block.valueBits(row) == valueBits) {
        return Outcome.DUPLICATE;
      }
      overwrite(block, index, row, valueBits);
      return Outcome.OVERWRITTEN;
    }
    if (n < capacity) {
      insert(block, index, row, timestamp, sequence, valueBits);
    } else if (index == blocks() - 1 && row <= sealedRows()) {
      sealHead(row, timestamp, sequence, valueBits);
    } else if (index < blocks() - 1 && row == n) {
      addBlock(index + 1, timestamp, sequence, valueBits);
    } else {
      if (index == blocks() - 1) {
        sealHead(-1, 0, 0, 0);
      } else {
        split(index);
      }
      return putInOrder(timestamp, sequence, valueBits);
    }
    rows++;
    return Outcome.STORED;
  }

  private boolean isRow(RunDecoder run, int row, long timestamp, long sequence, long valueBits) {
    RowRun found = map.sealer.run;
    found.clear();
    run.decode(row, row + 1, found);
    return found.timestamps[0] == timestamp
        && found.sequences[0] == sequence
        && found.valueBits[0] == valueBits;
  }

  private void overwrite(Block block, int index, int row, long valueBits) {
    long timestamp = block.timestamp(row);
    long sequence = block.sequence(row);
    map.undo.arm(block, number(place(index)), row, 1, -1);
    beginChange();
    block.putRow(row, timestamp, sequence, valueBits);
    endChange();
    map.undo.clear();
  }

  private void insert(
      Block block, int index, int row, long timestamp, long sequence, long valueBits) {
    int n = block.count();
    map.undo.arm(block, number(place(index)), row, n - row, -1);
    map.movedBytes += (long) (n - row) * Block.ROW_BYTES;
    beginChange();
    block.shiftUp(row);
    block.putRow(row, timestamp, sequence, valueBits);
    block.publish(n + 1, block.first());
    endChange();
    map.undo.clear();
    if (index == blocks() - 1) {
      headCount = n + 1;
    }
  }

  /** Rows of a full head that are sealed. */
  private int sealedRows() {
    int most = capacity - Math.max(KEPT, capacity / 3);
    return most / SEALED_UNIT * SEALED_UNIT;
  }

  /**
   * Seals the oldest rows of the full head.
   *
   * @param lateRow index at which one more row belongs among them, or -1
   */
  private void sealHead(int lateRow, long timestamp, long sequence, long valueBits)
      throws IOException {
    int sealed = sealedRows();
    int head = blocks() - 1;
    Block block = head();
    RowRun run = map.sealer.run;
    run.clear();
    if (lateRow >= 0) {
      block.addRows(0, lateRow, run);
      run.add(timestamp, sequence, valueBits);
    }
    block.addRows(Math.max(0, lateRow), sealed, run);
    reserve(1);
    long place = map.sealed.seal(this, run, 0, run.size);
    beginChange();
    headCount -= sealed;
    headFirst = (headFirst + sealed) % capacity;
    block.publish(headCount, headFirst);
    enter(head, fenceTimestamp(head), fenceSequence(head), place);
    set(head + 1, block.timestamp(0), block.sequence(0), place(head + 1));
    endChange();
  }

  /** Turns a sealed block into plain ones with room for further rows. */
  private void unseal(int index, RunDecoder decoder) throws IOException {
    RowRun run = map.sealer.run;
    run.clear();
    decoder.decode(0, decoder.size(), run);
    int atMost = capacity - capacity / 8;
    int plain = (run.size + atMost - 1) / atMost;
    reserve(plain - 1);
    int[] numbers = map.allocate(plain);
    Block block = map.other;
    for (int i = 0; i < numbers.length; i++) {
      int from = run.size * i / numbers.length;
      int to = run.size * (i + 1) / numbers.length;
      block.format(map.address(numbers[i]), sensor.id, map.day, shard, layout);
      for (int row = from; row < to; row++) {
        block.putRow(row - from, run.timestamps[row], run.sequences[row], run.valueBits[row]);
      }
      block.publish(to - from, 0);
      block.activate();
    }
    grow((long) numbers.length * BlockFile.BLOCK_BYTES - map.sealed.length(place(index)));
    map.sealed.kill(place(index));
    map.movedBytes += (long) run.size * Block.ROW_BYTES;
    beginChange();
    set(index, fenceTimestamp(index), fenceSequence(index), place(numbers[0], 0));
    for (int i = 1; i < numbers.length; i++) {
      int from = run.size * i / numbers.length;
      enter(index + i, run.timestamps[from], run.sequences[from], place(numbers[i], 0));
    }
    endChange();
    if (index + numbers.length == blocks()) {
      becomeHead(blocks() - 1, block);
    }
  }

  /** Puts a new block with one row at a place of the directory; no other block changes. */
  private void addBlock(int index, long timestamp, long sequence, long valueBits)
      throws IOException {
    reserve(1);
    int number = map.allocate();
    grow(BlockFile.BLOCK_BYTES);
    boolean first = blocks() == 0;
    Block block = map.other.format(map.address(number), sensor.id, map.day, shard, layout);
    block.putRow(0, timestamp, sequence, valueBits);
    block.publish(1, 0);
    beginChange();
    block.activate();
    enter(
        index,
        first ? Long.MIN_VALUE : timestamp,
        first ? Long.MIN_VALUE : sequence,
        place(number, 0));
    endChange();
    if (index == blocks() - 1) {
      becomeHead(index, block);
      lastTimestamp = timestamp;
      lastSequence = sequence;
    }
  }

  /** Moves the newer half of a full block into a block of its own. */
  private void split(int index) throws IOException {
    reserve(1);
    int number = map.allocate();
    grow(BlockFile.BLOCK_BYTES);
    Block old = map.block.at(address(index), layout);
    int n = old.count();
    int middle = n / 2;
    Block born = map.other.format(map.address(number), sensor.id, map.day, shard, layout);
    born.copyFrom(old, middle, n);
    born.publish(n - middle, 0);
    map.movedBytes += (long) (n - middle) * Block.ROW_BYTES;
    map.undo.arm(old, number(place(index)), 0, 0, number);
    beginChange();
    born.activate();
    old.publish(middle, old.first());
    enter(index + 1, born.timestamp(0), born.sequence(0), place(number, 0));
    endChange();
    map.undo.clear();
  }
}
