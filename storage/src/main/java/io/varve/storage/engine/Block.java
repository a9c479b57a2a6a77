package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Flyweight over one block of plain rows. All numbers are little endian; {@code n} is the count.
 *
 * <pre>
 *   0   kind            1   0 free, 1 rows (2 and up: sealed forms to come)
 *   1   format          1   1
 *   2   value type      1   1 double
 *   3   reserved        1   0
 *   4   day             4   UTC day number, signed
 *   8   shard           4
 *   12  id length       4
 *   16  fence timestamp 8   no row of this block is older; rows of the next block are not older
 *   24  fence sequence  8   than that block's fence; (MIN, MIN) in a partition's first block
 *   32  header checksum 8   of bytes 1 to 31 and the id
 *   40  count           4   rows present, written last
 *   44  reserved        4   0
 *   48  id              id length, padded to a multiple of 4
 *   ..  rows            n × 28, oldest first: timestamp 8, sequence 8, value 8, checksum 4
 * </pre>
 *
 * <p>Oldest first in memory, so that the newest row is an append; readers walk either way. A row's
 * checksum is seeded by (id, day, shard): a row can't be taken for another partition's.
 */
final class Block {
  static final int KIND_FREE = 0;
  static final int KIND_ROWS = 1;
  static final int ROW_BYTES = 28;

  private static final int KIND_AT = 0;
  private static final int FORMAT_AT = KIND_AT + 1;
  private static final int VALUE_TYPE_AT = FORMAT_AT + 1;
  private static final int DAY_AT = VALUE_TYPE_AT + 2;
  private static final int SHARD_AT = DAY_AT + 4;
  private static final int ID_LENGTH_AT = SHARD_AT + 4;
  private static final int FENCE_TIMESTAMP_AT = ID_LENGTH_AT + 4;
  private static final int FENCE_SEQUENCE_AT = FENCE_TIMESTAMP_AT + 8;
  private static final int CHECKSUM_AT = FENCE_SEQUENCE_AT + 8;
  static final int COUNT_AT = CHECKSUM_AT + 8;
  private static final int ID_AT = COUNT_AT + 8;
  private static final int SEQUENCE_IN_ROW = 8;
  private static final int VALUE_IN_ROW = 16;
  private static final int CHECKSUM_IN_ROW = 24;
  private static final byte FORMAT = 1;
  private static final byte DOUBLE = 1;

  final UnsafeBuffer memory = new UnsafeBuffer(0L, 0);

  /** Points this flyweight at a block. */
  Block at(long address) {
    memory.wrap(address, BlockFile.BLOCK_BYTES);
    return this;
  }

  /** Offset of the first row in the blocks of an id of this length. */
  static int rowsAt(int idLength) {
    return ID_AT + (idLength + 3 & ~3);
  }

  /** Most rows that a block of an id of this length holds. */
  static int capacity(int idLength) {
    return (BlockFile.BLOCK_BYTES - rowsAt(idLength)) / ROW_BYTES;
  }

  /** Seed of the row checksums of one partition. */
  static long seed(byte[] id, int offset, int length, int day, int shard) {
    return Hashing.mix(Hashing.of(id, offset, length), ((long) day << 32) ^ shard);
  }

  int kind() {
    return memory.getByte(KIND_AT);
  }

  int day() {
    return memory.getInt(DAY_AT);
  }

  int shard() {
    return memory.getInt(SHARD_AT);
  }

  long fenceTimestamp() {
    return memory.getLong(FENCE_TIMESTAMP_AT);
  }

  long fenceSequence() {
    return memory.getLong(FENCE_SEQUENCE_AT);
  }

  int count() {
    return memory.getIntVolatile(COUNT_AT);
  }

  /** Publishes the count: rows below it are complete. */
  void publishCount(int count) {
    memory.putIntOrdered(COUNT_AT, count);
  }

  byte[] id() {
    byte[] id = new byte[memory.getInt(ID_LENGTH_AT)];
    memory.getBytes(ID_AT, id);
    return id;
  }

  /** Turns a free block into an empty block of a partition. Its rows are published afterwards. */
  void format(SensorId sensor, int day, int shard, long fenceTimestamp, long fenceSequence) {
    byte[] id = sensor.toBytes();
    memory.putByte(FORMAT_AT, FORMAT);
    memory.putByte(VALUE_TYPE_AT, DOUBLE);
    memory.putByte(VALUE_TYPE_AT + 1, (byte) 0);
    memory.putInt(DAY_AT, day);
    memory.putInt(SHARD_AT, shard);
    memory.putInt(ID_LENGTH_AT, id.length);
    memory.putLong(FENCE_TIMESTAMP_AT, fenceTimestamp);
    memory.putLong(FENCE_SEQUENCE_AT, fenceSequence);
    memory.putInt(COUNT_AT, 0);
    memory.putInt(COUNT_AT + 4, 0);
    memory.putBytes(ID_AT, id);
    int rowsAt = rowsAt(id.length);
    memory.setMemory(rowsAt, BlockFile.BLOCK_BYTES - rowsAt, (byte) 0);
    memory.putLong(CHECKSUM_AT, headerChecksum(id));
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
    h = Hashing.mix(h, memory.getInt(ID_LENGTH_AT));
    h = Hashing.mix(h, memory.getLong(FENCE_TIMESTAMP_AT));
    return Hashing.mix(h, memory.getLong(FENCE_SEQUENCE_AT));
  }

  /**
   * Checks kind, format, header checksum, day and count.
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
    int count = memory.getInt(COUNT_AT);
    if (day() != expectedDay || count < 0 || count > capacity(idLength)) {
      throw new CorruptBlockException("block header is out of place: day=" + day() + " n=" + count);
    }
  }

  /**
   * Checks that all rows match their checksums and stand in order, at or after the fence, and that
   * the count has not lost rows: a single whole row past it is an append whose count a killed
   * process did not get to write, and is taken in; two are damage.
   *
   * @throws CorruptBlockException naming the row
   */
  void verifyRows(int rowsAt, int capacity, long seed) {
    int n = memory.getInt(COUNT_AT);
    long previousTimestamp = fenceTimestamp();
    long previousSequence = fenceSequence();
    for (int i = 0; i < n; i++) {
      int at = rowsAt + i * ROW_BYTES;
      long timestamp = memory.getLong(at);
      long sequence = memory.getLong(at + SEQUENCE_IN_ROW);
      long value = memory.getLong(at + VALUE_IN_ROW);
      if (memory.getInt(at + CHECKSUM_IN_ROW) != Hashing.row(seed, timestamp, sequence, value)) {
        throw new CorruptBlockException("row fails its checksum: row=" + i);
      }
      int c = compare(timestamp, sequence, previousTimestamp, previousSequence);
      if (c < 0 || (c == 0 && i > 0)) {
        throw new CorruptBlockException("rows are out of order: row=" + i);
      }
      previousTimestamp = timestamp;
      previousSequence = sequence;
    }
    if (n < capacity && whole(rowsAt, n, seed)) {
      long timestamp = timestamp(rowsAt, n);
      long sequence = sequence(rowsAt, n);
      if (n + 1 < capacity && whole(rowsAt, n + 1, seed)
          || compare(timestamp, sequence, previousTimestamp, previousSequence) <= 0) {
        throw new CorruptBlockException("count is too low: n=" + n);
      }
      publishCount(n + 1);
    }
  }

  private boolean whole(int rowsAt, int row, long seed) {
    return checksum(rowsAt, row)
        == Hashing.row(seed, timestamp(rowsAt, row), sequence(rowsAt, row), valueBits(rowsAt, row));
  }

  /** Zeroes rows {@code [from, to)}: past the count, no row may look whole. */
  void clearRows(int rowsAt, int from, int to) {
    memory.setMemory(rowsAt + from * ROW_BYTES, (to - from) * ROW_BYTES, (byte) 0);
  }

  static int compare(long timestampA, long sequenceA, long timestampB, long sequenceB) {
    return timestampA != timestampB
        ? Long.compare(timestampA, timestampB)
        : Long.compare(sequenceA, sequenceB);
  }

  long timestamp(int rowsAt, int row) {
    return memory.getLong(rowsAt + row * ROW_BYTES);
  }

  long sequence(int rowsAt, int row) {
    return memory.getLong(rowsAt + row * ROW_BYTES + SEQUENCE_IN_ROW);
  }

  long valueBits(int rowsAt, int row) {
    return memory.getLong(rowsAt + row * ROW_BYTES + VALUE_IN_ROW);
  }

  int checksum(int rowsAt, int row) {
    return memory.getInt(rowsAt + row * ROW_BYTES + CHECKSUM_IN_ROW);
  }

  /** Writes a row's bytes; it is not there until the count says so. */
  void putRow(int rowsAt, int row, long seed, long timestamp, long sequence, long valueBits) {
    int at = rowsAt + row * ROW_BYTES;
    memory.putLong(at, timestamp);
    memory.putLong(at + SEQUENCE_IN_ROW, sequence);
    memory.putLong(at + VALUE_IN_ROW, valueBits);
    memory.putInt(at + CHECKSUM_IN_ROW, Hashing.row(seed, timestamp, sequence, valueBits));
  }

  /** Moves rows {@code [row, n)} up by one place. */
  void shiftUp(int rowsAt, int row, int n) {
    int at = rowsAt + row * ROW_BYTES;
    memory.putBytes(at + ROW_BYTES, memory, at, (n - row) * ROW_BYTES);
  }

  /**
   * Finds the first of n rows whose key is not before (timestamp, sequence); n when all are. Reads
   * keys only.
   */
  int lowerBound(int rowsAt, int n, long timestamp, long sequence) {
    int low = 0;
    int high = n;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(timestamp(rowsAt, middle), sequence(rowsAt, middle), timestamp, sequence) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
