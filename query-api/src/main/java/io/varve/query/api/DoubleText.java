package io.varve.query.api;

import com.fasterxml.jackson.core.io.NumberOutput;

/**
 * Doubles as decimal text that reads back to the same bits, as short as that allows.
 *
 * <p>Most measured values are short decimals. For these, digits are found without allocation: the
 * least k at which some whole m below 10¹⁵ has m / 10ᵏ equal to the value. Both m and 10ᵏ are exact
 * doubles and division is rounded correctly, so the text "m shifted by k" reads back to the value;
 * and below 10¹⁵ no shorter text does. All other values take Jackson's Schubfach writer.
 */
final class DoubleText {
  /** Room that any text needs. */
  static final int MAX_LENGTH = 26;

  private static final double MAX_DIGITS = 1e15;
  private static final double MIN_PLAIN = 1e-3;
  private static final double[] POWERS = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};

  private DoubleText() {}

  /**
   * Writes a finite value as ASCII.
   *
   * @return the offset after the text
   */
  static int write(double value, char[] target, int offset) {
    double size = Math.abs(value);
    if (size >= MIN_PLAIN && size < MAX_DIGITS) {
      for (int k = 0; k < POWERS.length; k++) {
        double scaled = size * POWERS[k];
        if (scaled >= MAX_DIGITS) {
          break;
        }
        long digits = (long) (scaled + 0.5);
        if (digits / POWERS[k] == size) {
          return writeDecimal(digits, k, value < 0, target, offset);
        }
      }
    }
    String text = NumberOutput.toString(value, true);
    text.getChars(0, text.length(), target, offset);
    return offset + text.length();
  }

  private static int writeDecimal(
      long digits, int decimals, boolean negative, char[] target, int offset) {
    int shown = Math.max(1, decimals);
    long rest = decimals == 0 ? digits * 10 : digits;
    int length = (negative ? 1 : 0) + digitsOf(rest, shown) + 1;
    int point = offset + length - shown - 1;
    for (int at = offset + length - 1; at >= offset + (negative ? 1 : 0); at--) {
      if (at == point) {
        target[at] = '.';
      } else {
        target[at] = (char) ('0' + rest % 10);
        rest /= 10;
      }
    }
    if (negative) {
      target[offset] = '-';
    }
    return offset + length;
  }

  /** Number of digits to write, at least one before the point. */
  private static int digitsOf(long digits, int decimals) {
    int count = 1;
    for (long rest = digits; rest >= 10; rest /= 10) {
      count++;
    }
    return Math.max(count, decimals + 1);
  }
}
