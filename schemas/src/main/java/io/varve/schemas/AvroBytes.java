package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A bounded reader of Avro's binary primitives over borrowed bytes.
 *
 * <p>A fault is a state, not an exception: the first one is kept with the offset of the primitive
 * that it struck, the position stays there, and later reads give zeros. So a caller reads several
 * primitives and asks {@link #sound} once. It never reads at or beyond the end and allocates
 * nothing.
 */
final class AvroBytes {
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MAX_VARINT_LENGTH = 10;

  private byte[] bytes = new byte[0];
  private int at;
  private int end;
  private @Nullable Reason fault;

  /** Starts over at bytes {@code [offset, end)}. */
  void reset(byte[] bytes, int offset, int end) {
    this.bytes = bytes;
    this.at = offset;
    this.end = end;
    this.fault = null;
  }

  /** Position of the next primitive, or of the faulty one. */
  int at() {
    return at;
  }

  int remaining() {
    return end - at;
  }

  /** Tells whether all reads since the reset were within the bytes and well formed. */
  boolean sound() {
    return fault == null;
  }

  /**
   * The first fault: {@link Reason#TRUNCATED}, {@link Reason#MALFORMED} or one told to {@link
   * #fail}.
   */
  @Nullable Reason fault() {
    return fault;
  }

  /** Notes a fault that the caller found at an offset, unless there is one already. */
  void fail(Reason reason, int offset) {
    if (fault == null) {
      fault = reason;
      at = offset;
    }
  }

  /** Reads an int or long: a zigzag varint. */
  long readLong() {
    if (fault != null) {
      return 0;
    }
    int i = at;
    int limit = Math.min(end, i + MAX_VARINT_LENGTH);
    long zigzag = 0;
    int shift = 0;
    while (i < limit) {
      byte b = bytes[i++];
      zigzag |= (b & 0x7fL) << shift;
      if (b >= 0) {
        at = i;
        return (zigzag >>> 1) ^ -(zigzag & 1);
      }
      shift += 7;
    }
    fail(limit - at < MAX_VARINT_LENGTH ? Reason.TRUNCATED : Reason.MALFORMED, at);
    return 0;
  }

  /** Reads eight bytes as a double, bit for bit. */
  double readDouble() {
    if (fault != null) {
      return 0;
    }
    if (end - at < Double.BYTES) {
      fail(Reason.TRUNCATED, at);
      return 0;
    }
    double value = (double) DOUBLE.get(bytes, at);
    at += Double.BYTES;
    return value;
  }

  /**
   * Reads the length of a string or bytes and steps over its content.
   *
   * @return the length; the content ends at {@link #at}
   */
  int skipBytes() {
    int start = at;
    long length = readLong();
    if (length < 0) {
      fail(Reason.MALFORMED, start);
      return 0;
    }
    if (length > end - at) {
      fail(Reason.TRUNCATED, start);
      return 0;
    }
    at += (int) length;
    return (int) length;
  }

  /** Steps over bytes of a fixed size. */
  void skip(int size) {
    if (fault != null) {
      return;
    }
    if (end - at < size) {
      fail(Reason.TRUNCATED, at);
      return;
    }
    at += size;
  }
}
