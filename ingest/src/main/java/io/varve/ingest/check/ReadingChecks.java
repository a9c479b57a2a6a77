package io.varve.ingest.check;

import io.varve.schemas.ReadingSink;
import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a decoded reading must keep. Decides only; the clock is an argument. Thread-safe
 * and free of allocation.
 */
public final class ReadingChecks {
  private static final long FEBRUARY_1970_MICROS = 31 * UtcDay.MICROS;

  private final long retentionMicros;
  private final long maxFutureMicros;
  private final boolean allow1970;

  /**
   * @param retention event time that the store keeps; empty keeps all
   * @param maxFuture how far ahead of now a reading may be
   * @param allow1970 whether timestamps in January 1970 are admitted
   */
  public ReadingChecks(Optional<Duration> retention, Duration maxFuture, boolean allow1970) {
    this.retentionMicros = retention.map(ReadingChecks::micros).orElse(Long.MAX_VALUE);
    this.maxFutureMicros = micros(maxFuture);
    this.allow1970 = allow1970;
  }

  private static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }

  /**
   * Finds the first rule that a reading breaks; null if it breaks none.
   *
   * @param idLength bytes of the id, or {@link ReadingSink#MISSING_ID}
   * @param nowMicros when the reading came in, in microseconds since 1970
   */
  public @Nullable Refusal check(
      byte[] id,
      int idOffset,
      int idLength,
      boolean hasTimestamp,
      long timestampMicros,
      boolean hasValue,
      long nowMicros) {
    Refusal refusal = checkId(id, idOffset, idLength);
    if (refusal != null) {
      return refusal;
    }
    if (!hasTimestamp) {
      return Refusal.TIMESTAMP_MISSING;
    }
    if (!hasValue) {
      return Refusal.VALUE_MISSING;
    }
    return checkTime(timestampMicros, nowMicros);
  }

  private static @Nullable Refusal checkId(byte[] id, int idOffset, int idLength) {
    if (idLength == ReadingSink.MISSING_ID) {
      return Refusal.ID_MISSING;
    }
    SensorId.Fault fault = SensorId.check(id, idOffset, idLength);
    if (fault == null) {
      return null;
    }
    return switch (fault) {
      case EMPTY -> Refusal.ID_EMPTY;
      case TOO_LONG -> Refusal.ID_TOO_LONG;
      case CONTROL_CHARACTER -> Refusal.ID_CONTROL_CHARACTER;
      case NOT_UTF8 -> Refusal.ID_NOT_UTF8;
    };
  }

  private @Nullable Refusal checkTime(long timestampMicros, long nowMicros) {
    if (timestampMicros < UtcDay.MIN_TIMESTAMP_MICROS
        || timestampMicros >= UtcDay.END_TIMESTAMP_MICROS) {
      return Refusal.OUT_OF_RANGE;
    }
    // The unit mistake is named before the age that follows from it.
    if (!allow1970 && timestampMicros >= 0 && timestampMicros < FEBRUARY_1970_MICROS) {
      return Refusal.JANUARY_1970;
    }
    // Differences cannot overflow: both instants lie within years 1 to 9999, or now is near them.
    if (timestampMicros - nowMicros > maxFutureMicros) {
      return Refusal.TOO_FAR_AHEAD;
    }
    if (nowMicros - timestampMicros > retentionMicros) {
      return Refusal.TOO_OLD;
    }
    return null;
  }
}
