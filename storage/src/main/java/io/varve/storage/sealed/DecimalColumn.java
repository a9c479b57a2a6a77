package io.varve.storage.sealed;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.varve.storage.CorruptBlockException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Values that are whole numbers over one power of ten, or next to one. After Afroozeh, Kuffó and
 * Boncz, "ALP: Adaptive Lossless floating-Point Compression", SIGMOD 2023; with a true division,
 * which is right for every double that was printed with so many decimals.
 *
 * <pre>
 *   shape       1     bits 0-4 exponent, 0 to 18; bit 5 corrections; bit 6 exceptions;
 *                     bit 7 a factor, for sensors whose resolution is not a power of ten
 *   factor      varint         only with bit 7
 *   origin      varint         only with bit 7: below factor
 *   least       1     only with bit 5: least correction, signed
 *   width       1     only with bit 5: bits of a correction
 *   exceptions  1     only with bit 6: how many; written are 1 to 127
 *   numbers     {@link FrameColumn}
 *   corrections packed, rows × width, above least               only with bit 5
 *   places      2 for each exception: its row, ascending        only with bit 6
 *   bits        8 for each exception: its value bits            only with bit 6
 *
 *   value bits = bits of ((double) (origin + factor × number) / 10^exponent), + correction
 * </pre>
 */
final class DecimalColumn {
  private static final int MAX_EXPONENT = 18;
  private static final int EXPONENT_MASK = 31;
  private static final int CORRECTIONS = 32;
  private static final int EXCEPTIONS = 64;
  private static final int FACTOR = 128;
  private static final int MAX_EXCEPTIONS = 127;

  /** Each is exact: 5^18 takes 42 bits. */
  private static final double[] POWERS = new double[MAX_EXPONENT + 1];

  static {
    long power = 1;
    for (int e = 0; e <= MAX_EXPONENT; e++) {
      POWERS[e] = power;
      power *= 10;
    }
  }

  private UnsafeBuffer buffer = new UnsafeBuffer(0L, 0);
  private final FrameColumn numbers = new FrameColumn();
  private final long[] scratch = new long[FrameColumn.FRAME_ROWS];
  private double power = 1;
  private long factor;
  private long origin;
  private boolean corrected;
  private int leastCorrection;
  private int correctionWidth;
  private int correctionsAt;
  private int exceptions;
  private int placesAt;

  /** Reads the layout and passes over the column's bytes. */
  void wrap(PayloadReader in, int rows) {
    buffer = in.buffer();
    int shape = in.getByte();
    int exponent = shape & EXPONENT_MASK;
    if (exponent > MAX_EXPONENT) {
      throw new CorruptBlockException("sealed run has decimals of unknown shape: shape=" + shape);
    }
    power = POWERS[exponent];
    boolean factored = (shape & FACTOR) != 0;
    factor = factored ? in.getVarint() : 1;
    origin = factored ? in.getVarint() : 0;
    corrected = (shape & CORRECTIONS) != 0;
    leastCorrection = corrected ? (byte) in.getByte() : 0;
    correctionWidth = corrected ? in.getWidth() : 0;
    exceptions = (shape & EXCEPTIONS) != 0 ? in.getByte() : 0;
    numbers.wrap(in, rows);
    correctionsAt = in.skip(BitPacking.bytes(rows * correctionWidth));
    placesAt = in.skip(exceptions * 10);
    int before = -1;
    for (int x = 0; x < exceptions; x++) {
      int place = place(x);
      if (place <= before || place >= rows) {
        throw new CorruptBlockException("sealed run has an exception out of place: row=" + place);
      }
      before = place;
    }
  }

  private int place(int exception) {
    return buffer.getShort(placesAt + 2 * exception, LITTLE_ENDIAN) & 0xffff;
  }

  /** Whether a row is reached only by way of those before it in its frame. */
  boolean steps() {
    return numbers.steps();
  }

  void decode(int from, int to, long[] out, int outAt) {
    numbers.decode(from, to, out, outAt);
    double power = this.power;
    int end = outAt + to - from;
    if (factor != 1 || origin != 0) {
      for (int i = outAt; i < end; i++) {
        out[i] = origin + factor * out[i];
      }
    }
    if (power == 1) {
      for (int i = outAt; i < end; i++) {
        out[i] = Double.doubleToRawLongBits(out[i]);
      }
    } else {
      for (int i = outAt; i < end; i++) {
        out[i] = Double.doubleToRawLongBits(out[i] / power);
      }
    }
    if (corrected) {
      correct(from, to, out, outAt);
    }
    for (int x = 0; x < exceptions; x++) {
      int place = place(x);
      if (place >= from && place < to) {
        out[outAt + place - from] =
            buffer.getLong(placesAt + 2 * exceptions + 8 * x, LITTLE_ENDIAN);
      }
    }
  }

  private void correct(int from, int to, long[] out, int outAt) {
    int at = outAt;
    for (int row = from; row < to; row += scratch.length) {
      int count = Math.min(scratch.length, to - row);
      BitPacking.unpack(
          buffer, correctionsAt, row * correctionWidth, correctionWidth, count, scratch, 0);
      for (int i = 0; i < count; i++) {
        out[at++] += scratch[i] + leastCorrection;
      }
    }
  }

  /** Finds the power of ten and writes the numbers over it. */
  static final class Encoder {
    private static final int SAMPLES = 32;

    /** Distance of a value from its decimal that a correction bridges. */
    private static final long NEAR = 7;

    /** Above it, a number and a correction take about what the bits themselves take. */
    private static final double MAX_NEAR_NUMBER = 1L << 44;

    private static final double MAX_NUMBER = 1L << 53;

    // Tenths of a bit that a row takes more: for each decimal, with corrections, as an exception.
    private static final int DECIMAL_PRICE = 33;
    private static final int CORRECTION_PRICE = 20;
    private static final int EXCEPTION_PRICE = 800;

    /** Bits that a factor takes with its origin, about. */
    private static final int LEAST_SAVED = 32;

    private final FrameColumn.Encoder frames = new FrameColumn.Encoder();
    private final long[] numbers = new long[RunDecoder.MAX_ROWS];
    private final long[] corrections = new long[RunDecoder.MAX_ROWS];
    private final int[] places = new int[MAX_EXCEPTIONS];
    private final int[] exactFrom = new int[MAX_EXPONENT + 1];
    private final int[] nearFrom = new int[MAX_EXPONENT + 1];
    private long[] values = new long[0];
    private int from;
    private int rows;
    private int exponent;
    private boolean near;
    private final CommonStep common = new CommonStep();
    private long factor;
    private long origin;
    private long leastCorrection;
    private int correctionWidth;
    private int exceptions;

    /**
     * Takes values and returns the bytes they will take; the greatest number when no power fits.
     */
    int plan(long[] values, int from, int rows) {
      this.values = values;
      this.from = from;
      this.rows = rows;
      if (!choosePower() || !convert()) {
        return Integer.MAX_VALUE;
      }
      takeFactor();
      int bytes = 1 + frames.plan(numbers, rows);
      if (factor > 1) {
        bytes += PayloadWriter.varintBytes(factor) + PayloadWriter.varintBytes(origin);
      }
      if (correctionWidth > 0 || leastCorrection != 0) {
        bytes += 2 + BitPacking.bytes(rows * correctionWidth);
      }
      return exceptions == 0 ? bytes : bytes + 1 + 10 * exceptions;
    }

    /** Chooses exponent and nearness from a sample; false when they fit too few of it. */
    private boolean choosePower() {
      Arrays.fill(exactFrom, 0);
      Arrays.fill(nearFrom, 0);
      int samples = Math.min(SAMPLES, rows);
      for (int s = 0; s < samples; s++) {
        sample(values[from + s * rows / samples]);
      }
      int best = Integer.MAX_VALUE;
      int bestMissed = samples;
      int exactMissed = samples;
      int nearMissed = samples;
      for (int e = 0; e <= MAX_EXPONENT; e++) {
        exactMissed -= exactFrom[e];
        nearMissed -= nearFrom[e];
        int price = exactMissed * EXCEPTION_PRICE + samples * e * DECIMAL_PRICE;
        if (price < best) {
          best = price;
          bestMissed = exactMissed;
          exponent = e;
          near = false;
        }
        price = nearMissed * EXCEPTION_PRICE + samples * (e * DECIMAL_PRICE + CORRECTION_PRICE);
        if (price < best) {
          best = price;
          bestMissed = nearMissed;
          exponent = e;
          near = true;
        }
      }
      return bestMissed <= samples / 4;
    }

    /** Counts a value at the least exponents at which it is near a decimal, and is one. */
    private void sample(long bits) {
      double value = Double.longBitsToDouble(bits);
      boolean nearFound = false;
      for (int e = 0; e <= MAX_EXPONENT; e++) {
        double scaled = value * POWERS[e];
        if (!(Math.abs(scaled) < MAX_NUMBER)) {
          return;
        }
        long number = round(scaled);
        long off = bits - Double.doubleToRawLongBits(number / POWERS[e]);
        if (!nearFound && off <= NEAR && off >= -NEAR && Math.abs(scaled) < MAX_NEAR_NUMBER) {
          nearFrom[e]++;
          nearFound = true;
        }
        if (off == 0) {
          exactFrom[e]++;
          return;
        }
      }
    }

    private static long round(double value) {
      return (long) (value + Math.copySign(0.5, value));
    }

    /** Fills numbers, corrections and exceptions; false when there are too many exceptions. */
    private boolean convert() {
      final double power = POWERS[exponent];
      final long reach = near ? NEAR : 0;
      exceptions = 0;
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      long before = 0;
      for (int i = 0; i < rows; i++) {
        long bits = values[from + i];
        double scaled = Double.longBitsToDouble(bits) * power;
        long number = round(scaled);
        long off = bits - Double.doubleToRawLongBits(number / power);
        // A number too large to be exact, or of NaN, may still divide to the right bits.
        if (off <= reach && off >= -reach) {
          least = Math.min(least, off);
          most = Math.max(most, off);
          numbers[i] = number;
          corrections[i] = off;
          before = number;
        } else {
          if (exceptions == MAX_EXCEPTIONS) {
            return false;
          }
          places[exceptions++] = i;
          numbers[i] = before;
          corrections[i] = Long.MAX_VALUE;
        }
      }
      if (exceptions == rows) {
        return false;
      }
      fillExceptions(least);
      leastCorrection = least;
      correctionWidth = BitPacking.width(most - least);
      return true;
    }

    /** Gives exceptions the number and correction that cost least. */
    private void fillExceptions(long least) {
      int leading = 0;
      while (leading < exceptions && places[leading] == leading) {
        leading++;
      }
      for (int x = 0; x < exceptions; x++) {
        corrections[places[x]] = least;
        if (x < leading) {
          numbers[x] = numbers[leading];
        }
      }
    }

    /** Divides the numbers by what they have in common, if that saves more than it takes. */
    private void takeFactor() {
      factor = common.find(numbers, 0, rows);
      if (rows * (BitPacking.width(factor) - 1) <= LEAST_SAVED) {
        factor = 1;
        return;
      }
      origin = Math.floorMod(numbers[0], factor);
      common.divide(numbers, 0, rows, origin, numbers);
    }

    /** Writes what was planned. */
    void write(PayloadWriter out) {
      boolean corrected = correctionWidth > 0 || leastCorrection != 0;
      out.putByte(
          exponent
              | (factor > 1 ? FACTOR : 0)
              | (corrected ? CORRECTIONS : 0)
              | (exceptions > 0 ? EXCEPTIONS : 0));
      if (factor > 1) {
        out.putVarint(factor);
        out.putVarint(origin);
      }
      if (corrected) {
        out.putByte((int) leastCorrection);
        out.putByte(correctionWidth);
      }
      if (exceptions > 0) {
        out.putByte(exceptions);
      }
      frames.write(out);
      out.packBits(corrections, 0, rows, leastCorrection, correctionWidth);
      out.endBits();
      for (int x = 0; x < exceptions; x++) {
        out.putShort(places[x]);
      }
      for (int x = 0; x < exceptions; x++) {
        out.putLong(values[from + places[x]]);
      }
    }
  }
}
