package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Flyweight over block 0 of a segment's first file: what is known of the segment as a whole. All
 * numbers are little endian.
 *
 * <pre>
 *   0   magic           8   "VARVESEG"
 *   8   format          4   2
 *   12  day             4
 *   16  first offset    8   no row here comes from an older offset of the rows topic
 *   24  flags           4   bit 0: rows are missing, the log no longer reached back to them
 *   28  reserved        4
 *   32  checksum        8   of bytes 0 to 31
 *   40  last offset     8   newest offset that touched the segment
 *   48  its complement  8   so that a torn or flipped last offset is known to be none
 *   56  files           4   files in use, so that a lost one is missed
 *   60  whole           4   1: no older generation of the day is needed
 * </pre>
 */
final class SegmentHeader {
  private static final long MAGIC = 0x4745534556524156L;
  private static final int FORMAT = 2;
  private static final int FLAG_INCOMPLETE = 1;
  private static final int MAGIC_AT = 0;
  private static final int FORMAT_AT = MAGIC_AT + 8;
  private static final int DAY_AT = FORMAT_AT + 4;
  private static final int FIRST_OFFSET_AT = DAY_AT + 4;
  private static final int FLAGS_AT = FIRST_OFFSET_AT + 8;
  private static final int CHECKSUM_AT = FLAGS_AT + 8;
  private static final int LAST_OFFSET_AT = CHECKSUM_AT + 8;
  private static final int COMPLEMENT_AT = LAST_OFFSET_AT + 8;
  private static final int FILES_AT = COMPLEMENT_AT + 8;
  private static final int WHOLE_AT = FILES_AT + 4;

  private final UnsafeBuffer memory;

  /** Points at the header in a segment's first file. */
  SegmentHeader(BlockFile first) {
    memory = new UnsafeBuffer(first.address(0), BlockFile.BLOCK_BYTES);
  }

  /** Writes the header of a new segment of one file. */
  void write(int day, long firstOffset) {
    memory.putInt(FORMAT_AT, FORMAT);
    memory.putInt(DAY_AT, day);
    memory.putLong(FIRST_OFFSET_AT, firstOffset);
    memory.putInt(FLAGS_AT, 0);
    memory.putInt(FILES_AT, 1);
    memory.putLong(MAGIC_AT, MAGIC);
    memory.putLong(CHECKSUM_AT, checksum());
    noteLastOffset(firstOffset);
  }

  /**
   * Checks that this is the header of a day's segment of so many files or fewer.
   *
   * @throws CorruptBlockException naming what is wrong
   */
  void verify(int day, int files) {
    if (!isOf(day) || memory.getInt(FORMAT_AT) != FORMAT) {
      throw new CorruptBlockException("segment header fails its checksum: day=" + day);
    }
    if (memory.getInt(FILES_AT) > files) {
      throw new CorruptBlockException(
          "files of the day are missing: had=" + memory.getInt(FILES_AT));
    }
  }

  private boolean isOf(int day) {
    return memory.getLong(MAGIC_AT) == MAGIC
        && memory.getInt(DAY_AT) == day
        && memory.getLong(CHECKSUM_AT) == checksum();
  }

  private long checksum() {
    byte[] bytes = new byte[CHECKSUM_AT];
    memory.getBytes(0, bytes);
    return Hashing.of(bytes, 0, CHECKSUM_AT);
  }

  /** Tells whether the file has been made but no header written to it yet. */
  boolean isBlank() {
    return memory.getLong(MAGIC_AT) == 0 && memory.getLong(CHECKSUM_AT) == 0;
  }

  /** Reads the first offset of a segment that is otherwise damaged; -1 when it can't be told. */
  long peekFirstOffset(int day) {
    return isOf(day) ? firstOffset() : -1;
  }

  long firstOffset() {
    return memory.getLong(FIRST_OFFSET_AT);
  }

  /** Newest offset that ever touched the segment; -1 when it can't be told. */
  long lastOffset() {
    long last = memory.getLong(LAST_OFFSET_AT);
    return last == ~memory.getLong(COMPLEMENT_AT) ? last : -1;
  }

  void noteLastOffset(long offset) {
    memory.putLongOrdered(LAST_OFFSET_AT, offset);
    memory.putLongOrdered(COMPLEMENT_AT, ~offset);
  }

  void noteFiles(int files) {
    memory.putIntOrdered(FILES_AT, files);
  }

  /** Whether it says that no older generation of the day is needed. */
  boolean whole() {
    return memory.getInt(WHOLE_AT) == 1;
  }

  void markWhole() {
    memory.putIntOrdered(WHOLE_AT, 1);
  }

  boolean incomplete() {
    return (memory.getInt(FLAGS_AT) & FLAG_INCOMPLETE) != 0;
  }

  void markIncomplete() {
    memory.putInt(FLAGS_AT, memory.getInt(FLAGS_AT) | FLAG_INCOMPLETE);
    memory.putLong(CHECKSUM_AT, checksum());
  }
}
