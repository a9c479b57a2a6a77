package io.varve.query.api;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * The bytes of one answer, in a buffer that grows and is used again for the next answer.
 * Single-threaded.
 */
public final class Body extends OutputStream {
  private static final int FIRST_SIZE = 16 * 1024;

  /** A buffer that grew beyond this is let go after its answer. */
  private static final int KEPT_SIZE = 1024 * 1024;

  private byte[] bytes = new byte[FIRST_SIZE];
  private int length;

  /** Empties the body for the next answer. */
  void clear() {
    length = 0;
    if (bytes.length > KEPT_SIZE) {
      bytes = new byte[FIRST_SIZE];
    }
  }

  /** The buffer; its first {@link #length} bytes are the body. Valid until the next answer. */
  public byte[] bytes() {
    return bytes;
  }

  public int length() {
    return length;
  }

  /** Makes room for some bytes; the buffer may be another one afterwards. */
  void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }

  /** Tells that bytes were put into {@link #bytes} from {@link #length} on. */
  void added(int count) {
    length += count;
  }

  @Override
  public void write(int b) {
    reserve(1);
    bytes[length++] = (byte) b;
  }

  @Override
  public void write(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, bytes, length, count);
    length += count;
  }
}
