package io.varve.storage.sealed;

import io.varve.storage.CorruptBlockException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Times near a straight line, each reached by itself. A gap in the rows begins a new piece of the
 * line, parallel to the one before.
 *
 * <pre>
 *   slope    varint           units a row, × 2^shift
 *   shape    1                bits 0-4 shift, bit 5 further pieces
 *   base     zigzag varint    microseconds, of the first piece
 *   width    1                bits of a rest
 *   pieces   only with bit 5: count (varint, 1 to 31), then of each
 *              rows (varint, from 1)     from the start of the piece before to its own
 *              rise (zigzag varint)      units above the base before
 *   rests    packed, rows × width
 *
 *   timestamp = base of the row's piece + step × ((row × slope >> shift) + rest)
 * </pre>
 */
final class LineColumn {
  private static final int MAX_PIECES = 32;
  private static final int SHIFT_MASK = 31;
  private static final int PIECES = 32;

  private UnsafeBuffer buffer = new UnsafeBuffer(0L, 0);
  private final int[] starts = new int[MAX_PIECES];
  private final long[] bases = new long[MAX_PIECES];
  private int pieces;
  private int rows;
  private long step;
  private long slope;
  private int shift;
  private int width;
  private int restsAt;

  /** Reads the layout and passes over the column's bytes. */
  void wrap(PayloadReader in, int rows, long step) {
    buffer = in.buffer();
    this.rows = rows;
    this.step = step;
    slope = in.getVarint();
    int shape = in.getByte();
    if (shape > (SHIFT_MASK | PIECES)) {
      throw new CorruptBlockException("sealed run has a line of unknown shape: shape=" + shape);
    }
    shift = shape & SHIFT_MASK;
    bases[0] = in.getZigzag();
    width = in.getWidth();
    pieces = 1;
    if ((shape & PIECES) != 0) {
      long more = in.getVarint();
      if (more < 1 || more >= MAX_PIECES) {
        throw new CorruptBlockException("sealed run has too many pieces: more=" + more);
      }
      for (; pieces <= more; pieces++) {
        long length = in.getVarint();
        if (length < 1 || length >= rows - starts[pieces - 1]) {
          throw new CorruptBlockException("sealed run has a piece out of place: rows=" + length);
        }
        starts[pieces] = starts[pieces - 1] + (int) length;
        bases[pieces] = bases[pieces - 1] + step * in.getZigzag();
      }
    }
    restsAt = in.skip(BitPacking.bytes(rows * width));
  }

  /** The timestamp of one row. */
  long at(int row) {
    int piece = pieces - 1;
    while (row < starts[piece]) {
      piece--;
    }
    long rest = BitPacking.get(buffer, restsAt, row * width, width);
    return bases[piece] + step * ((row * slope >> shift) + rest);
  }

  void decode(int from, int to, long[] out, int outAt) {
    BitPacking.unpack(buffer, restsAt, from * width, width, to - from, out, outAt);
    int toOut = outAt - from;
    for (int piece = 0; piece < pieces; piece++) {
      int start = Math.max(from, starts[piece]);
      int end = Math.min(to, piece + 1 < pieces ? starts[piece + 1] : rows);
      if (start < end) {
        draw(start, end, bases[piece], out, toOut);
      }
    }
  }

  private void draw(int from, int to, long base, long[] out, int toOut) {
    final long step = this.step;
    final long slope = this.slope;
    final int shift = this.shift;
    long scaled = from * slope;
    for (int i = from + toOut; i < to + toOut; i++) {
      out[i] = base + step * ((scaled >> shift) + out[i]);
      scaled += slope;
    }
  }

  /** Looks for the pieces and the slope that leave the smallest rests. */
  static final class Encoder {
    /** Times over this many units go without a line: products with a row must not wrap. */
    private static final long MAX_UNITS = 1L << 50;

    private static final int SHIFT = 11;
    private static final int SAMPLES = 15;
    private static final int SPAN = 8;

    private long[] units = new long[0];
    private int rows;
    private long origin;
    private long step;
    private final long[] samples = new long[SAMPLES];

    // Of the pieces being tried.
    private final int[] starts = new int[MAX_PIECES + 1];
    private final long[] bases = new long[MAX_PIECES];
    private final long[] triedBases = new long[MAX_PIECES];
    private int pieces;
    private long slope;
    private int shift;
    private int width;

    // The best so far.
    private final int[] bestStarts = new int[MAX_PIECES + 1];
    private final long[] bestBases = new long[MAX_PIECES];
    private int bestPieces;
    private long bestSlope;
    private int bestShift;
    private int bestWidth;
    private int bestBytes;
    private final long[] rests = new long[RunDecoder.MAX_ROWS];

    /**
     * Takes ascending units from 0 and returns the bytes they will take; the greatest number when
     * they are too far apart for a line.
     */
    int plan(long[] units, int rows, long origin, long step) {
      this.units = units;
      this.rows = rows;
      this.origin = origin;
      this.step = step;
      bestBytes = Integer.MAX_VALUE;
      if (units[rows - 1] < 0 || units[rows - 1] >= MAX_UNITS) {
        return bestBytes;
      }
      cut(Long.MAX_VALUE);
      fit();
      if (bestWidth > 0 && rows > 2) {
        long typical = typicalDelta();
        int onePiece = pieces;
        if (cut(typical + (typical >> 1)) && pieces > onePiece) {
          fit();
        }
        int many = pieces;
        if (cut(typical * 4) && pieces > onePiece && pieces != many) {
          fit();
        }
      }
      return bestBytes;
    }

    /** The median of a few steps spread over the run, each a mean over some rows against jitter. */
    private long typicalDelta() {
      int span = rows > 4 * SPAN ? SPAN : 1;
      int count = Math.min(SAMPLES, rows - span);
      for (int s = 0; s < count; s++) {
        int row = span + s * (rows - span) / count;
        samples[s] = units[row] - units[row - span];
      }
      Arrays.sort(samples, 0, count);
      return samples[count / 2] / span;
    }

    /** Begins a piece wherever a step is greater; false when that makes too many. */
    private boolean cut(long delta) {
      pieces = 1;
      for (int i = 1; i < rows && delta < Long.MAX_VALUE; i++) {
        if (units[i] - units[i - 1] > delta) {
          if (pieces == MAX_PIECES) {
            return false;
          }
          starts[pieces++] = i;
        }
      }
      starts[pieces] = rows;
      return true;
    }

    /** Tries slopes, the rounder ones first, and keeps the pieces if they are the smallest yet. */
    private void fit() {
      width = Integer.MAX_VALUE;
      double ideal = leastSquares();
      long before = -1;
      for (long limit = 10; limit <= 10_000; limit *= 10) {
        long tens = 1;
        while (ideal >= (double) tens * limit) {
          tens *= 10;
        }
        long rounded = (long) (ideal / tens + 0.5) * tens;
        if (rounded != before) {
          trySlope(rounded, 0);
          before = rounded;
        }
      }
      long whole = (long) (ideal + 0.5);
      if (whole != before) {
        trySlope(whole, 0);
      }
      trySlope((long) (ideal * (1 << SHIFT) + 0.5), SHIFT);
      int bytes = bytes();
      if (bytes < bestBytes) {
        bestBytes = bytes;
        bestPieces = pieces;
        System.arraycopy(starts, 0, bestStarts, 0, pieces + 1);
        System.arraycopy(bases, 0, bestBases, 0, pieces);
        bestSlope = slope;
        bestShift = shift;
        bestWidth = width;
      }
    }

    /** The slope that the pieces have in common. */
    private double leastSquares() {
      double xy = 0;
      double xx = 0;
      for (int p = 0; p < pieces; p++) {
        int start = starts[p];
        int length = starts[p + 1] - start;
        double middle = (length - 1) / 2.0;
        for (int i = 0; i < length; i++) {
          xy += (i - middle) * (units[start + i] - units[start]);
        }
        xx += length * ((double) length * length - 1) / 12;
      }
      return xx == 0 ? 0 : Math.max(0, xy / xx);
    }

    private void trySlope(long slope, int shift) {
      if (width == 0) {
        return;
      }
      int widest = 0;
      for (int p = 0; p < pieces; p++) {
        long least = Long.MAX_VALUE;
        long most = Long.MIN_VALUE;
        long scaled = starts[p] * slope;
        for (int i = starts[p]; i < starts[p + 1]; i++) {
          long rest = units[i] - (scaled >> shift);
          least = Math.min(least, rest);
          most = Math.max(most, rest);
          scaled += slope;
        }
        triedBases[p] = least;
        widest = Math.max(widest, BitPacking.width(most - least));
        if (widest >= width) {
          return;
        }
      }
      System.arraycopy(triedBases, 0, bases, 0, pieces);
      width = widest;
      this.slope = slope;
      this.shift = shift;
    }

    private int bytes() {
      int bytes =
          PayloadWriter.varintBytes(slope)
              + 2
              + PayloadWriter.zigzagBytes(origin + step * bases[0])
              + BitPacking.bytes(rows * width);
      if (pieces > 1) {
        bytes++;
        for (int p = 1; p < pieces; p++) {
          bytes += PayloadWriter.varintBytes(starts[p] - starts[p - 1]);
          bytes += PayloadWriter.zigzagBytes(bases[p] - bases[p - 1]);
        }
      }
      return bytes;
    }

    /** Writes what was planned. */
    void write(PayloadWriter out) {
      out.putVarint(bestSlope);
      out.putByte(bestShift | (bestPieces > 1 ? PIECES : 0));
      out.putZigzag(origin + step * bestBases[0]);
      out.putByte(bestWidth);
      if (bestPieces > 1) {
        out.putVarint(bestPieces - 1);
        for (int p = 1; p < bestPieces; p++) {
          out.putVarint(bestStarts[p] - bestStarts[p - 1]);
          out.putZigzag(bestBases[p] - bestBases[p - 1]);
        }
      }
      if (bestWidth == 0) {
        return;
      }
      for (int p = 0; p < bestPieces; p++) {
        long scaled = bestStarts[p] * bestSlope;
        for (int i = bestStarts[p]; i < bestStarts[p + 1]; i++) {
          rests[i] = units[i] - (scaled >> bestShift) - bestBases[p];
          scaled += bestSlope;
        }
      }
      out.packBits(rests, 0, rows, 0, bestWidth);
      out.endBits();
    }
  }
}
