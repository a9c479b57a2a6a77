package io.varve.storage.placement;

/**
 * The 64-bit hash of a partition key, as Cassandra's Murmur3Partitioner computes it for {@code
 * PRIMARY KEY ((sensor_id text, day date, shard int))}.
 *
 * <p>The composite is, for each component, a 2-byte big-endian length, the bytes, and a zero byte;
 * a day is encoded as CQL's date (unsigned 32-bit, 2³¹ is 1970-01-01). The hash is MurmurHash3
 * x64/128 by Austin Appleby, first half, with Cassandra's two departures: tail bytes are sign
 * extended, and Long.MIN_VALUE becomes Long.MAX_VALUE.
 */
public final class Token {
  private static final long C1 = 0x87c37b91114253d5L;
  private static final long C2 = 0x4cf5ad432745937fL;

  private Token() {}

  /** Bytes that the composite of an id of this length takes. */
  static int compositeLength(int idLength) {
    return 2 + idLength + 1 + 2 + 4 + 1 + 2 + 4 + 1;
  }

  /**
   * Computes the token of (sensor id, day, shard).
   *
   * @param id buffer with the sensor id's UTF-8 bytes
   * @param scratch at least 273 bytes, overwritten
   */
  public static long of(byte[] id, int idOffset, int idLength, int day, int shard, byte[] scratch) {
    scratch[0] = (byte) (idLength >>> 8);
    scratch[1] = (byte) idLength;
    System.arraycopy(id, idOffset, scratch, 2, idLength);
    int at = 2 + idLength;
    scratch[at++] = 0;
    at = putInt(scratch, at, day ^ 0x80000000);
    at = putInt(scratch, at, shard);
    long hash = murmur3(scratch, at);
    return hash == Long.MIN_VALUE ? Long.MAX_VALUE : hash;
  }

  private static int putInt(byte[] b, int at, int v) {
    b[at] = 0;
    b[at + 1] = 4;
    b[at + 2] = (byte) (v >>> 24);
    b[at + 3] = (byte) (v >>> 16);
    b[at + 4] = (byte) (v >>> 8);
    b[at + 5] = (byte) v;
    b[at + 6] = 0;
    return at + 7;
  }

  private static long word(byte[] b, int at) {
    return (b[at] & 0xffL)
        | (b[at + 1] & 0xffL) << 8
        | (b[at + 2] & 0xffL) << 16
        | (b[at + 3] & 0xffL) << 24
        | (b[at + 4] & 0xffL) << 32
        | (b[at + 5] & 0xffL) << 40
        | (b[at + 6] & 0xffL) << 48
        | (b[at + 7] & 0xffL) << 56;
  }

  private static long murmur3(byte[] b, int length) {
    long h1 = 0;
    long h2 = 0;
    int blocks = length >> 4;
    for (int i = 0; i < blocks; i++) {
      h1 ^= mix1(word(b, i << 4));
      h1 = Long.rotateLeft(h1, 27) + h2;
      h1 = h1 * 5 + 0x52dce729;
      h2 ^= mix2(word(b, (i << 4) + 8));
      h2 = Long.rotateLeft(h2, 31) + h1;
      h2 = h2 * 5 + 0x38495ab5;
    }
    int tail = blocks << 4;
    int rest = length & 15;
    long k1 = 0;
    long k2 = 0;
    // Signed bytes on purpose: Cassandra's tail is not masked, see the class comment.
    for (int i = rest - 1; i >= 8; i--) {
      k2 ^= (long) b[tail + i] << ((i - 8) * 8);
    }
    for (int i = Math.min(rest, 8) - 1; i >= 0; i--) {
      k1 ^= (long) b[tail + i] << (i * 8);
    }
    if (rest > 8) {
      h2 ^= mix2(k2);
    }
    if (rest > 0) {
      h1 ^= mix1(k1);
    }
    h1 ^= length;
    h2 ^= length;
    h1 += h2;
    h2 += h1;
    h1 = finish(h1);
    h2 = finish(h2);
    return h1 + h2;
  }

  private static long mix1(long k) {
    return Long.rotateLeft(k * C1, 31) * C2;
  }

  private static long mix2(long k) {
    return Long.rotateLeft(k * C2, 33) * C1;
  }

  private static long finish(long k) {
    k ^= k >>> 33;
    k *= 0xff51afd7ed558ccdL;
    k ^= k >>> 33;
    k *= 0xc4ceb9fe1a85ec53L;
    k ^= k >>> 33;
    return k;
  }
}
