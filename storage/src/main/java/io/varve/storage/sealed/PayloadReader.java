package io.varve.storage.sealed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.varve.storage.CorruptBlockException;
import org.agrona.concurrent.UnsafeBuffer;

/** A position in a payload that never passes its end. Every read throws when the payload ends. */
final class PayloadReader {
  private UnsafeBuffer buffer = new UnsafeBuffer(0L, 0);
  private int at;
  private int end;

  void wrap(UnsafeBuffer buffer, int offset, int length) {
    this.buffer = buffer;
    at = offset;
    end = offset + length;
  }

  UnsafeBuffer buffer() {
    return buffer;
  }

  /** Bytes not read yet. */
  int left() {
    return end - at;
  }

  /** Passes over bytes that are read later, and returns where they begin. */
  int skip(int bytes) {
    if (bytes > end - at) {
      throw new CorruptBlockException("sealed run ends early: missing=" + (bytes - (end - at)));
    }
    int start = at;
    at += bytes;
    return start;
  }

  int getByte() {
    return buffer.getByte(skip(1)) & 0xff;
  }

  /** Reads the width of packed numbers. */
  int getWidth() {
    int width = getByte();
    if (width > Long.SIZE) {
      throw new CorruptBlockException("sealed run has a width over 64 bits: width=" + width);
    }
    return width;
  }

  int getInt() {
    return buffer.getInt(skip(4), LITTLE_ENDIAN);
  }

  long getLong() {
    return buffer.getLong(skip(8), LITTLE_ENDIAN);
  }

  long getVarint() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      byte b = buffer.getByte(skip(1));
      value |= (b & 0x7fL) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new CorruptBlockException("sealed run has a number over ten bytes: offset=" + at);
  }

  long getZigzag() {
    long zigzag = getVarint();
    return (zigzag >>> 1) ^ -(zigzag & 1);
  }
}
