package io.varve.storage.sealed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The values of a run, as bits of doubles.
 *
 * <pre>
 *   constant  8            value bits of all rows
 *   decimal   {@link DecimalColumn}
 *   xor       {@link XorColumn}
 *   raw       8 for each row: value bits
 * </pre>
 */
final class ValueColumn {
  private UnsafeBuffer buffer = new UnsafeBuffer(0L, 0);
  private final DecimalColumn decimal = new DecimalColumn();
  private final XorColumn xor = new XorColumn();
  private ValueEncoding encoding = ValueEncoding.RAW;
  private int valuesAt;

  /** Reads the layout and passes over the column's bytes. */
  void wrap(PayloadReader in, int rows, ValueEncoding encoding) {
    this.encoding = encoding;
    buffer = in.buffer();
    switch (encoding) {
      case CONSTANT:
        valuesAt = in.skip(8);
        break;
      case DECIMAL:
        decimal.wrap(in, rows);
        break;
      case XOR:
        xor.wrap(in, rows);
        break;
      case RAW:
        valuesAt = in.skip(8 * rows);
        break;
    }
  }

  /** Whether a row is reached only by way of those before it in its frame. */
  boolean steps() {
    return encoding == ValueEncoding.XOR || encoding == ValueEncoding.DECIMAL && decimal.steps();
  }

  void decode(int from, int to, long[] out, int outAt) {
    switch (encoding) {
      case CONSTANT:
        Arrays.fill(out, outAt, outAt + to - from, buffer.getLong(valuesAt, LITTLE_ENDIAN));
        break;
      case DECIMAL:
        decimal.decode(from, to, out, outAt);
        break;
      case XOR:
        xor.decode(from, to, out, outAt);
        break;
      case RAW:
        for (int row = from; row < to; row++) {
          out[outAt + row - from] = buffer.getLong(valuesAt + 8 * row, LITTLE_ENDIAN);
        }
        break;
    }
  }

  /** Chooses the smallest encoding. */
  static final class Encoder {
    /** Bytes a row up to which decimals are taken without a look at the alternative. */
    private static final int FEW_BYTES = 1;

    private final DecimalColumn.Encoder decimal = new DecimalColumn.Encoder();
    private final XorColumn.Encoder xor = new XorColumn.Encoder();
    private long[] values = new long[0];
    private int from;
    private int rows;

    /** Takes values and returns the encoding that is smallest. */
    ValueEncoding plan(long[] values, int from, int rows) {
      this.values = values;
      this.from = from;
      this.rows = rows;
      int i = 1;
      while (i < rows && values[from + i] == values[from]) {
        i++;
      }
      if (i == rows) {
        return ValueEncoding.CONSTANT;
      }
      int decimalBytes = decimal.plan(values, from, rows);
      if (decimalBytes <= FEW_BYTES * rows) {
        return ValueEncoding.DECIMAL;
      }
      int xorBytes = xor.plan(values, from, rows);
      int best = Math.min(8 * rows, Math.min(decimalBytes, xorBytes));
      if (best == decimalBytes) {
        return ValueEncoding.DECIMAL;
      }
      return best == xorBytes ? ValueEncoding.XOR : ValueEncoding.RAW;
    }

    /** Writes what was planned. */
    void write(PayloadWriter out, ValueEncoding encoding) {
      switch (encoding) {
        case CONSTANT:
          out.putLong(values[from]);
          break;
        case DECIMAL:
          decimal.write(out);
          break;
        case XOR:
          xor.write(out);
          break;
        case RAW:
          for (int i = from; i < from + rows; i++) {
            out.putLong(values[i]);
          }
          break;
      }
    }
  }
}
