package io.varve.storage.sealed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.concurrent.UnsafeBuffer;

/** A reused buffer that a payload is written into, front to back. */
final class PayloadWriter {
  final UnsafeBuffer buffer;
  private int at;
  private long word;
  private int filled;

  PayloadWriter(int capacity) {
    buffer = new UnsafeBuffer(new byte[capacity]);
  }

  void clear() {
    at = 0;
  }

  /** Bytes written. */
  int size() {
    return at;
  }

  void putByte(int value) {
    buffer.putByte(at++, (byte) value);
  }

  void putShort(int value) {
    buffer.putShort(at, (short) value, LITTLE_ENDIAN);
    at += 2;
  }

  void putInt(int value) {
    buffer.putInt(at, value, LITTLE_ENDIAN);
    at += 4;
  }

  void putLong(long value) {
    buffer.putLong(at, value, LITTLE_ENDIAN);
    at += 8;
  }

  void putVarint(long value) {
    long left = value;
    while ((left & ~0x7fL) != 0) {
      putByte((int) left | 0x80);
      left >>>= 7;
    }
    putByte((int) left);
  }

  void putZigzag(long value) {
    putVarint(zigzag(value));
  }

  /**
   * Packs {@code values[i] - low} for i in {@code [from, to)} behind the bits packed before; {@link
   * #endBits} ends the array. Every difference fits {@code width}.
   */
  void packBits(long[] values, int from, int to, long low, int width) {
    if (width == 0) {
      return;
    }
    long bits = word;
    int used = filled;
    for (int i = from; i < to; i++) {
      long value = values[i] - low;
      bits |= value << used;
      used += width;
      if (used >= Long.SIZE) {
        putLong(bits);
        used -= Long.SIZE;
        // What did not fit: the upper `used` bits of the value. A shift by 64 would be one by 0.
        bits = used == 0 ? 0 : value >>> (width - used);
      }
    }
    word = bits;
    filled = used;
  }

  /** Pads the bits packed so far to a whole byte. */
  void endBits() {
    for (int left = filled; left > 0; left -= Byte.SIZE) {
      putByte((int) word);
      word >>>= Byte.SIZE;
    }
    word = 0;
    filled = 0;
  }

  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }

  /** Bytes that {@link #putVarint} takes. */
  static int varintBytes(long value) {
    return (BitPacking.width(value | 1) + 6) / 7;
  }

  /** Bytes that {@link #putZigzag} takes. */
  static int zigzagBytes(long value) {
    return varintBytes(zigzag(value));
  }
}
