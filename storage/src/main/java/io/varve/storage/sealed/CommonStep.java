package io.varve.storage.sealed;

/**
 * The greatest common divisor of the steps from number to number, and exact division by it without
 * a division: d is a multiple of an odd number when d × its inverse, unsigned, is not above the
 * greatest quotient (Warren, "Hacker's Delight", section 10-17).
 */
final class CommonStep {
  private long step;
  private int twos;
  private long inverse;
  private long greatestQuotient;

  /** Finds it for {@code numbers[from .. from + rows)}; 1 when the numbers are all the same. */
  long find(long[] numbers, int from, int rows) {
    set(1);
    boolean found = false;
    for (int i = from + 1; i < from + rows; i++) {
      long delta = Math.abs(numbers[i] - numbers[i - 1]);
      if (delta == 0 || found && isMultiple(delta)) {
        continue;
      }
      if (delta < 0) {
        set(1);
        return 1;
      }
      set(found ? greatestCommonDivisor(step, delta) : delta);
      found = true;
      if (step == 1) {
        return 1;
      }
    }
    return step;
  }

  void set(long step) {
    this.step = step;
    twos = Long.numberOfTrailingZeros(step);
    long odd = step >>> twos;
    long x = odd; // Right in 3 bits; each round doubles them.
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      x *= 2 - odd * x;
    }
    inverse = x;
    greatestQuotient = Long.divideUnsigned(-1, odd);
  }

  long step() {
    return step;
  }

  private boolean isMultiple(long delta) {
    return (delta & (1L << twos) - 1) == 0
        && Long.compareUnsigned((delta >>> twos) * inverse, greatestQuotient) <= 0;
  }

  /** Writes {@code (numbers[i] - origin) / step} for rows whose differences are multiples of it. */
  void divide(long[] numbers, int from, int rows, long origin, long[] out) {
    for (int i = 0; i < rows; i++) {
      out[i] = (numbers[from + i] - origin >> twos) * inverse;
    }
  }

  private static long greatestCommonDivisor(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return x;
  }
}
