package io.varve.query.api;

import io.varve.storage.SensorId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Sensor ids as clients write them. */
final class SensorIds {
  /** An id that stands in where none could be read. */
  static final SensorId ANY = SensorId.of("a");

  private SensorIds() {}

  /** Says why a text is no sensor id; empty when it is one. */
  static Optional<String> fault(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    SensorId.Fault fault = SensorId.check(bytes, 0, bytes.length);
    if (fault == null) {
      return Optional.empty();
    }
    return Optional.of(
        switch (fault) {
          case EMPTY -> "is empty";
          case TOO_LONG ->
              "is longer than " + SensorId.MAX_BYTES + " bytes of UTF-8: " + bytes.length;
          case CONTROL_CHARACTER -> "has a control character";
          case NOT_UTF8 -> "is not well-formed Unicode";
        });
  }
}
