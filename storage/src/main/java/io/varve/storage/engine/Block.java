package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Flyweight over one block of plain rows. All numbers are little endian; {@code n} is the count.
 *
 * <pre>
 *   0   kind            1   0 free, 1 plain rows, 2 slab (see {@link Slab})
 *   1   format          1   2
 *   2   value type      1   1 double
 *   3   reserved        1   0
 *   4   day             4   UTC day number, signed
 *   8   shard           4
 *   12  id length       4
 *   16  header checksum 8   of bytes 1 to 15 and the id
 *   24  count           2   rows present \
 *   26  first           2   place of row 0 } written as one word, last
 *   28  their check     4                /
 *   32  id              id length, padded to a multiple of 4
 *   ..  places          c × 28: timestamp 8, sequence 8, value 8, checksum 4
 * </pre>
 *
 * <p>The places are a ring of {@code c = ⌊(4096 − 32 − padded id length) ÷ 28⌋}: row i, oldest
 * first, stands in place (first + i) mod c. So the newest row is an append, and sealing the oldest
 * rows moves none of those that stay; what stands in the other places means nothing.
 */
final class Block {
  static final int KIND_FREE = 0;
  static final int KIND_ROWS = 1;
  static final int KIND_SLAB = 2;
  static final int ROW_BYTES = 28;

  static final int KIND_AT = 0;
  private static final int FORMAT_AT = KIND_AT + 1;
  private static final int VALUE_TYPE_AT = FORMAT_AT + 1;
  private static final int DAY_AT = VALUE_TYPE_AT + 2;
  private static final int SHARD_AT = DAY_AT + 4;
  private static final int ID_LENGTH_AT = SHARD_AT + 4;
  private static final int CHECKSUM_AT = ID_LENGTH_AT + 4;
  private static final int WORD_AT = CHECKSUM_AT + 8;
  static final int ID_AT = WORD_AT + 8;
  static final int SEQUENCE_IN_ROW = 8;
  static final int VALUE_IN_ROW = 16;
  static final int CHECKSUM_IN_ROW = 24;
  private static final byte FORMAT = 2;
  private static final byte DOUBLE = 1;

  private final UnsafeBuffer memory = new UnsafeBuffer(0L, 0);
  private int rowsAt;
  private int capacity;
  private long seed;
  private int count;
  private int first;

  /** Points this flyweight at a block of which only the header is to be looked at. */
  Block at(long address) {
    memory.wrap(address, BlockFile.BLOCK_BYTES);
    count = 0;
    first = 0;
    return this;
  }

  /** Points this flyweight at the rows of a block as they are now. */
  Block at(long address, RowLayout layout) {
    memory.wrap(address, BlockFile.BLOCK_BYTES);
    rowsAt = layout.rowsAt();
    capacity = layout.capacity();
    seed = layout.seed();
    long word = memory.getLongVolatile(WORD_AT);
    // Within bounds also when the block has become another one's under a reader.
    count = Math.min((int) word & 0xffff, capacity);
    first = Math.min((int) word >>> 16, capacity - 1);
    return this;
  }

  /** Points this flyweight at the rows of a block of which all is known. */
  Block at(
      long address,
      int knownRowsAt,
      int knownCapacity,
      long knownSeed,
      int knownCount,
      int knownFirst) {
    memory.wrap(address, BlockFile.BLOCK_BYTES);
    rowsAt = knownRowsAt;
    capacity = knownCapacity;
    seed = knownSeed;
    count = knownCount;
    first = knownFirst;
    return this;
  }

  // ---- header

  int kind() {
    return memory.getByte(KIND_AT);
  }

  int day() {
    return memory.getInt(DAY_AT);
  }

  int shard() {
    return memory.getInt(SHARD_AT);
  }

  byte[] id() {
    byte[] id = new byte[memory.getInt(ID_LENGTH_AT)];
    memory.getBytes(ID_AT, id);
    return id;
  }

  /** Turns a free block into an empty block of a partition. Its rows are published afterwards. */
  Block format(long address, SensorId sensor, int day, int shard, RowLayout layout) {
    at(address, layout.rowsAt(), layout.capacity(), layout.seed(), 0, 0);
    byte[] id = sensor.utf8();
    memory.putByte(FORMAT_AT, FORMAT);
    memory.putByte(VALUE_TYPE_AT, DOUBLE);
    memory.putByte(VALUE_TYPE_AT + 1, (byte) 0);
    memory.putInt(DAY_AT, day);
    memory.putInt(SHARD_AT, shard);
    memory.putInt(ID_LENGTH_AT, id.length);
    memory.putBytes(ID_AT, id);
    memory.putLong(CHECKSUM_AT, headerChecksum(id));
    publish(0, 0);
    return this;
  }

  /** Makes a formatted block part of the store: the last write of its birth. */
  void activate() {
    VarHandle.releaseFence();
    memory.putByteVolatile(KIND_AT, (byte) KIND_ROWS);
  }

  /** Gives a block back: the first write of its death. */
  void free() {
    memory.putByteVolatile(KIND_AT, (byte) KIND_FREE);
    VarHandle.releaseFence();
  }

  private long headerChecksum(byte[] id) {
    long h = Hashing.of(id, 0, id.length);
    h = Hashing.mix(h, memory.getInt(FORMAT_AT - 1) >>> 8);
    h = Hashing.mix(h, memory.getLong(DAY_AT));
    return Hashing.mix(h, memory.getInt(ID_LENGTH_AT));
  }

  /**
   * Checks kind, format, header checksum and day.
   *
   * @throws CorruptBlockException naming what is wrong
   */
  void verifyHeader(int expectedDay) {
    int idLength = memory.getInt(ID_LENGTH_AT);
    if (kind() != KIND_ROWS
        || memory.getByte(FORMAT_AT) != FORMAT
        || memory.getByte(VALUE_TYPE_AT) != DOUBLE
        || idLength < 1
        || idLength > SensorId.MAX_BYTES
        || headerChecksum(id()) != memory.getLong(CHECKSUM_AT)) {
      throw new CorruptBlockException("block header fails its checksum");
    }
    if (day() != expectedDay) {
      throw new CorruptBlockException("block header is out of place: day=" + day());
    }
  }

  // ---- rows

  /** Rows present when this flyweight was pointed here, or published since. */
  int count() {
    return count;
  }

  /** Place of row 0. */
  int first() {
    return first;
  }

  /** Count and first place as they stand in the block, for {@link #restore}. */
  long word() {
    return memory.getLong(WORD_AT);
  }

  /** Publishes what rows there are: all that stand in these places are complete. */
  void publish(int newCount, int newFirst) {
    count = newCount;
    first = newFirst;
    int low = newFirst << 16 | newCount;
    memory.putLongOrdered(WORD_AT, (long) check(low) << 32 | low & 0xffffffffL);
  }

  /** Publishes an earlier {@link #word}. */
  void restore(long word) {
    memory.putLongOrdered(WORD_AT, word);
  }

  private int check(int low) {
    return (int) (Hashing.mix(seed, low) >>> 32);
  }

  private int offset(int row) {
    int place = first + row;
    return rowsAt + (place < capacity ? place : place - capacity) * ROW_BYTES;
  }

  long timestamp(int row) {
    return memory.getLong(offset(row));
  }

  long sequence(int row) {
    return memory.getLong(offset(row) + SEQUENCE_IN_ROW);
  }

  long valueBits(int row) {
    return memory.getLong(offset(row) + VALUE_IN_ROW);
  }

  /** Writes a row's bytes; it is not there until {@link #publish} says so. */
  void putRow(int row, long timestamp, long sequence, long valueBits) {
    int at = offset(row);
    memory.putLong(at, timestamp);
    memory.putLong(at + SEQUENCE_IN_ROW, sequence);
    memory.putLong(at + VALUE_IN_ROW, valueBits);
    memory.putInt(at + CHECKSUM_IN_ROW, Hashing.row(seed, timestamp, sequence, valueBits));
  }

  /** Reads the count and the place of one more row; what is returned means nothing. */
  long touch() {
    return memory.getLong(WORD_AT) + memory.getLong(offset(count == capacity ? 0 : count));
  }

  /** Moves rows {@code [row, count)} up by one place. */
  void shiftUp(int row) {
    int place = first + row;
    int end = first + count;
    if (place >= capacity) {
      moveUp(place - capacity, end - capacity);
    } else if (end < capacity) {
      moveUp(place, end);
    } else {
      moveUp(0, end - capacity);
      int last = rowsAt + (capacity - 1) * ROW_BYTES;
      memory.putBytes(rowsAt, memory, last, ROW_BYTES);
      moveUp(place, capacity - 1);
    }
  }

  /** Moves what stands in places {@code [from, to)} up by one place. */
  private void moveUp(int from, int to) {
    int at = rowsAt + from * ROW_BYTES;
    memory.putBytes(at + ROW_BYTES, memory, at, (to - from) * ROW_BYTES);
  }

  /** Copies rows {@code [from, to)}, one after another, to {@code to[0..)}. */
  void copyRows(int from, int to, UnsafeBuffer target, int targetOffset) {
    int straight = Math.min(to, Math.max(from, capacity - first));
    if (from < straight) {
      target.putBytes(targetOffset, memory, offset(from), (straight - from) * ROW_BYTES);
    }
    if (straight < to) {
      target.putBytes(
          targetOffset + (straight - from) * ROW_BYTES,
          memory,
          offset(straight),
          (to - straight) * ROW_BYTES);
    }
  }

  /** Fills the first places with rows {@code [from, to)} of another block. */
  void copyFrom(Block other, int from, int to) {
    for (int row = from; row < to; row++) {
      memory.putBytes(offset(row - from), other.memory, other.offset(row), ROW_BYTES);
    }
  }

  /** Overwrites rows from {@code from} on with rows that {@link #copyRows} copied. */
  void putRows(int from, int rows, UnsafeBuffer source, int sourceOffset) {
    for (int i = 0; i < rows; i++) {
      memory.putBytes(offset(from + i), source, sourceOffset + i * ROW_BYTES, ROW_BYTES);
    }
  }

  /**
   * Appends rows {@code [from, to)} to a run, each checked: what is sealed must be what was stored.
   *
   * @throws CorruptBlockException naming the row
   */
  void addRows(int from, int to, RowRun run) {
    for (int row = from; row < to; row++) {
      long timestamp = timestamp(row);
      long sequence = sequence(row);
      long value = valueBits(row);
      if (checksum(row) != Hashing.row(seed, timestamp, sequence, value)) {
        throw new CorruptBlockException("row fails its checksum: row=" + row);
      }
      run.add(timestamp, sequence, value);
    }
  }

  private int checksum(int row) {
    return memory.getInt(offset(row) + CHECKSUM_IN_ROW);
  }

  /**
   * Checks count and first place, and that all rows match their checksums and stand in order.
   *
   * @throws CorruptBlockException naming the row
   */
  void verifyRows() {
    long word = word();
    if ((int) (word >>> 32) != check((int) word)
        || ((int) word & 0xffff) != count
        || (int) word >>> 16 != first) {
      throw new CorruptBlockException("count fails its check: n=" + count + " first=" + first);
    }
    for (int row = 0; row < count; row++) {
      long timestamp = timestamp(row);
      long sequence = sequence(row);
      if (checksum(row) != Hashing.row(seed, timestamp, sequence, valueBits(row))) {
        throw new CorruptBlockException("row fails its checksum: row=" + row);
      }
      if (row > 0 && compare(timestamp, sequence, timestamp(row - 1), sequence(row - 1)) <= 0) {
        throw new CorruptBlockException("rows are out of order: row=" + row);
      }
    }
  }

  static int compare(long timestampA, long sequenceA, long timestampB, long sequenceB) {
    return timestampA != timestampB
        ? Long.compare(timestampA, timestampB)
        : Long.compare(sequenceA, sequenceB);
  }

  /** Compares the key of a row with another key. */
  int compareRow(int row, long timestamp, long sequence) {
    int at = offset(row);
    return compare(memory.getLong(at), memory.getLong(at + SEQUENCE_IN_ROW), timestamp, sequence);
  }

  /**
   * Finds the first of n rows whose key is not before (timestamp, sequence); n when all are. Reads
   * keys only.
   */
  int lowerBound(int n, long timestamp, long sequence) {
    int low = 0;
    int high = n;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compareRow(middle, timestamp, sequence) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
