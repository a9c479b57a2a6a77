package io.varve.query.api;

import io.varve.storage.SensorId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Sensor ids as clients write them. */
final class SensorIds {
  /** An id that stands in where none could be read. */
  static final SensorId ANY = SensorId.of("a");

  private SensorIds() {}

  /** Reads an id; empty if the text is none, see {@link #fault}. */
  static Optional<SensorId> parse(String text) {
    return isWellFormed(text)
        ? SensorId.parse(text.getBytes(StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** Says why a text is no id. */
  static String fault(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    SensorId.Fault fault = SensorId.check(bytes, 0, bytes.length);
    if (fault == null || !isWellFormed(text)) {
      return "is not well-formed Unicode";
    }
    return switch (fault) {
      case EMPTY -> "is empty";
      case TOO_LONG -> "is longer than " + SensorId.MAX_BYTES + " bytes of UTF-8: " + bytes.length;
      case CONTROL_CHARACTER -> "has a control character";
      case NOT_UTF8 -> "is not well-formed Unicode";
    };
  }

  /** Half of a surrogate pair has no UTF-8; encoding would put a question mark in its place. */
  private static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        boolean pair =
            Character.isHighSurrogate(text.charAt(i))
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
