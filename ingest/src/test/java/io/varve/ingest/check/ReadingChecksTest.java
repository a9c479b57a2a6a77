package io.varve.ingest.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.UtcDay;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadingChecksTest {
  private static final long NOW = micros("2024-06-15T12:00:00Z");
  private static final long HOUR = Duration.ofHours(1).toNanos() / 1000;

  private final ReadingChecks keepAll =
      new ReadingChecks(Optional.empty(), Duration.ofHours(1), false);

  private static long micros(String instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(instant));
  }

  private static @Nullable Refusal check(ReadingChecks checks, String id, long timestamp) {
    byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
    return checks.check(bytes, 0, bytes.length, true, timestamp, true, NOW);
  }

  private @Nullable Refusal time(long timestamp) {
    return check(keepAll, "a", timestamp);
  }

  private @Nullable Refusal id(String id) {
    return check(keepAll, id, NOW);
  }

  @Test
  void idsAreTakenAsTheyAreUpTo256Bytes() { // C117, C119, C121, C125, C209
    for (String id : new String[] {"a", "plant/7/line a", "%7B", "..", "é", "🌡", "=1+1", "CON"}) {
      assertThat(id(id)).isNull();
    }
    assertThat(id("")).isEqualTo(Refusal.ID_EMPTY);
    assertThat(id("line\nbreak")).isEqualTo(Refusal.ID_CONTROL_CHARACTER); // C211
    assertThat(keepAll.check(new byte[0], 0, -1, true, NOW, true, NOW))
        .isEqualTo(Refusal.ID_MISSING);
    assertThat(keepAll.check(new byte[] {(byte) 0xff}, 0, 1, true, NOW, true, NOW))
        .isEqualTo(Refusal.ID_NOT_UTF8);
  }

  @Test
  void theLimitOfAnIdIsInBytes() { // C123
    assertThat(id("a".repeat(256))).isNull();
    assertThat(id("a".repeat(257))).isEqualTo(Refusal.ID_TOO_LONG);
    assertThat(id("🌡".repeat(64))).isNull();
    assertThat(id("🌡".repeat(65))).isEqualTo(Refusal.ID_TOO_LONG);
  }

  @Test
  void missingFieldsAreNamedNeverFilled() { // C157
    assertThat(keepAll.check(new byte[] {'a'}, 0, 1, false, 0, true, NOW))
        .isEqualTo(Refusal.TIMESTAMP_MISSING);
    assertThat(keepAll.check(new byte[] {'a'}, 0, 1, true, NOW, false, NOW))
        .isEqualTo(Refusal.VALUE_MISSING);
  }

  @Test
  void january1970IsAUnitMistakeUnlessAllowed() { // C029
    ReadingChecks allowing = new ReadingChecks(Optional.empty(), Duration.ofHours(1), true);
    for (long t : new long[] {0, 1, 1_717_200_000L, 31 * UtcDay.MICROS - 1}) {
      assertThat(time(t)).isEqualTo(Refusal.JANUARY_1970);
      assertThat(check(allowing, "a", t)).isNull();
    }
    assertThat(time(31 * UtcDay.MICROS)).isNull();
    assertThat(time(-1)).isNull(); // C021: before 1970 is a time like any other
  }

  @Test
  void daysThatCannotBeHeldAreRefused() { // C023, C025, C041
    assertThat(time(UtcDay.MIN_TIMESTAMP_MICROS)).isNull();
    assertThat(time(UtcDay.MIN_TIMESTAMP_MICROS - 1)).isEqualTo(Refusal.OUT_OF_RANGE);
    assertThat(time(UtcDay.END_TIMESTAMP_MICROS)).isEqualTo(Refusal.OUT_OF_RANGE);
    assertThat(time(Long.MAX_VALUE)).isEqualTo(Refusal.OUT_OF_RANGE);
    assertThat(time(Long.MIN_VALUE)).isEqualTo(Refusal.OUT_OF_RANGE);
  }

  @Test
  void theFutureIsOpenAsFarAsAllowed() { // C031, C033, C039
    assertThat(time(NOW + HOUR)).isNull();
    assertThat(time(NOW + HOUR + 1)).isEqualTo(Refusal.TOO_FAR_AHEAD);
    assertThat(time(micros("2100-01-01T00:00:00Z"))).isEqualTo(Refusal.TOO_FAR_AHEAD);
  }

  @Test
  void ageCountsOnlyWithARetention() { // C043
    ReadingChecks week =
        new ReadingChecks(Optional.of(Duration.ofDays(7)), Duration.ofHours(1), false);
    long old = NOW - 7 * UtcDay.MICROS;
    assertThat(check(week, "a", old)).isNull();
    assertThat(check(week, "a", old - 1)).isEqualTo(Refusal.TOO_OLD);
    assertThat(check(keepAll, "a", old - 1)).isNull();
    assertThat(check(week, "a", UtcDay.MIN_TIMESTAMP_MICROS)).isEqualTo(Refusal.TOO_OLD);
  }
}
