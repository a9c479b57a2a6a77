package io.varve.load.streams;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The key of a row in RocksDB, which sorts keys by their unsigned bytes: rows of one sensor lie
 * together, the newest first.
 *
 * <pre>
 *   0    sensor id       its length   UTF-8, without control characters
 *   ..   end of id       1            0
 *   ..   ~timestamp      8            big endian, sign bit as stored by ~(t ^ 2^63)
 *   ..   ~sequence       8            the same
 * </pre>
 */
final class RowKey {
  private static final int TAIL = 2 * Long.BYTES;

  private RowKey() {}

  /** Makes the key of a row. */
  static byte[] of(byte[] id, int idOffset, int idLength, long timestampMicros, long sequence) {
    ByteBuffer key = ByteBuffer.allocate(idLength + 1 + TAIL);
    key.put(id, idOffset, idLength).put((byte) 0);
    key.putLong(falling(timestampMicros)).putLong(falling(sequence));
    return key.array();
  }

  /** Makes the key of a row. */
  static byte[] of(String sensor, long timestampMicros, long sequence) {
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    return of(id, 0, id.length, timestampMicros, sequence);
  }

  /** Maps greater numbers to keys that sort before. Its own inverse. */
  private static long falling(long number) {
    return ~(number ^ Long.MIN_VALUE);
  }

  static long timestampMicros(byte[] key) {
    return falling(ByteBuffer.wrap(key).getLong(key.length - TAIL));
  }

  static long sequence(byte[] key) {
    return falling(ByteBuffer.wrap(key).getLong(key.length - Long.BYTES));
  }

  /** Returns the first key after one. */
  static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** Returns a key before one, with no key of a row between them. */
  static byte[] before(byte[] key) {
    long sequence = sequence(key);
    ByteBuffer before = ByteBuffer.wrap(Arrays.copyOf(key, key.length));
    int tail = key.length - TAIL;
    if (sequence < Long.MAX_VALUE) {
      before.putLong(tail + Long.BYTES, falling(sequence + 1));
    } else {
      before.putLong(tail, falling(timestampMicros(key) + 1));
      before.putLong(tail + Long.BYTES, falling(Long.MIN_VALUE));
    }
    return before.array();
  }
}
