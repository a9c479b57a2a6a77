package io.varve.schemas;

import java.nio.charset.StandardCharsets;

/**
 * Writes instants as {@code 2024-06-01T00:00:00.000000Z}: UTC, always six decimals, always {@value
 * #LENGTH} bytes.
 *
 * <p>Made for answers of thousands of rows: it allocates nothing and divides only by constants.
 */
public final class Rfc3339 {
  /** Bytes of every text. */
  public static final int LENGTH = 27;

  private static final long MICROS_PER_DAY = 86_400_000_000L;

  /** Days in 400 years, after which the Gregorian calendar repeats. */
  private static final int DAYS_PER_ERA = 146_097;

  /** Days from 0000-03-01 to 1970-01-01. */
  private static final int EPOCH_FROM_MARCH_0000 = 719_468;

  private Rfc3339() {}

  /**
   * Writes an instant.
   *
   * @param micros microseconds since 1970, from {@link TimeText#MIN_MICROS} to {@link
   *     TimeText#MAX_MICROS}; others give digits without meaning
   * @return the offset after the text
   * @throws ArrayIndexOutOfBoundsException if fewer than {@value #LENGTH} bytes are left
   */
  public static int write(long micros, byte[] target, int offset) {
    long day = Math.floorDiv(micros, MICROS_PER_DAY);
    long ofDay = micros - day * MICROS_PER_DAY;
    putDate((int) day, target, offset);
    int seconds = (int) (ofDay / 1_000_000);
    int fraction = (int) (ofDay - seconds * 1_000_000L);
    int minutes = seconds / 60;
    int hours = minutes / 60;
    target[offset + 10] = 'T';
    putTwo(hours, target, offset + 11);
    target[offset + 13] = ':';
    putTwo(minutes - hours * 60, target, offset + 14);
    target[offset + 16] = ':';
    putTwo(seconds - minutes * 60, target, offset + 17);
    target[offset + 19] = '.';
    int high = fraction / 10_000;
    int rest = fraction - high * 10_000;
    int middle = rest / 100;
    putTwo(high, target, offset + 20);
    putTwo(middle, target, offset + 22);
    putTwo(rest - middle * 100, target, offset + 24);
    target[offset + 26] = 'Z';
    return offset + LENGTH;
  }

  /** Returns the text of an instant; see {@link #write} for its range. */
  public static String format(long micros) {
    byte[] text = new byte[LENGTH];
    write(micros, text, 0);
    return new String(text, StandardCharsets.US_ASCII);
  }

  /** Writes {@code YYYY-MM-DD}. Years are counted from March, so that a leap day ends its year. */
  private static void putDate(int day, byte[] target, int offset) {
    int fromMarch = day + EPOCH_FROM_MARCH_0000;
    int era = Math.floorDiv(fromMarch, DAYS_PER_ERA);
    int ofEra = fromMarch - era * DAYS_PER_ERA;
    int yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365;
    int ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int monthFromMarch = (5 * ofYear + 2) / 153;
    int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    int year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0);
    int century = year / 100;
    putTwo(century, target, offset);
    putTwo(year - century * 100, target, offset + 2);
    target[offset + 4] = '-';
    putTwo(month, target, offset + 5);
    target[offset + 7] = '-';
    putTwo(ofYear - (153 * monthFromMarch + 2) / 5 + 1, target, offset + 8);
  }

  private static void putTwo(int value, byte[] target, int offset) {
    int tens = value / 10;
    target[offset] = (byte) ('0' + tens);
    target[offset + 1] = (byte) ('0' + (value - tens * 10));
  }
}
