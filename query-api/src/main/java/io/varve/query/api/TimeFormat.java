package io.varve.query.api;

import java.util.Locale;

/** How instants are written in answers. */
enum TimeFormat {
  /** {@code 2024-06-01T00:00:00.000000Z}. */
  RFC3339,
  /** Microseconds since 1970. */
  EPOCH_US,
  /** Milliseconds since 1970; what is finer is cut off, towards the past. */
  EPOCH_MS;

  /** The name in requests. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns an instant as the number that this format writes. */
  long number(long micros) {
    return this == EPOCH_MS ? Math.floorDiv(micros, 1_000L) : micros;
  }
}
