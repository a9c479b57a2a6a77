package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The before-image of the one change in progress in a segment, so that a process killed in the
 * middle of it leaves nothing torn: opening the segment puts the image back.
 *
 * <pre>
 *   0   armed           4   0 clear, 1 armed; written last, cleared first
 *   4   block           4   block changed, by segment-wide number
 *   8   count           4   its count before
 *   12  from            4   first byte saved
 *   16  length          4   bytes saved
 *   20  born            4   block that the change created and undoing frees, or -1
 *   24  checksum        8   of bytes 4 to 23 and the saved bytes
 *   32  saved bytes     length
 * </pre>
 */
final class UndoSlot {
  private static final int ARMED_AT = 0;
  private static final int BLOCK_AT = ARMED_AT + 4;
  private static final int COUNT_AT = BLOCK_AT + 4;
  private static final int FROM_AT = COUNT_AT + 4;
  private static final int LENGTH_AT = FROM_AT + 4;
  private static final int BORN_AT = LENGTH_AT + 4;
  private static final int CHECKSUM_AT = BORN_AT + 4;
  private static final int SAVED_AT = CHECKSUM_AT + 8;

  private final UnsafeBuffer slot;
  private final byte[] scratch = new byte[BlockFile.BLOCK_BYTES];

  UndoSlot(long address) {
    slot = new UnsafeBuffer(address, BlockFile.BLOCK_BYTES);
  }

  /** Saves what a change of {@code [from, from + length)} of a block will overwrite. */
  void arm(Block block, int number, int count, int from, int length, int born) {
    slot.putInt(BLOCK_AT, number);
    slot.putInt(COUNT_AT, count);
    slot.putInt(FROM_AT, from);
    slot.putInt(LENGTH_AT, length);
    slot.putInt(BORN_AT, born);
    slot.putBytes(SAVED_AT, block.memory, from, length);
    slot.putLong(CHECKSUM_AT, checksum(length));
    slot.putIntVolatile(ARMED_AT, 1);
  }

  /** Says that the change is whole. */
  void clear() {
    slot.putIntVolatile(ARMED_AT, 0);
  }

  private long checksum(int length) {
    slot.getBytes(BLOCK_AT, scratch, 0, CHECKSUM_AT - BLOCK_AT);
    slot.getBytes(SAVED_AT, scratch, CHECKSUM_AT - BLOCK_AT, length);
    return Hashing.of(scratch, 0, CHECKSUM_AT - BLOCK_AT + length);
  }

  /**
   * Undoes a change that a dead process left half done.
   *
   * @return whether there was one
   * @throws CorruptBlockException if the slot contradicts itself
   */
  boolean undo(SegmentMap map) {
    if (slot.getIntVolatile(ARMED_AT) == 0) {
      return false;
    }
    int length = slot.getInt(LENGTH_AT);
    int from = slot.getInt(FROM_AT);
    if (slot.getIntVolatile(ARMED_AT) != 1
        || length < 0
        || length > BlockFile.BLOCK_BYTES - SAVED_AT
        || from < 0
        || from + length > BlockFile.BLOCK_BYTES
        || checksum(length) != slot.getLong(CHECKSUM_AT)) {
      throw new CorruptBlockException("undo slot fails its checksum");
    }
    Block block = new Block().at(map.address(slot.getInt(BLOCK_AT)));
    block.memory.putBytes(from, slot, SAVED_AT, length);
    block.publishCount(slot.getInt(COUNT_AT));
    int born = slot.getInt(BORN_AT);
    if (born >= 0) {
      new Block().at(map.address(born)).free();
    }
    clear();
    return true;
  }
}
