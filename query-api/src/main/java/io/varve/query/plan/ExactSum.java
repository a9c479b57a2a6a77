package io.varve.query.plan;

/**
 * The exact sum of any number of finite doubles, rounded once at the end: the same bits in whatever
 * order they are added, and no overflow on the way.
 *
 * <p>A small superaccumulator (Radford M. Neal, "Fast exact summation using small and large
 * superaccumulators", 2015, section 2): a fixed-point number over the whole range of doubles, in
 * chunks of 32 bits that are kept in 64-bit words, so that carries need attention only once in many
 * additions.
 *
 * <pre>
 *   value = Σ chunks[i] · 2^(32·i − 1075)        chunks may be negative until carried
 * </pre>
 */
final class ExactSum {
  private static final int CHUNKS = 68;
  private static final int CHUNK_BITS = 32;
  private static final long CHUNK_MASK = 0xffff_ffffL;

  /** An addition changes a chunk by less than 2⁵²; this many fit beside a carried chunk. */
  private static final int ADDS_BEFORE_CARRY = 2_000;

  private static final long SIGNIFICAND_MASK = 0xf_ffff_ffff_ffffL;

  /** The biased exponent of infinities and NaN. */
  private static final int NOT_FINITE = 0x7ff;

  private static final int LSB_EXPONENT = -1_075;

  private final long[] chunks = new long[CHUNKS];
  private int low = CHUNKS;
  private int high = -1;
  private int adds;

  /** Significand of the rounded sum, signed, at most 2⁵³; its weight is {@link #exponent}. */
  private double significand;

  private int exponent;

  /** Forgets everything that was added. */
  void clear() {
    for (int i = low; i <= high; i++) {
      chunks[i] = 0;
    }
    low = CHUNKS;
    high = -1;
    adds = 0;
  }

  /** Adds a finite value; zeros of either sign change nothing. */
  void add(double value) {
    long bits = Double.doubleToRawLongBits(value);
    int biased = biased(bits);
    long significandBits = bits & SIGNIFICAND_MASK;
    if (biased == 0) {
      if (significandBits == 0) {
        return;
      }
      biased = 1;
    } else {
      significandBits |= 1L << 52;
    }
    int chunk = biased >>> 5;
    int shift = biased & 31;
    long lower = (significandBits << shift) & CHUNK_MASK;
    long upper = significandBits >>> (CHUNK_BITS - shift);
    if (bits < 0) {
      chunks[chunk] -= lower;
      chunks[chunk + 1] -= upper;
    } else {
      chunks[chunk] += lower;
      chunks[chunk + 1] += upper;
    }
    low = Math.min(low, chunk);
    high = Math.max(high, chunk + 1);
    if (++adds == ADDS_BEFORE_CARRY) {
      carry();
    }
  }

  /**
   * Adds the finite values among elements {@code [from, to)}. Neighbours mostly have exponents near
   * one another, so that they go into the same two chunks, which are added to once for all of them.
   *
   * @param valueBits bits of doubles
   */
  void add(long[] valueBits, int from, int to) {
    int at = from;
    while (at < to) {
      int chunk = biased(valueBits[at]) >>> 5;
      int end = Math.min(to, at + ADDS_BEFORE_CARRY - adds);
      long lower = 0;
      long upper = 0;
      int i = at;
      for (; i < end; i++) {
        long bits = valueBits[i];
        int biased = biased(bits);
        if (biased >>> 5 != chunk || biased == 0 || biased == NOT_FINITE) {
          break;
        }
        long significandBits = bits & SIGNIFICAND_MASK | 1L << 52;
        int shift = biased & 31;
        long sign = bits >> 63; // 0 or −1: (x ^ sign) − sign is x or −x
        lower += ((significandBits << shift & CHUNK_MASK) ^ sign) - sign;
        upper += (significandBits >>> (CHUNK_BITS - shift) ^ sign) - sign;
      }
      if (i == at) {
        if (biased(valueBits[at]) != NOT_FINITE) {
          add(Double.longBitsToDouble(valueBits[at]));
        }
        at++;
        continue;
      }
      chunks[chunk] += lower;
      chunks[chunk + 1] += upper;
      low = Math.min(low, chunk);
      high = Math.max(high, chunk + 1);
      adds += i - at;
      if (adds == ADDS_BEFORE_CARRY) {
        carry();
      }
      at = i;
    }
  }

  private static int biased(long bits) {
    return (int) (bits >>> 52) & NOT_FINITE;
  }

  /** Returns the sum, rounded half to even; beyond the range of doubles an infinity. */
  double sum() {
    round();
    return Math.scalb(significand, exponent);
  }

  /**
   * Returns the sum divided by a count; stays finite where the sum alone would not.
   *
   * @param count at least 1
   */
  double average(long count) {
    round();
    return Math.scalb(significand / count, exponent);
  }

  /** Brings every chunk but the topmost into [0, 2³²); the topmost keeps the sign. */
  private void carry() {
    for (int i = low; i < high || chunks[i] > CHUNK_MASK || chunks[i] < -CHUNK_MASK; i++) {
      chunks[i + 1] += chunks[i] >> CHUNK_BITS;
      chunks[i] &= CHUNK_MASK;
      high = Math.max(high, i + 1);
    }
    adds = 0;
  }

  private void round() {
    significand = 0;
    exponent = 0;
    if (high < 0) {
      return;
    }
    carry();
    boolean negative = chunks[high] < 0;
    if (negative) {
      negate();
    }
    int top = high;
    while (top >= low && chunks[top] == 0) {
      top--;
    }
    if (top >= low) {
      round(top);
    }
    if (negative) {
      significand = -significand;
      negate();
    }
  }

  private void negate() {
    for (int i = low; i <= high; i++) {
      chunks[i] = -chunks[i];
    }
    carry();
  }

  /** Rounds the chunks up to the topmost non-zero one, all carried, to 53 bits. */
  private void round(int top) {
    int zeros = Long.numberOfLeadingZeros(chunks[top]) - CHUNK_BITS;
    long third = chunkAt(top - 2);
    long window =
        (((chunks[top] << CHUNK_BITS) | chunkAt(top - 1)) << zeros)
            | (third >>> (CHUNK_BITS - zeros));
    boolean sticky = ((third << zeros) & CHUNK_MASK) != 0;
    for (int i = low; i < top - 2 && !sticky; i++) {
      sticky = chunks[i] != 0;
    }
    long bits = window >>> 11;
    long rest = window & 0x7ff;
    if (rest > 0x400 || (rest == 0x400 && (sticky || (bits & 1) == 1))) {
      bits++;
    }
    significand = bits;
    exponent = 11 + CHUNK_BITS * (top - 1) - zeros + LSB_EXPONENT;
  }

  private long chunkAt(int index) {
    return index < 0 ? 0 : chunks[index];
  }
}
