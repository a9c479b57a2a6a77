package io.varve.storage;

import io.varve.storage.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A sensor's name as its UTF-8 bytes: 1 to 256 bytes, no control characters, otherwise taken as it
 * is (no case folding, no normalisation).
 *
 * <p>Ordered bytewise, which for UTF-8 is the order of code points. Immutable.
 */
public final class SensorId implements Comparable<SensorId> {
  /** Longest id, in UTF-8 bytes. */
  public static final int MAX_BYTES = 256;

  /** Why some text is not a sensor id. */
  public enum Fault {
    EMPTY,
    TOO_LONG,
    CONTROL_CHARACTER,
    NOT_UTF8
  }

  private final byte[] utf8;

  /** Made when first asked for, by whatever thread; 0 while it is not. */
  private long lookupHash;

  private SensorId(byte[] utf8) {
    this.utf8 = utf8;
  }

  /**
   * Returns the id for a text.
   *
   * @throws IllegalArgumentException if {@link #check(byte[], int, int)} would name a fault, or if
   *     the text holds half of a surrogate pair, which no UTF-8 can spell
   */
  public static SensorId of(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!new String(bytes, StandardCharsets.UTF_8).equals(text)) {
      throw new IllegalArgumentException("not a sensor id: " + Fault.NOT_UTF8);
    }
    return of(bytes, 0, bytes.length);
  }

  /**
   * Returns the id for a copy of UTF-8 bytes.
   *
   * @throws IllegalArgumentException if {@link #check(byte[], int, int)} would name a fault
   */
  public static SensorId of(byte[] bytes, int offset, int length) {
    Fault fault = check(bytes, offset, length);
    if (fault != null) {
      throw new IllegalArgumentException("not a sensor id: " + fault);
    }
    return new SensorId(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** Returns the id of UTF-8 bytes, which it takes over; empty if they are none. */
  public static Optional<SensorId> parse(byte[] bytes) {
    return check(bytes, 0, bytes.length) == null
        ? Optional.of(new SensorId(bytes))
        : Optional.empty();
  }

  /** The id's {@link Hashing#of} as stores look it up; each asks for it once a query. */
  public long lookupHash() {
    long known = lookupHash;
    if (known == 0) {
      known = Hashing.of(utf8, 0, utf8.length);
      lookupHash = known;
    }
    return known;
  }

  /** The id's own bytes, shared so that looking it up copies nothing: never change them. */
  public byte[] utf8() {
    return utf8;
  }

  /**
   * Finds what keeps bytes from being a sensor id; null means nothing does. Allocates nothing.
   *
   * <p>Control characters are U+0000 to U+001F and U+007F to U+009F.
   */
  public static @org.jspecify.annotations.Nullable Fault check(
      byte[] bytes, int offset, int length) {
    if (length == 0) {
      return Fault.EMPTY;
    }
    if (length > MAX_BYTES) {
      return Fault.TOO_LONG;
    }
    int end = offset + length;
    for (int i = offset; i < end; ) {
      int b = bytes[i];
      if (b >= 0) {
        if (b < 0x20 || b == 0x7f) {
          return Fault.CONTROL_CHARACTER;
        }
        i++;
        continue;
      }
      int step = multiByteLength(bytes, i, end);
      if (step == 0) {
        return Fault.NOT_UTF8;
      }
      if (step == 2 && (b & 0xff) == 0xc2 && (bytes[i + 1] & 0xff) < 0xa0) {
        return Fault.CONTROL_CHARACTER;
      }
      i += step;
    }
    return null;
  }

  /** Length of a well-formed multi-byte sequence (Unicode 15, table 3-7), or 0. */
  private static int multiByteLength(byte[] b, int i, int end) {
    int lead = b[i] & 0xff;
    int length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > end) {
      return 0;
    }
    int second = b[i + 1] & 0xff;
    int low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    int high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (second < low || second > high) {
      return 0;
    }
    for (int k = 2; k < length; k++) {
      if ((b[i + k] & 0xc0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  /**
   * Returns the place in bytewise order where ids with a prefix begin. Not an id to store: the
   * prefix may end within a character.
   *
   * @param prefix 1 to 256 bytes
   */
  public static SensorId prefixBound(byte[] prefix) {
    return new SensorId(prefix.clone());
  }

  /** Length in UTF-8 bytes. */
  public int length() {
    return utf8.length;
  }

  /** Copies the UTF-8 bytes. */
  public byte[] toBytes() {
    return utf8.clone();
  }

  /** Copies the UTF-8 bytes into a target of at least {@code offset + length()} bytes. */
  public void copyTo(byte[] target, int offset) {
    System.arraycopy(utf8, 0, target, offset, utf8.length);
  }

  /** Tells whether this id is exactly the given bytes. */
  public boolean matches(byte[] bytes, int offset, int length) {
    return Arrays.equals(utf8, 0, utf8.length, bytes, offset, offset + length);
  }

  /** Tells whether the id's UTF-8 bytes begin with the prefix's. */
  public boolean startsWith(byte[] prefix) {
    return utf8.length >= prefix.length
        && Arrays.equals(utf8, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public int compareTo(SensorId other) {
    return Arrays.compareUnsigned(utf8, other.utf8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SensorId that && Arrays.equals(utf8, that.utf8);
  }

  @Override
  public int hashCode() {
    return (int) lookupHash();
  }

  @Override
  public String toString() {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  /** The id in quotes, in which nothing can pass for more of a line or hide. */
  public String quoted() {
    StringBuilder text = new StringBuilder("\"");
    toString()
        .codePoints()
        .forEach(
            point -> {
              switch (Character.getType(point)) {
                case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED ->
                    text.append(String.format("\\u{%x}", point));
                default -> {
                  if (point == '"' || point == '\\') {
                    text.append('\\');
                  }
                  text.appendCodePoint(point);
                }
              }
            });
    return text.append('"').toString();
  }
}
