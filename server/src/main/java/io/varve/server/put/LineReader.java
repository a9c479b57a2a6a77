package io.varve.server.put;

import io.varve.schemas.TimeText;
import io.varve.storage.SensorId;
import java.nio.charset.StandardCharsets;

/**
 * Reads the cells of a line as a reading. Refuses what is certainly wrong; rules that depend on the
 * node's settings (too old, too far ahead) are the node's.
 */
final class LineReader {
  private static final String REPLACEMENT = "\ufffd";

  private LineReader() {}

  /**
   * Checks a sensor id.
   *
   * @throws RefusedLineException when it is none
   */
  static String sensor(String text) throws RefusedLineException {
    if (text.contains(REPLACEMENT)) {
      throw new RefusedLineException("sensor_id is not UTF-8");
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    SensorId.Fault fault = SensorId.check(utf8, 0, utf8.length);
    if (fault != null) {
      throw new RefusedLineException(
          switch (fault) {
            case EMPTY -> "sensor_id is empty";
            case TOO_LONG ->
                "sensor_id is over " + SensorId.MAX_BYTES + " bytes: bytes=" + utf8.length;
            case CONTROL_CHARACTER -> "sensor_id has a control character";
            case NOT_UTF8 -> "sensor_id is not UTF-8";
          });
    }
    return text;
  }

  /**
   * Reads a time, in microseconds.
   *
   * @throws RefusedLineException when the text is none
   */
  static long timestamp(String text) throws RefusedLineException {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      throw new RefusedLineException("timestamp is missing");
    }
    try {
      return TimeText.parse(stripped);
    } catch (TimeText.Invalid e) {
      throw new RefusedLineException(
          "timestamp " + e.reason() + ": got=" + shown(text) + " example=" + e.example());
    }
  }

  /**
   * Reads a double: decimal digits, or NaN, Infinity, -Infinity.
   *
   * @throws RefusedLineException when the text is none, or too large for a double
   */
  static double value(String text) throws RefusedLineException {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      throw new RefusedLineException("value is missing");
    }
    switch (stripped) {
      case "NaN":
        return Double.NaN;
      case "Infinity", "+Infinity":
        return Double.POSITIVE_INFINITY;
      case "-Infinity":
        return Double.NEGATIVE_INFINITY;
      default:
        break;
    }
    // Java's own grammar also takes 1d, 0x1p3 and the like, which no other reader of CSV would.
    for (int i = 0; i < stripped.length(); i++) {
      char c = stripped.charAt(i);
      if (!(c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E')) {
        throw noNumber(text);
      }
    }
    double value;
    try {
      value = Double.parseDouble(stripped);
    } catch (NumberFormatException e) {
      throw noNumber(text);
    }
    if (Double.isInfinite(value)) {
      throw new RefusedLineException("value is too large for a double: got=" + shown(text));
    }
    return value;
  }

  private static RefusedLineException noNumber(String text) {
    return new RefusedLineException("value is no number: got=" + shown(text));
  }

  /**
   * Reads a sequence; empty text is 0.
   *
   * @throws RefusedLineException when the text is no 64-bit whole number
   */
  static long sequence(String text) throws RefusedLineException {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      return 0;
    }
    try {
      return Long.parseLong(stripped);
    } catch (NumberFormatException e) {
      throw new RefusedLineException("sequence is no whole number of 64 bits: got=" + shown(text));
    }
  }

  /** A cell as it may be shown: one line, not too long. */
  static String shown(String text) {
    String oneLine = text.replaceAll("\\p{Cntrl}", "?");
    return oneLine.length() <= 60 ? oneLine : oneLine.substring(0, 60) + "…";
  }
}
