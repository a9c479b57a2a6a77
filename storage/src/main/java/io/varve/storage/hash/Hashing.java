package io.varve.storage.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * 64-bit hashes for look-ups and checksums, by folded multiplication (the construction of Wang Yi's
 * wyhash): fast, well mixed, not cryptographic. Part of the stored format: never change.
 */
public final class Hashing {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long S0 = 0xa0761d6478bd642fL;
  private static final long S1 = 0xe7037ed1a0b428dbL;
  private static final long S2 = 0x8ebc6af09c88c6e3L;
  private static final long S3 = 0x589965cc75374cc3L;

  private Hashing() {}

  private static long fold(long a, long b) {
    return Math.multiplyHigh(a, b) ^ (a * b);
  }

  /** Hashes bytes. */
  public static long of(byte[] bytes, int offset, int length) {
    long h = S0 ^ length;
    int at = offset;
    int end = offset + length;
    while (end - at >= 8) {
      h = fold(h ^ (long) LONG.get(bytes, at), S1);
      at += 8;
    }
    long rest = 0;
    for (int shift = 0; at < end; at++, shift += 8) {
      rest |= (bytes[at] & 0xffL) << shift;
    }
    h = fold(h ^ rest, S2);
    return fold(h ^ S3, h + S1);
  }

  /** Combines a hash with a number. */
  public static long mix(long hash, long number) {
    return fold(hash ^ S2, number + S3) ^ Long.rotateLeft(hash, 29);
  }

  /** Checksum of a row under its partition's seed. */
  public static int row(long seed, long timestampMicros, long sequence, long valueBits) {
    long h = fold(timestampMicros ^ S0 ^ seed, sequence ^ S1) ^ fold(valueBits ^ S2, seed ^ S3);
    h ^= h >>> 29;
    h *= S0;
    return (int) (h ^ (h >>> 32));
  }
}
