package io.varve.storage.sealed;

import io.varve.storage.CorruptBlockException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Any 64-bit numbers, one a row, in frames of 32 rows that are read one by one. Sums wrap, so no
 * number is out of range.
 *
 * <pre>
 *   shape       1        bit 0 steps, bit 1 a low for each frame, bit 2 a width for each frame
 *   low         zigzag varint      least low of all frames
 *   low width   1        only with bit 1
 *   base        zigzag varint      only with bit 0: least base of all frames
 *   base width  1        only with bit 0
 *   width       1        bits of a packed number; with bit 2 one byte for each frame
 *   lows        packed, frames × low width, above low           only with bit 1
 *   bases       packed, frames × base width, above base         only with bit 0
 *   numbers     packed, frame after frame, not padded between frames
 * </pre>
 *
 * <p>Without steps a frame holds all its rows, each above the frame's low. With steps its first row
 * is its base, and the others are the step from the row before, above the frame's low.
 */
final class FrameColumn {
  static final int FRAME_SHIFT = 5;
  static final int FRAME_ROWS = 1 << FRAME_SHIFT;
  static final int MAX_FRAMES = RunDecoder.MAX_ROWS >>> FRAME_SHIFT;

  private static final int STEPS = 1;
  private static final int OWN_LOWS = 2;
  private static final int OWN_WIDTHS = 4;
  private static final int SHAPES = 8;

  private UnsafeBuffer buffer = new UnsafeBuffer(0L, 0);
  private final long[] scratch = new long[FRAME_ROWS];
  private final byte[] widths = new byte[MAX_FRAMES];
  private final int[] frameBits = new int[MAX_FRAMES];
  private boolean steps;
  private long low;
  private int lowWidth;
  private int lowsAt;
  private long base;
  private int baseWidth;
  private int basesAt;
  private int numbersAt;

  static int frames(int rows) {
    return rows + FRAME_ROWS - 1 >>> FRAME_SHIFT;
  }

  /** Reads the layout of a column of {@code rows} rows and passes over its bytes. */
  void wrap(PayloadReader in, int rows) {
    buffer = in.buffer();
    int frames = frames(rows);
    int shape = in.getByte();
    if (shape >= SHAPES) {
      throw new CorruptBlockException("sealed run has a column of unknown shape: shape=" + shape);
    }
    steps = (shape & STEPS) != 0;
    low = in.getZigzag();
    lowWidth = (shape & OWN_LOWS) != 0 ? in.getWidth() : 0;
    base = steps ? in.getZigzag() : 0;
    baseWidth = steps ? in.getWidth() : 0;
    boolean ownWidths = (shape & OWN_WIDTHS) != 0;
    int width = ownWidths ? 0 : in.getWidth();
    int bits = 0;
    for (int f = 0; f < frames; f++) {
      if (ownWidths) {
        width = in.getWidth();
      }
      widths[f] = (byte) width;
      frameBits[f] = bits;
      bits += packedRows(f, rows, steps) * width;
    }
    lowsAt = in.skip(BitPacking.bytes(frames * lowWidth));
    basesAt = in.skip(BitPacking.bytes(frames * baseWidth));
    numbersAt = in.skip(BitPacking.bytes(bits));
  }

  private static int packedRows(int frame, int rows, boolean steps) {
    return Math.min(FRAME_ROWS, rows - (frame << FRAME_SHIFT)) - (steps ? 1 : 0);
  }

  /** Whether a row is reached only by way of those before it in its frame. */
  boolean steps() {
    return steps;
  }

  /** First number of a frame. */
  long first(int frame) {
    return steps
        ? base + BitPacking.get(buffer, basesAt, frame * baseWidth, baseWidth)
        : low(frame) + BitPacking.get(buffer, numbersAt, frameBits[frame], widths[frame]);
  }

  private long low(int frame) {
    return lowWidth == 0 ? low : low + BitPacking.get(buffer, lowsAt, frame * lowWidth, lowWidth);
  }

  /** The number of one row. */
  long at(int row) {
    decode(row, row + 1, scratch, 0);
    return scratch[0];
  }

  /** Writes the numbers of rows {@code [from, to)} to {@code out[outAt..)}. */
  void decode(int from, int to, long[] out, int outAt) {
    int at = outAt;
    int row = from;
    while (row < to) {
      int frame = row >>> FRAME_SHIFT;
      int start = frame << FRAME_SHIFT;
      int end = Math.min(to, start + FRAME_ROWS);
      if (!steps) {
        int width = widths[frame];
        int bit = frameBits[frame] + (row - start) * width;
        BitPacking.unpack(buffer, numbersAt, bit, width, end - row, out, at);
        add(low(frame), end - row, out, at);
      } else if (row == start) {
        sum(frame, end - start, out, at);
      } else {
        sum(frame, end - start, scratch, 0);
        System.arraycopy(scratch, row - start, out, at, end - row);
      }
      at += end - row;
      row = end;
    }
  }

  private static void add(long low, int count, long[] out, int at) {
    for (int i = at; i < at + count; i++) {
      out[i] += low;
    }
  }

  /** Writes the first {@code count} numbers of a frame of steps. */
  private void sum(int frame, int count, long[] out, int at) {
    BitPacking.unpack(buffer, numbersAt, frameBits[frame], widths[frame], count - 1, out, at + 1);
    long low = low(frame);
    long number = first(frame);
    out[at] = number;
    for (int i = at + 1; i < at + count; i++) {
      number += low + out[i];
      out[i] = number;
    }
  }

  /** Measures numbers, chooses the smallest shape and writes it. */
  static final class Encoder {
    private long[] numbers = new long[0];
    private int rows;
    private int frames;
    private final long[] bases = new long[MAX_FRAMES];
    private final long[] leastNumbers = new long[MAX_FRAMES];
    private final long[] mostNumbers = new long[MAX_FRAMES];
    private final long[] leastSteps = new long[MAX_FRAMES];
    private final long[] mostSteps = new long[MAX_FRAMES];
    private final long[] lows = new long[MAX_FRAMES];
    private final int[] widths = new int[MAX_FRAMES];
    private final long[] steps = new long[FRAME_ROWS];
    private int shape;

    // Of the shape last laid out.
    private long low;
    private int lowWidth;
    private long base;
    private int baseWidth;
    private int width;

    /** Takes the first {@code rows} of these numbers, and returns the bytes they will take. */
    int plan(long[] numbers, int rows) {
      this.numbers = numbers;
      this.rows = rows;
      frames = frames(rows);
      measure();
      int best = Integer.MAX_VALUE;
      // One frame has nothing of its own.
      for (int tried = 0; tried < (frames == 1 ? OWN_LOWS : SHAPES); tried++) {
        int bytes = layOut(tried);
        if (bytes < best) {
          best = bytes;
          shape = tried;
        }
      }
      return best;
    }

    private void measure() {
      for (int f = 0; f < frames; f++) {
        int start = f << FRAME_SHIFT;
        int end = Math.min(rows, start + FRAME_ROWS);
        long number = numbers[start];
        bases[f] = number;
        long leastNumber = number;
        long mostNumber = number;
        long leastStep = Long.MAX_VALUE;
        long mostStep = Long.MIN_VALUE;
        for (int i = start + 1; i < end; i++) {
          long next = numbers[i];
          long step = next - number;
          leastNumber = Math.min(leastNumber, next);
          mostNumber = Math.max(mostNumber, next);
          leastStep = Math.min(leastStep, step);
          mostStep = Math.max(mostStep, step);
          number = next;
        }
        leastNumbers[f] = leastNumber;
        mostNumbers[f] = mostNumber;
        leastSteps[f] = leastStep;
        mostSteps[f] = mostStep;
      }
    }

    /** Sets lows and widths for a shape and returns the bytes it takes. */
    private int layOut(int shape) {
      boolean steps = (shape & STEPS) != 0;
      final boolean ownLows = (shape & OWN_LOWS) != 0;
      long[] least = steps ? leastSteps : leastNumbers;
      final long[] most = steps ? mostSteps : mostNumbers;
      low = least(least);
      if (rows == 1 && steps) {
        low = 0;
      }
      lowWidth = 0;
      width = 0;
      int bits = 0;
      for (int f = 0; f < frames; f++) {
        // A frame of one row has no step: its least is above its most.
        boolean empty = least[f] > most[f];
        lows[f] = ownLows && !empty ? least[f] : low;
        lowWidth = Math.max(lowWidth, BitPacking.width(lows[f] - low));
        widths[f] = empty ? 0 : BitPacking.width(most[f] - lows[f]);
        width = Math.max(width, widths[f]);
        bits += packedRows(f, rows, steps) * widths[f];
      }
      int bytes = 1 + PayloadWriter.zigzagBytes(low);
      if (ownLows) {
        bytes += 1 + BitPacking.bytes(frames * lowWidth);
      }
      if (steps) {
        base = least(bases);
        baseWidth = 0;
        for (int f = 0; f < frames; f++) {
          baseWidth = Math.max(baseWidth, BitPacking.width(bases[f] - base));
        }
        bytes += PayloadWriter.zigzagBytes(base) + 1 + BitPacking.bytes(frames * baseWidth);
      }
      if ((shape & OWN_WIDTHS) != 0) {
        return bytes + frames + BitPacking.bytes(bits);
      }
      return bytes + 1 + BitPacking.bytes((rows - (steps ? frames : 0)) * width);
    }

    private long least(long[] ofFrames) {
      long least = ofFrames[0];
      for (int f = 1; f < frames; f++) {
        least = Math.min(least, ofFrames[f]);
      }
      return least;
    }

    /** Writes what was planned. */
    void write(PayloadWriter out) {
      layOut(shape);
      final boolean stepped = (shape & STEPS) != 0;
      out.putByte(shape);
      out.putZigzag(low);
      if ((shape & OWN_LOWS) != 0) {
        out.putByte(lowWidth);
      }
      if (stepped) {
        out.putZigzag(base);
        out.putByte(baseWidth);
      }
      boolean ownWidths = (shape & OWN_WIDTHS) != 0;
      if (!ownWidths) {
        out.putByte(width);
      }
      for (int f = 0; f < frames && ownWidths; f++) {
        out.putByte(widths[f]);
      }
      out.packBits(lows, 0, frames, low, (shape & OWN_LOWS) != 0 ? lowWidth : 0);
      out.endBits();
      out.packBits(bases, 0, frames, base, stepped ? baseWidth : 0);
      out.endBits();
      for (int f = 0; f < frames; f++) {
        int start = f << FRAME_SHIFT;
        int end = Math.min(rows, start + FRAME_ROWS);
        int bits = ownWidths ? widths[f] : width;
        if (!stepped) {
          out.packBits(numbers, start, end, lows[f], bits);
        } else if (bits > 0) {
          for (int i = start + 1; i < end; i++) {
            steps[i - start] = numbers[i] - numbers[i - 1];
          }
          out.packBits(steps, 1, end - start, lows[f], bits);
        }
      }
      out.endBits();
    }
  }
}
