package io.varve.schemas;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Keeps what a decoder hands over, in order, for comparison. */
final class CapturingSink implements ReadingSink {
  /** A reading as it was handed over; what was missing is empty. */
  record Reading(
      Optional<String> id, Optional<Long> micros, Optional<Double> value, long sequence) {
    static Reading of(String id, long micros, double value, long sequence) {
      return new Reading(Optional.of(id), Optional.of(micros), Optional.of(value), sequence);
    }
  }

  final List<Reading> readings = new ArrayList<>();
  final List<Undecodable> unusable = new ArrayList<>();

  @Override
  public void reading(
      byte[] id,
      int idOffset,
      int idLength,
      boolean hasTimestamp,
      long timestampMicros,
      boolean hasValue,
      double value,
      long sequence) {
    readings.add(
        new Reading(
            idLength == MISSING_ID
                ? Optional.empty()
                : Optional.of(new String(id, idOffset, idLength, StandardCharsets.UTF_8)),
            hasTimestamp ? Optional.of(timestampMicros) : Optional.empty(),
            hasValue ? Optional.of(value) : Optional.empty(),
            sequence));
  }

  @Override
  public void unusable(Undecodable fault) {
    unusable.add(fault);
  }
}
