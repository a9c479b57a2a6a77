package io.varve.schemas;

import io.varve.schemas.TimeText.Invalid;
import java.time.DateTimeException;
import java.time.LocalDate;

/** Reads one text that begins as a date does; the grammar is drawn at {@link TimeText}. */
final class DateTimeReader {
  private static final String EXAMPLE = "2024-06-01T00:00:00Z";
  private static final long MICROS_PER_SECOND = 1_000_000L;

  private final String text;
  private int at;

  DateTimeReader(String text) {
    this.text = text;
  }

  /**
   * Reads the whole text.
   *
   * @return microseconds since 1970, within the supported range
   */
  long read() throws Invalid {
    checkYear();
    int year = digits(4, "year");
    expect('-');
    int month = digits(2, "month");
    expect('-');
    int day = digits(2, "day");
    long epochDay;
    try {
      epochDay = LocalDate.of(year, month, day).toEpochDay();
    } catch (DateTimeException e) {
      throw invalid("names a day that the calendar does not have");
    }
    long seconds = epochDay * 86_400L;
    if (at == text.length()) {
      return seconds * MICROS_PER_SECOND;
    }
    char separator = text.charAt(at++);
    if (separator != 'T' && separator != 't' && separator != ' ') {
      throw invalid("must have T or a space between date and time");
    }
    seconds += timeOfDay();
    long fraction = fraction();
    seconds -= offsetSeconds(separator == ' ');
    return TimeText.inRange(seconds * MICROS_PER_SECOND + fraction);
  }

  /** Tells years of another length apart, which are outside of the range and not misspelt. */
  private void checkYear() throws Invalid {
    int start = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    int hyphen = start;
    while (hyphen < text.length() && TimeText.isDigit(text.charAt(hyphen))) {
      hyphen++;
    }
    int length = hyphen - start;
    if (length > 4 || (length == 4 && (start == 1 || text.startsWith("0000")))) {
      throw TimeText.outOfRange();
    }
  }

  private long timeOfDay() throws Invalid {
    int hour = digits(2, "hour");
    expect(':');
    int minute = digits(2, "minute");
    if (at == text.length() || text.charAt(at) != ':') {
      throw invalid("must have seconds");
    }
    at++;
    int second = digits(2, "second");
    if (second == 60) {
      throw invalid("names a leap second (:60), which UTC days here do not have; use :59");
    }
    if (hour > 23 || minute > 59 || second > 59) {
      throw invalid("names a time of day beyond 23:59:59");
    }
    return hour * 3600L + minute * 60L + second;
  }

  /** Reads decimals of the second, of which six count. */
  private long fraction() throws Invalid {
    if (at == text.length() || text.charAt(at) != '.') {
      return 0;
    }
    at++;
    int start = at;
    long micros = 0;
    while (at < text.length() && TimeText.isDigit(text.charAt(at))) {
      if (at - start < 6) {
        micros = micros * 10 + (text.charAt(at) - '0');
      }
      at++;
    }
    if (at == start) {
      throw invalid("must have digits after the decimal point");
    }
    for (int digits = at - start; digits < 6; digits++) {
      micros *= 10;
    }
    return micros;
  }

  private long offsetSeconds(boolean utcWhenAbsent) throws Invalid {
    if (at == text.length()) {
      if (utcWhenAbsent) {
        return 0;
      }
      throw invalid("must end with Z or an offset like +02:00");
    }
    char sign = text.charAt(at++);
    if (sign == 'Z' || sign == 'z') {
      expectEnd();
      return 0;
    }
    if (sign == ' ') {
      throw invalid("has a space where an offset begins; in a URL its plus sign is written %2B");
    }
    if (sign != '+' && sign != '-') {
      throw invalid("must end with Z or an offset like +02:00");
    }
    int hours = digits(2, "offset hour");
    expect(':');
    int minutes = digits(2, "offset minute");
    if (hours > 23 || minutes > 59) {
      throw invalid("has an offset beyond 23:59");
    }
    expectEnd();
    long seconds = hours * 3600L + minutes * 60L;
    return sign == '-' ? -seconds : seconds;
  }

  private int digits(int count, String what) throws Invalid {
    int value = 0;
    for (int i = 0; i < count; i++, at++) {
      if (at == text.length() || !TimeText.isDigit(text.charAt(at))) {
        throw invalid("must have " + count + " digits of the " + what + " at position " + at);
      }
      value = value * 10 + (text.charAt(at) - '0');
    }
    return value;
  }

  private void expect(char c) throws Invalid {
    if (at == text.length() || text.charAt(at) != c) {
      throw invalid("must have '" + c + "' at position " + at);
    }
    at++;
  }

  private void expectEnd() throws Invalid {
    if (at != text.length()) {
      throw invalid("goes on after the time, at position " + at);
    }
  }

  private static Invalid invalid(String reason) {
    return new Invalid(reason, EXAMPLE);
  }
}
