package io.varve.query.api;

import io.varve.query.HttpSettings;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.OptionalLong;

/** The time that queries may take. */
final class Timeouts {
  private static final long MIN_MICROS = 1_000;

  private Timeouts() {}

  /** Reads the parameter {@code timeout}. */
  static Duration of(Parameters parameters, HttpSettings settings) {
    long max = settings.maxTimeout().toNanos() / 1_000;
    OptionalLong micros = parameters.duration("timeout", MIN_MICROS, max, "2s");
    return micros.isPresent()
        ? Duration.of(micros.getAsLong(), ChronoUnit.MICROS)
        : settings.timeout();
  }
}
