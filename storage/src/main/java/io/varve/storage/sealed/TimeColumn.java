package io.varve.storage.sealed;

/**
 * The timestamps of a run, in units of their common step.
 *
 * <pre>
 *   step    varint          tens in bits 0-3: step = (bits 4 and up) × 10^tens microseconds
 *   line    {@link LineColumn}
 *   or
 *   origin  zigzag varint   microseconds
 *   units   {@link FrameColumn}    timestamp = origin + step × unit
 * </pre>
 *
 * <p>Sums and products wrap: a run whose ends are more than 2^63 apart has the step 1 and is right.
 */
final class TimeColumn {
  private static final int MAX_TENS = 15;
  private static final long MAX_FACTOR = -1L >>> 4;

  private final LineColumn line = new LineColumn();
  private final FrameColumn units = new FrameColumn();
  private boolean straight;
  private long step;
  private long origin;

  /** Reads the layout and passes over the column's bytes. */
  void wrap(PayloadReader in, int rows, TimeEncoding encoding) {
    straight = encoding == TimeEncoding.LINE;
    long code = in.getVarint();
    step = code >>> 4;
    for (int tens = (int) code & MAX_TENS; tens > 0; tens--) {
      step *= 10;
    }
    if (straight) {
      line.wrap(in, rows, step);
    } else {
      origin = in.getZigzag();
      units.wrap(in, rows);
    }
  }

  /** Whether a row is reached only by way of those before it in its frame. */
  boolean steps() {
    return !straight && units.steps();
  }

  /** The timestamp of one row; where there are {@link #steps}, cheap for the first of a frame. */
  long at(int row) {
    if (straight) {
      return line.at(row);
    }
    return origin
        + step
            * ((row & FrameColumn.FRAME_ROWS - 1) == 0
                ? units.first(row >>> FrameColumn.FRAME_SHIFT)
                : units.at(row));
  }

  void decode(int from, int to, long[] out, int outAt) {
    if (straight) {
      line.decode(from, to, out, outAt);
      return;
    }
    units.decode(from, to, out, outAt);
    for (int i = outAt; i < outAt + to - from; i++) {
      out[i] = origin + step * out[i];
    }
  }

  /** Chooses between a line and frames. */
  static final class Encoder {
    /** A line with no more than its header: frames need not be tried. */
    private static final int FEW_BYTES = 16;

    private final long[] units = new long[RunDecoder.MAX_ROWS];
    private final LineColumn.Encoder line = new LineColumn.Encoder();
    private final FrameColumn.Encoder frames = new FrameColumn.Encoder();
    private long origin;
    private final CommonStep common = new CommonStep();

    /** Takes ascending timestamps and returns the encoding that is smallest. */
    TimeEncoding plan(long[] timestamps, int from, int rows) {
      origin = timestamps[from];
      boolean wide = timestamps[from + rows - 1] - origin < 0;
      // Steps that wrap have no divisor, and the greatest do not fit their code.
      if (wide || common.find(timestamps, from, rows) > MAX_FACTOR) {
        common.set(1);
      }
      common.divide(timestamps, from, rows, origin, units);
      if (wide) {
        frames.plan(units, rows);
        return TimeEncoding.DELTA;
      }
      int lineBytes = line.plan(units, rows, origin, common.step());
      if (lineBytes <= FEW_BYTES) {
        return TimeEncoding.LINE;
      }
      int frameBytes = frames.plan(units, rows) + PayloadWriter.zigzagBytes(origin);
      return lineBytes <= frameBytes ? TimeEncoding.LINE : TimeEncoding.DELTA;
    }

    /** Writes what was planned. */
    void write(PayloadWriter out, TimeEncoding encoding) {
      long factor = common.step();
      int tens = 0;
      while (tens < MAX_TENS && factor % 10 == 0 && factor > 0) {
        factor /= 10;
        tens++;
      }
      out.putVarint(factor << 4 | tens);
      if (encoding == TimeEncoding.LINE) {
        line.write(out);
      } else {
        out.putZigzag(origin);
        frames.write(out);
      }
    }
  }
}
