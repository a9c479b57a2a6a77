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
 *   8   word            8   its count and first place before
 *   16  from            4   first row saved
 *   20  rows            4   rows saved
 *   24  born            4   block that the change created and undoing frees, or -1
 *   28  reserved        4
 *   32  checksum        8   of bytes 4 to 27
 *   40  saved rows      rows × 28, each with its own checksum
 * </pre>
 */
final class UndoSlot {
  private static final int ARMED_AT = 0;
  private static final int BLOCK_AT = ARMED_AT + 4;
  private static final int WORD_AT = BLOCK_AT + 4;
  private static final int FROM_AT = WORD_AT + 8;
  private static final int ROWS_AT = FROM_AT + 4;
  private static final int BORN_AT = ROWS_AT + 4;
  private static final int CHECKSUM_AT = BORN_AT + 8;
  private static final int SAVED_AT = CHECKSUM_AT + 8;
  private static final int MAX_ROWS = (BlockFile.BLOCK_BYTES - SAVED_AT) / Block.ROW_BYTES;

  private final UnsafeBuffer slot;

  UndoSlot(long address) {
    slot = new UnsafeBuffer(address, BlockFile.BLOCK_BYTES);
  }

  /** Saves what a change of rows {@code [from, from + rows)} of a block will overwrite. */
  void arm(Block block, int number, int from, int rows, int born) {
    slot.putInt(BLOCK_AT, number);
    slot.putLong(WORD_AT, block.word());
    slot.putInt(FROM_AT, from);
    slot.putInt(ROWS_AT, rows);
    slot.putInt(BORN_AT, born);
    block.copyRows(from, from + rows, slot, SAVED_AT);
    slot.putLong(CHECKSUM_AT, checksum());
    slot.putIntVolatile(ARMED_AT, 1);
  }

  /** Says that the change is whole. */
  void clear() {
    slot.putIntVolatile(ARMED_AT, 0);
  }

  /** Whether a change was begun and not ended. */
  boolean isArmed() {
    return slot.getIntVolatile(ARMED_AT) == 1;
  }

  private long checksum() {
    long h = Hashing.mix(slot.getInt(BLOCK_AT), slot.getLong(WORD_AT));
    h = Hashing.mix(h, slot.getLong(FROM_AT));
    return Hashing.mix(h, slot.getInt(BORN_AT));
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
    int rows = slot.getInt(ROWS_AT);
    int from = slot.getInt(FROM_AT);
    if (slot.getIntVolatile(ARMED_AT) != 1
        || rows < 0
        || rows > MAX_ROWS
        || checksum() != slot.getLong(CHECKSUM_AT)) {
      throw new CorruptBlockException("undo slot fails its checksum");
    }
    long address = map.address(slot.getInt(BLOCK_AT));
    Block block = new Block().at(address);
    block.verifyHeader(map.day);
    block.restore(slot.getLong(WORD_AT));
    block.at(address, RowLayout.of(block.id(), block.day(), block.shard()));
    block.putRows(from, rows, slot, SAVED_AT);
    int born = slot.getInt(BORN_AT);
    if (born >= 0) {
      new Block().at(map.address(born)).free();
    }
    clear();
    return true;
  }
}
