package io.varve.schemas;

import io.varve.schemas.TimeText.Invalid;

/**
 * The language of durations: whole numbers with units from large to small, such as {@code 5m},
 * {@code 1h30m}, {@code 250ms} or {@code 7d}.
 *
 * <p>Units are d, h, m, s, ms and us. A day is 24 hours.
 */
public final class Durations {
  private static final String EXAMPLE = "1h30m";
  private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us"};
  private static final long[] UNIT_MICROS = {
    86_400_000_000L, 3_600_000_000L, 60_000_000L, 1_000_000L, 1_000L, 1L
  };

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @return microseconds, 0 or more
   * @throws Invalid if the text is no duration, repeats a unit or names them out of order, or is
   *     longer than 64 bits of microseconds hold
   */
  public static long parseMicros(String text) throws Invalid {
    if (text.isEmpty()) {
      throw new Invalid("has no duration", EXAMPLE);
    }
    long total = 0;
    int at = 0;
    int nextUnit = 0;
    try {
      while (at < text.length()) {
        int start = at;
        while (at < text.length() && TimeText.isDigit(text.charAt(at))) {
          at++;
        }
        if (at == start) {
          throw new Invalid("must have a whole number before each unit", EXAMPLE);
        }
        if (at - start > 18) {
          throw tooLong();
        }
        final long number = Long.parseLong(text, start, at, 10);
        int unitStart = at;
        while (at < text.length() && text.charAt(at) >= 'a' && text.charAt(at) <= 'z') {
          at++;
        }
        int unit = unitAt(text.substring(unitStart, at));
        if (unit < nextUnit) {
          throw new Invalid("must name each unit once, from large to small", EXAMPLE);
        }
        nextUnit = unit + 1;
        total = Math.addExact(total, Math.multiplyExact(number, UNIT_MICROS[unit]));
      }
    } catch (ArithmeticException e) {
      throw tooLong();
    }
    return total;
  }

  private static int unitAt(String unit) throws Invalid {
    for (int i = 0; i < UNITS.length; i++) {
      if (UNITS[i].equals(unit)) {
        return i;
      }
    }
    throw new Invalid(
        unit.isEmpty()
            ? "must have a unit (d, h, m, s, ms or us) after each number"
            : "has an unknown unit; known are d, h, m, s, ms and us",
        EXAMPLE);
  }

  private static Invalid tooLong() {
    return new Invalid("is longer than 292 000 years", EXAMPLE);
  }

  /**
   * Writes a duration in the shortest exact form that {@link #parseMicros} reads.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public static String format(long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException("negative duration micros=" + micros);
    }
    if (micros == 0) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    long rest = micros;
    for (int i = 0; i < UNITS.length; i++) {
      long count = rest / UNIT_MICROS[i];
      if (count > 0) {
        text.append(count).append(UNITS[i]);
        rest -= count * UNIT_MICROS[i];
      }
    }
    return text.toString();
  }
}
