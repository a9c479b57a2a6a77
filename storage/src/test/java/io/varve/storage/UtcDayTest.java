package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.TimeZone;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UtcDayTest {
  @Test
  void timesBeforeTheEpochBelongToTheDayThatHoldsThem() {
    assertThat(UtcDay.of(0)).isZero();
    assertThat(UtcDay.of(-1)).isEqualTo(-1);
    assertThat(UtcDay.of(-UtcDay.MICROS)).isEqualTo(-1);
    assertThat(UtcDay.of(-UtcDay.MICROS - 1)).isEqualTo(-2);
    assertThat(UtcDay.of(UtcDay.MICROS - 1)).isZero();
    assertThat(UtcDay.of(UtcDay.MICROS)).isEqualTo(1);
  }

  /** C001, C005: the zone of the machine does not move a reading to another day. */
  @ParameterizedTest
  @ValueSource(strings = {"UTC", "Asia/Tokyo", "America/Los_Angeles", "Asia/Kolkata"})
  void defaultZoneIsNoMatter(String zone) {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      int day = (int) LocalDate.of(2024, 6, 1).toEpochDay();
      assertThat(UtcDay.of(micros("2024-06-01T20:00:00Z"))).isEqualTo(day);
      assertThat(UtcDay.of(micros("2024-06-01T00:00:00Z"))).isEqualTo(day);
      assertThat(UtcDay.of(micros("2024-05-31T23:59:59.999999Z"))).isEqualTo(day - 1);
      assertThat(UtcDay.startMicros(day)).isEqualTo(micros("2024-06-01T00:00:00Z"));
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void limitsAreTheYearsOneAndNineThousandNineHundredNinetyNine() {
    assertThat(UtcDay.MIN_TIMESTAMP_MICROS).isEqualTo(micros("0001-01-01T00:00:00Z"));
    assertThat(UtcDay.END_TIMESTAMP_MICROS - 1).isEqualTo(micros("9999-12-31T23:59:59.999999Z"));
  }

  @Seeded
  void dayHoldsExactlyItsInstants(RandomGenerator random) {
    for (int i = 0; i < 10_000; i++) {
      long timestamp = random.nextLong(UtcDay.MIN_TIMESTAMP_MICROS, UtcDay.END_TIMESTAMP_MICROS);
      int day = UtcDay.of(timestamp);
      assertThat(timestamp - UtcDay.startMicros(day)).isBetween(0L, UtcDay.MICROS - 1);
      assertThat((long) day)
          .isEqualTo(
              Instant.EPOCH
                  .plus(timestamp, ChronoUnit.MICROS)
                  .atOffset(ZoneOffset.UTC)
                  .toLocalDate()
                  .toEpochDay());
    }
  }

  private static long micros(String instant) {
    Instant parsed = Instant.parse(instant);
    return parsed.getEpochSecond() * 1_000_000 + parsed.getNano() / 1_000;
  }
}
