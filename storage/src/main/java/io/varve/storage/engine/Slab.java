package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import io.varve.storage.sealed.RunDecoder;
import io.varve.storage.sealed.RunEncoder;
import java.lang.invoke.VarHandle;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Flyweight over a slab: a block of the file that holds sealed blocks, of whatever partitions of
 * the day, one after another. All numbers are little endian.
 *
 * <pre>
 *   0   kind            1   2
 *   1   format          1   1
 *   2   reserved        2   0
 *   4   day             4   UTC day number, signed
 *   8   used            2   bytes from the start to the end of the last sealed block \ one word,
 *   10  reserved        2   0                                                        } written
 *   12  their check     4                                                            / last
 *   16  sealed blocks   each at a multiple of 4, the last 8 bytes of the slab unused
 *
 *   sealed block
 *   0   length          2   of all of it, a multiple of 4
 *   2   state           1   A5 live, 5A dead: its rows stand elsewhere by now
 *   3   shard           1
 *   4   id length       2
 *   6   padding         2   bytes past the payload, 0 to 3
 *   8   checksum        4   CRC-32C of the partition's seed (8 bytes), then of everything but state
 *                           and checksum
 *   12  id              id length
 *   ..  payload         a sealed run, see {@link RunEncoder}
 * </pre>
 *
 * <p>Sealed blocks never change but for their state.
 */
final class Slab {
  private static final int FORMAT_AT = Block.KIND_AT + 1;
  private static final int DAY_AT = FORMAT_AT + 3;
  private static final int WORD_AT = DAY_AT + 4;
  static final int SEALED_AT = WORD_AT + 8;

  /** End of what sealed blocks may use. */
  static final int END = BlockFile.BLOCK_BYTES - RunDecoder.SLACK_BYTES;

  private static final int LENGTH_IN_SEALED = 0;
  private static final int STATE_IN_SEALED = LENGTH_IN_SEALED + 2;
  private static final int SHARD_IN_SEALED = STATE_IN_SEALED + 1;
  private static final int ID_LENGTH_IN_SEALED = SHARD_IN_SEALED + 1;
  private static final int PADDING_IN_SEALED = ID_LENGTH_IN_SEALED + 2;
  private static final int CHECKSUM_IN_SEALED = PADDING_IN_SEALED + 2;
  static final int ID_IN_SEALED = CHECKSUM_IN_SEALED + 4;

  private static final byte FORMAT = 1;
  private static final byte LIVE = (byte) 0xa5;
  private static final byte DEAD = 0x5a;

  private final UnsafeBuffer memory = new UnsafeBuffer(0L, 0);

  /** Made when first used: most slabs are only copied from. */
  private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[0]);

  /** Points this flyweight at a slab. */
  Slab at(long address) {
    memory.wrap(address, BlockFile.BLOCK_BYTES);
    return this;
  }

  /** Turns a free block into an empty slab. */
  void format(int day) {
    memory.putByte(FORMAT_AT, FORMAT);
    memory.putShort(FORMAT_AT + 1, (short) 0);
    memory.putInt(DAY_AT, day);
    publish(SEALED_AT);
    VarHandle.releaseFence();
    memory.putByteVolatile(Block.KIND_AT, (byte) Block.KIND_SLAB);
  }

  /** Offset past the last sealed block. */
  int used() {
    return (int) memory.getLongVolatile(WORD_AT) & 0xffff;
  }

  private void publish(int used) {
    memory.putLongOrdered(WORD_AT, (long) check(used) << 32 | used);
  }

  private int check(int used) {
    return (int) (Hashing.mix(memory.getInt(DAY_AT), used) >>> 32);
  }

  /**
   * Checks format, day and used bytes; not the sealed blocks.
   *
   * @throws CorruptBlockException naming what is wrong
   */
  void verifyHeader(int expectedDay) {
    long word = memory.getLong(WORD_AT);
    int used = (int) word & 0xffff;
    if (memory.getByte(FORMAT_AT) != FORMAT
        || memory.getInt(DAY_AT) != expectedDay
        || (int) (word >>> 32) != check(used)
        || (word >>> 16 & 0xffff) != 0
        || used < SEALED_AT
        || used > END) {
      throw new CorruptBlockException("slab header fails its check");
    }
  }

  /**
   * Seals rows {@code [from, to)} of a run into this slab, live at once.
   *
   * @return offset of the sealed block, or -1 if it has no room for them
   */
  int seal(
      RunEncoder encoder, SensorId sensor, int shard, long seed, RowRun run, int from, int to) {
    int at = used();
    byte[] id = sensor.utf8();
    int payloadAt = at + ID_IN_SEALED + id.length;
    int payload =
        payloadAt >= END ? -1 : encoder.encode(run, from, to, memory, payloadAt, END - payloadAt);
    int length = ID_IN_SEALED + id.length + payload;
    int padded = length + 3 & ~3;
    if (payload < 0 || at + padded > END) {
      return -1;
    }
    memory.putShort(at + LENGTH_IN_SEALED, (short) padded);
    memory.putByte(at + STATE_IN_SEALED, LIVE);
    memory.putByte(at + SHARD_IN_SEALED, (byte) shard);
    memory.putShort(at + ID_LENGTH_IN_SEALED, (short) id.length);
    memory.putShort(at + PADDING_IN_SEALED, (short) (padded - length));
    memory.putBytes(at + ID_IN_SEALED, id);
    memory.setMemory(at + length, padded - length, (byte) 0);
    copy(at, scratch());
    memory.putInt(at + CHECKSUM_IN_SEALED, checksum(scratch, padded, seed));
    publish(at + padded);
    return at;
  }

  /** Says that a sealed block's rows stand elsewhere. */
  void kill(int at) {
    VarHandle.releaseFence();
    memory.putByteVolatile(at + STATE_IN_SEALED, DEAD);
  }

  boolean isLive(int at) {
    return memory.getByte(at + STATE_IN_SEALED) == LIVE;
  }

  /** Whole length of the sealed block at an offset, as it says; at most what is left. */
  int length(int at) {
    return Math.min(memory.getShort(at + LENGTH_IN_SEALED) & 0xffff, END - at);
  }

  int shard(int at) {
    return memory.getByte(at + SHARD_IN_SEALED);
  }

  byte[] id(int at) {
    byte[] id = new byte[memory.getShort(at + ID_LENGTH_IN_SEALED) & 0xffff];
    memory.getBytes(at + ID_IN_SEALED, id);
    return id;
  }

  /**
   * Checks that a sealed block stays within the used bytes and names a sensor, a shard and a state.
   *
   * @throws CorruptBlockException naming what is wrong
   */
  void verifyShape(int at) {
    int length = memory.getShort(at + LENGTH_IN_SEALED) & 0xffff;
    int idLength = memory.getShort(at + ID_LENGTH_IN_SEALED) & 0xffff;
    byte state = memory.getByte(at + STATE_IN_SEALED);
    if (length < ID_IN_SEALED
        || (length & 3) != 0
        || length > used() - at
        || idLength < 1
        || idLength > SensorId.MAX_BYTES
        || idLength + ID_IN_SEALED > length
        || shard(at) < 0
        || state != LIVE && state != DEAD) {
      throw new CorruptBlockException("sealed block header makes no sense: offset=" + at);
    }
  }

  private UnsafeBuffer scratch() {
    if (scratch.capacity() == 0) {
      scratch.wrap(new byte[BlockFile.BLOCK_BYTES + RunDecoder.SLACK_BYTES]);
    }
    return scratch;
  }

  /** Copies a sealed block's bytes to the start of a buffer; returns how many. */
  int copy(int at, UnsafeBuffer target) {
    int length = length(at);
    memory.getBytes(at, target, 0, length);
    return length;
  }

  /**
   * Points a decoder at a copy of a sealed block's payload, which lasts until the next call.
   *
   * @throws CorruptBlockException if it fails its checksum
   */
  RunDecoder decode(int at, long seed, RunDecoder decoder) {
    int length = copy(at, scratch());
    return decode(scratch, length, seed, decoder);
  }

  /**
   * Points a decoder at the payload of a sealed block that was copied to a buffer's start.
   *
   * @param bytes over an array, with slack
   * @throws CorruptBlockException if it fails its checksum
   */
  static RunDecoder decode(UnsafeBuffer bytes, int length, long seed, RunDecoder decoder) {
    int skipped = ID_IN_SEALED + (bytes.getShort(ID_LENGTH_IN_SEALED) & 0xffff);
    int padding = bytes.getShort(PADDING_IN_SEALED) & 0xffff;
    if (length < ID_IN_SEALED
        || skipped + padding > length
        || checksum(bytes, length, seed) != bytes.getInt(CHECKSUM_IN_SEALED)) {
      throw new CorruptBlockException("sealed block fails its checksum");
    }
    return decoder.wrap(bytes, skipped, length - skipped - padding);
  }

  /**
   * Checksum of a sealed block at a buffer's start; what stands in the checksum's place counts not.
   */
  private static int checksum(UnsafeBuffer bytes, int length, long seed) {
    byte[] array = bytes.byteArray();
    CRC32C crc = new CRC32C();
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      crc.update((int) (seed >>> shift) & 0xff);
    }
    crc.update(array, LENGTH_IN_SEALED, 2);
    crc.update(array, SHARD_IN_SEALED, CHECKSUM_IN_SEALED - SHARD_IN_SEALED);
    crc.update(array, ID_IN_SEALED, length - ID_IN_SEALED);
    return (int) crc.getValue();
  }
}
