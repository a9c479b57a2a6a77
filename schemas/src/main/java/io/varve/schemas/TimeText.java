package io.varve.schemas;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.OptionalLong;

/**
 * The language of instants shared by JSON, CSV, HTTP and the command line.
 *
 * <pre>
 *   number     := below 1e11 seconds, below 1e14 millis, below 1e17 micros, else nanos,
 *                 by absolute value; decimals are allowed
 *   instant    := YYYY-MM-DD ('T' | 't' | ' ') HH:MM:SS ['.' digits] ('Z' | 'z' | ±HH:MM)
 *   utc        := YYYY-MM-DD ' ' HH:MM:SS ['.' digits]
 *   date       := YYYY-MM-DD                              its first instant, UTC
 *   relative   := 'now' | 'now' ('-' | '+') duration | '-' duration
 * </pre>
 *
 * <p>What is finer than a microsecond is cut off, towards the past. Relative instants are
 * understood only where the caller gives the present ({@link #parse(String, long)}).
 */
public final class TimeText {
  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** First supported instant: 0001-01-01T00:00:00Z. */
  public static final long MIN_MICROS = LocalDate.of(1, 1, 1).toEpochDay() * MICROS_PER_DAY;

  /** Last supported instant: 9999-12-31T23:59:59.999999Z. */
  public static final long MAX_MICROS = LocalDate.of(10000, 1, 1).toEpochDay() * MICROS_PER_DAY - 1;

  private static final long SECONDS_BELOW = 100_000_000_000L;
  private static final long MILLIS_BELOW = 100_000_000_000_000L;
  private static final long MICROS_BELOW = 100_000_000_000_000_000L;

  /** Longer texts are refused unread: no instant needs them. */
  private static final int MAX_LENGTH = 64;

  /** Decimal exponents beyond this are far outside of every range; they are never expanded. */
  private static final int MAX_EXPONENT = 40;

  private static final String EXAMPLE = "2024-06-01T00:00:00Z";

  private static final String RANGE =
      "is outside of the supported range 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z";

  private static final String PLUS_IN_URL = "%2B";

  private TimeText() {}

  /** A text that is no instant or duration, with the reason and a right example. */
  public static final class Invalid extends Exception {
    private static final long serialVersionUID = 1L;

    private final String example;

    Invalid(String reason, String example) {
      super(reason, null, false, false);
      this.example = example;
    }

    /** Why the text is refused; reads on after the parameter's name. */
    public String reason() {
      return String.valueOf(getMessage());
    }

    /** A text that would be right. */
    public String example() {
      return example;
    }
  }

  /**
   * Reads a whole number by magnitude.
   *
   * @return microseconds since 1970; never overflows, but may lie outside of the supported range
   */
  public static long ofNumber(long number) {
    if (number > -SECONDS_BELOW && number < SECONDS_BELOW) {
      return number * 1_000_000;
    }
    if (number > -MILLIS_BELOW && number < MILLIS_BELOW) {
      return number * 1_000;
    }
    if (number > -MICROS_BELOW && number < MICROS_BELOW) {
      return number;
    }
    return Math.floorDiv(number, 1_000L);
  }

  /**
   * Reads a number with decimals or an exponent by magnitude.
   *
   * @return microseconds since 1970, as {@link Long#MIN_VALUE} or {@link Long#MAX_VALUE} where 64
   *     bits do not hold them; may lie outside of the supported range
   * @throws Invalid if the text is no number, or longer than 64 characters
   */
  public static long ofNumber(String text) throws Invalid {
    OptionalLong whole = wholeNumber(text);
    if (whole.isPresent()) {
      return ofNumber(whole.getAsLong());
    }
    if (text.length() > MAX_LENGTH) {
      throw tooLong();
    }
    for (int i = 0; i < text.length(); i++) {
      if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
        throw notUnderstood();
      }
    }
    try {
      return ofDecimal(new BigDecimal(text));
    } catch (NumberFormatException e) {
      throw notUnderstood();
    }
  }

  private static long ofDecimal(BigDecimal number) {
    if (number.signum() == 0) {
      return 0;
    }
    long exponent = (long) number.precision() - number.scale();
    if (exponent > MAX_EXPONENT) {
      return number.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    if (exponent < -MAX_EXPONENT) {
      return number.signum() < 0 ? -1 : 0;
    }
    BigDecimal size = number.abs();
    BigDecimal micros;
    if (size.compareTo(BigDecimal.valueOf(SECONDS_BELOW)) < 0) {
      micros = number.movePointRight(6);
    } else if (size.compareTo(BigDecimal.valueOf(MILLIS_BELOW)) < 0) {
      micros = number.movePointRight(3);
    } else if (size.compareTo(BigDecimal.valueOf(MICROS_BELOW)) < 0) {
      micros = number;
    } else {
      micros = number.movePointLeft(3);
    }
    BigInteger floor = micros.setScale(0, RoundingMode.FLOOR).toBigInteger();
    if (floor.bitLength() > 63) {
      return floor.signum() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return floor.longValue();
  }

  /**
   * Reads an absolute instant: a number, RFC 3339, a date, or a date and time as UTC.
   *
   * @return microseconds since 1970, within the supported range
   * @throws Invalid if the text is none of these or outside of the supported range
   */
  public static long parse(String text) throws Invalid {
    return inRange(parseAnywhere(text));
  }

  /**
   * Reads an absolute or relative instant.
   *
   * @param nowMicros the present, in microseconds since 1970
   * @return microseconds since 1970, within the supported range
   * @throws Invalid if the text is neither, or outside of the supported range
   */
  public static long parse(String text, long nowMicros) throws Invalid {
    if (text.equals("now")) {
      return inRange(nowMicros);
    }
    boolean fromNow = text.startsWith("now");
    int sign = fromNow ? 3 : 0;
    boolean back = text.startsWith("-", sign);
    boolean isRelative = fromNow || (back && !looksLikeDate(text) && endsWithLetter(text));
    if (!isRelative) {
      return parse(text);
    }
    if (text.length() > MAX_LENGTH) {
      throw tooLong();
    }
    if (!back && !text.startsWith("+", sign)) {
      throw new Invalid(
          "must go on with - or + after \"now\"; in a URL its plus sign is written " + PLUS_IN_URL,
          "now-1h30m");
    }
    long duration;
    try {
      duration = Durations.parseMicros(text.substring(sign + 1));
    } catch (Invalid e) {
      throw new Invalid(e.reason(), "now-1h30m");
    }
    try {
      return inRange(
          back ? Math.subtractExact(nowMicros, duration) : Math.addExact(nowMicros, duration));
    } catch (ArithmeticException e) {
      throw new Invalid(RANGE, EXAMPLE);
    }
  }

  /**
   * Reads an absolute instant without checking the supported range, for callers that refuse what is
   * outside by a rule of their own.
   */
  static long parseAnywhere(String text) throws Invalid {
    if (text.isEmpty()) {
      throw new Invalid("is empty", EXAMPLE);
    }
    if (text.length() > MAX_LENGTH) {
      throw tooLong();
    }
    return looksLikeDate(text) ? new DateTimeReader(text).read() : ofNumber(text);
  }

  /** A hyphen or slash after digits: what begins so was meant as a date, right or wrong. */
  private static boolean looksLikeDate(String text) {
    int i = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    int digits = 0;
    while (i < text.length() && isDigit(text.charAt(i))) {
      i++;
      digits++;
    }
    return digits >= 1 && i < text.length() && (text.charAt(i) == '-' || text.charAt(i) == '/');
  }

  private static boolean endsWithLetter(String text) {
    char last = text.charAt(text.length() - 1);
    return last >= 'a' && last <= 'z';
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static long inRange(long micros) throws Invalid {
    if (micros < MIN_MICROS || micros > MAX_MICROS) {
      throw new Invalid(RANGE, EXAMPLE);
    }
    return micros;
  }

  static Invalid outOfRange() {
    return new Invalid(RANGE, EXAMPLE);
  }

  private static Invalid notUnderstood() {
    return new Invalid(
        "is no time: neither a number, nor RFC 3339, nor YYYY-MM-DD, nor YYYY-MM-DD HH:MM:SS",
        EXAMPLE);
  }

  private static Invalid tooLong() {
    return new Invalid("is longer than any time (" + MAX_LENGTH + " characters)", EXAMPLE);
  }

  /** Reads digits with an optional minus that fit 64 bits; empty for everything else. */
  private static OptionalLong wholeNumber(String text) {
    int length = text.length();
    boolean negative = length > 0 && text.charAt(0) == '-';
    int at = negative ? 1 : 0;
    if (at == length || length - at > 18) {
      return OptionalLong.empty();
    }
    long number = 0;
    for (; at < length; at++) {
      char c = text.charAt(at);
      if (!isDigit(c)) {
        return OptionalLong.empty();
      }
      number = number * 10 + (c - '0');
    }
    return OptionalLong.of(negative ? -number : number);
  }
}
