package io.varve.storage.sealed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Numbers of one width side by side: number i takes bits {@code [i × width, (i + 1) × width)} of
 * the bytes, bit b being bit {@code b & 7} of byte {@code b >>> 3}. Reads touch up to 8 bytes past
 * the last number.
 */
final class BitPacking {
  /** Widest number that one 8-byte read holds wherever it begins within a byte. */
  private static final int ONE_READ = 57;

  private static final int TWO_A_READ = ONE_READ / 2;
  private static final int FOUR_A_READ = ONE_READ / 4;

  private BitPacking() {}

  /** Bits that an unsigned number needs: 0 to 64. */
  static int width(long unsigned) {
    return Long.SIZE - Long.numberOfLeadingZeros(unsigned);
  }

  /** The lowest {@code width} bits. */
  static long mask(int width) {
    return width == 0 ? 0 : -1L >>> (Long.SIZE - width);
  }

  /** Whole bytes that hold so many bits. */
  static int bytes(int bits) {
    return bits + 7 >>> 3;
  }

  /** Reads one number that begins {@code bit} bits after byte {@code at}. */
  static long get(UnsafeBuffer buffer, int at, int bit, int width) {
    int index = at + (bit >>> 3);
    int shift = bit & 7;
    long word = buffer.getLong(index, LITTLE_ENDIAN) >>> shift;
    if (shift + width > Long.SIZE) {
      word |= (long) buffer.getByte(index + 8) << (Long.SIZE - shift);
    }
    return word & mask(width);
  }

  /** Reads {@code count} numbers that begin {@code bit} bits after byte {@code at}. */
  static void unpack(
      UnsafeBuffer buffer, int at, int bit, int width, int count, long[] out, int outAt) {
    if (width == 0) {
      Arrays.fill(out, outAt, outAt + count, 0);
    } else if (width <= FOUR_A_READ) {
      unpackFours(buffer, at, bit, width, count, out, outAt);
    } else if (width <= TWO_A_READ) {
      unpackTwos(buffer, at, bit, width, count, out, outAt);
    } else if (width <= ONE_READ) {
      unpackOnes(buffer, at, bit, width, count, out, outAt);
    } else {
      for (int i = 0; i < count; i++) {
        out[outAt + i] = get(buffer, at, bit + i * width, width);
      }
    }
  }

  private static void unpackFours(
      UnsafeBuffer buffer, int at, int bit, int width, int count, long[] out, int outAt) {
    long mask = mask(width);
    int next = bit;
    int i = outAt;
    int fours = outAt + (count & ~3);
    while (i < fours) {
      long word = buffer.getLong(at + (next >>> 3), LITTLE_ENDIAN) >>> (next & 7);
      out[i] = word & mask;
      word >>>= width;
      out[i + 1] = word & mask;
      word >>>= width;
      out[i + 2] = word & mask;
      out[i + 3] = word >>> width & mask;
      next += width << 2;
      i += 4;
    }
    unpackOnes(buffer, at, next, width, count & 3, out, i);
  }

  private static void unpackTwos(
      UnsafeBuffer buffer, int at, int bit, int width, int count, long[] out, int outAt) {
    long mask = mask(width);
    int next = bit;
    int i = outAt;
    int twos = outAt + (count & ~1);
    while (i < twos) {
      long word = buffer.getLong(at + (next >>> 3), LITTLE_ENDIAN) >>> (next & 7);
      out[i] = word & mask;
      out[i + 1] = word >>> width & mask;
      next += width << 1;
      i += 2;
    }
    unpackOnes(buffer, at, next, width, count & 1, out, i);
  }

  private static void unpackOnes(
      UnsafeBuffer buffer, int at, int bit, int width, int count, long[] out, int outAt) {
    long mask = mask(width);
    int next = bit;
    for (int i = outAt; i < outAt + count; i++) {
      out[i] = buffer.getLong(at + (next >>> 3), LITTLE_ENDIAN) >>> (next & 7) & mask;
      next += width;
    }
  }
}
