package io.varve.storage.rows;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Codec of a record value of the {@code rows} topic: a version byte, then rows one after another.
 *
 * <pre>
 *   record  := version=0x01 row*
 *   row     := valueType(1) idLength(varint) id(idLength) shard(varint)
 *              timestamp(8, little endian) sequence(zigzag varint) value(8, little endian)
 *   valueType 0x01: value is the bits of an IEEE double
 * </pre>
 *
 * <p>Records concatenate: dropping the version byte of the second and appending it to the first
 * gives the record that holds the rows of both, in order. That is what lets a producer pack rows
 * that it never decodes. Varints are unsigned LEB128, as in Avro and Protocol Buffers.
 */
public final class RowPack {
  /** First byte of every record. */
  public static final byte VERSION = 1;

  /** Value type of an IEEE double. */
  public static final byte DOUBLE = 1;

  /** Most bytes that one row can take: 1 + 2 + 256 + 5 + 8 + 10 + 8. */
  public static final int MAX_ROW_BYTES = 290;

  /** Bytes of a row beside its id, when its id, shard and sequence are short: 4 + 8 + 8. */
  public static final int USUAL_BYTES_BESIDE_ID = 20;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private RowPack() {}

  /** Receives the rows of a record, in order; the id bytes are borrowed for the call. */
  public interface Sink {
    void row(
        byte[] bytes,
        int idOffset,
        int idLength,
        int shard,
        long timestampMicros,
        long sequence,
        long valueBits);
  }

  /** A reusable buffer that rows are packed into. Single-threaded. */
  public static final class Writer {
    private byte[] buffer = new byte[512];
    private int length;
    private int rows;

    public Writer() {
      clear();
    }

    /** Forgets all rows. */
    public void clear() {
      buffer[0] = VERSION;
      length = 1;
      rows = 0;
    }

    /** Appends one row; the id is copied. */
    public void add(
        byte[] id,
        int idOffset,
        int idLength,
        int shard,
        long timestampMicros,
        long sequence,
        long valueBits) {
      if (buffer.length - length < MAX_ROW_BYTES) {
        buffer = Arrays.copyOf(buffer, buffer.length * 2);
      }
      buffer[length++] = DOUBLE;
      length = putVarint(idLength);
      System.arraycopy(id, idOffset, buffer, length, idLength);
      length += idLength;
      length = putVarint(shard);
      LONG.set(buffer, length, timestampMicros);
      length += 8;
      length = putVarint((sequence << 1) ^ (sequence >> 63));
      LONG.set(buffer, length, valueBits);
      length += 8;
      rows++;
    }

    private int putVarint(long value) {
      int at = length;
      while ((value & ~0x7fL) != 0) {
        buffer[at++] = (byte) (value | 0x80);
        value >>>= 7;
      }
      buffer[at++] = (byte) value;
      return at;
    }

    /** Number of rows added since the last clear. */
    public int rows() {
      return rows;
    }

    /** Bytes of the record so far. */
    public int size() {
      return length;
    }

    /** Copies the record. */
    public byte[] toBytes() {
      return Arrays.copyOf(buffer, length);
    }
  }

  /**
   * Hands the rows of a record to a sink, in order, until the end or the first malformed byte.
   *
   * @return -1 if the whole record was read, else the offset of the first byte that makes no sense;
   *     rows before it have been handed over
   */
  public static int read(byte[] record, Sink sink) {
    int length = record.length;
    if (length == 0 || record[0] != VERSION) {
      return 0;
    }
    int at = 1;
    while (at < length) {
      int start = at;
      if (record[at++] != DOUBLE) {
        return start;
      }
      int idLength = 0;
      int shift = 0;
      byte b = (byte) 0x80;
      while (b < 0) {
        if (at == length || shift > 14) {
          return start;
        }
        b = record[at++];
        idLength |= (b & 0x7f) << shift;
        shift += 7;
      }
      int id = at;
      if (idLength < 1 || idLength > 256 || length - at < idLength) {
        return start;
      }
      at += idLength;
      int shard = 0;
      shift = 0;
      b = (byte) 0x80;
      while (b < 0) {
        if (at == length || shift > 14) {
          return start;
        }
        b = record[at++];
        shard |= (b & 0x7f) << shift;
        shift += 7;
      }
      if (length - at < 8) {
        return start;
      }
      final long timestamp = (long) LONG.get(record, at);
      at += 8;
      long zigzag = 0;
      shift = 0;
      b = (byte) 0x80;
      while (b < 0) {
        if (at == length || shift > 63) {
          return start;
        }
        b = record[at++];
        zigzag |= (b & 0x7fL) << shift;
        shift += 7;
      }
      if (length - at < 8) {
        return start;
      }
      long value = (long) LONG.get(record, at);
      at += 8;
      sink.row(record, id, idLength, shard, timestamp, (zigzag >>> 1) ^ -(zigzag & 1), value);
    }
    return -1;
  }
}
