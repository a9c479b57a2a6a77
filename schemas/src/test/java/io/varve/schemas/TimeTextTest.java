package io.varve.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.varve.schemas.TimeText.Invalid;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
  private static final long JUNE = 1_717_200_000_000_000L;

  private static Invalid refusal(String text) {
    Invalid invalid = catchThrowableOfType(Invalid.class, () -> TimeText.parse(text, JUNE));
    assertThat(invalid).as("refusal of \"%s\"", text).isNotNull();
    return invalid;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1717200000, 1717200000000000",
    "1717200000000, 1717200000000000",
    "1717200000000000, 1717200000000000",
    "1717200000000000123, 1717200000000000",
    "99999999999, 99999999999000000",
    "100000000000, 100000000000000",
    "99999999999999, 99999999999999000",
    "100000000000000, 100000000000000",
    "99999999999999999, 99999999999999999",
    "100000000000000000, 100000000000000",
    "-1, -1000000",
    "-1717200000000, -1717200000000000",
    "-1717200000000000001, -1717200000000001",
    "9223372036854775807, 9223372036854775",
    "-9223372036854775808, -9223372036854776",
  })
  void numbersGoByMagnitude(long number, long micros) throws Invalid {
    assertThat(TimeText.ofNumber(number)).isEqualTo(micros);
    assertThat(TimeText.ofNumber(Long.toString(number))).isEqualTo(micros);
  }

  @ParameterizedTest
  @CsvSource({
    "1717200000.5, 1717200000500000",
    "1717200000.1234567, 1717200000123456",
    "-0.5, -500000",
    "-0.0000001, -1",
    "1.7172e9, 1717200000000000",
    "1717200000000.25, 1717200000000250",
    "1717200000000000.75, 1717200000000000",
    "0.0, 0",
    "-0, 0",
    "1e-400, 0",
    "99999999999.9999999, 99999999999999999",
  })
  void decimalsAreExactAndCutTowardsThePast(String text, long micros) throws Invalid {
    assertThat(TimeText.ofNumber(text)).isEqualTo(micros);
  }

  @Test
  void hugeExponentsCostNothing() throws Invalid {
    assertThat(TimeText.ofNumber("1e999999999")).isEqualTo(Long.MAX_VALUE);
    assertThat(TimeText.ofNumber("-1e999999999")).isEqualTo(Long.MIN_VALUE);
    assertThat(TimeText.ofNumber("-1e-999999999")).isEqualTo(-1);
    assertThat(refusal("1e9999999999").reason()).contains("is no time");
  }

  @ParameterizedTest
  @CsvSource({
    "2024-06-01T00:00:00Z, 0",
    "2024-06-01t00:00:00z, 0",
    "2024-06-01T02:00:00+02:00, 0",
    "2024-05-31T18:30:00-05:30, 0",
    "2024-06-01, 0",
    "2024-06-01 00:00:00, 0",
    "2024-06-01 00:00:00.5, 500000",
    "2024-06-01 02:00:00+02:00, 0",
    "2024-06-01T00:00:00.000001Z, 1",
    "2024-06-01T00:00:00.1Z, 100000",
    "2024-06-01T00:00:00.1234567899Z, 123456",
    "2024-06-01T23:59:59.999999Z, 86399999999",
  })
  void textsAreInstants(String text, long offset) throws Invalid {
    assertThat(TimeText.parse(text)).isEqualTo(JUNE + offset);
  }

  @ParameterizedTest
  @CsvSource({
    "now, 0",
    "now-1h30m, -5400000000",
    "now+5m, 300000000",
    "-15m, -900000000",
    "-250ms, -250000",
    "now-7d, -604800000000",
  })
  void relativeTimesCountFromThePresent(String text, long offset) throws Invalid {
    assertThat(TimeText.parse(text, JUNE)).isEqualTo(JUNE + offset);
    assertThatThrownBy(() -> TimeText.parse(text)).isInstanceOf(Invalid.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2024-06-01T00:00:00",
        "2024-06-01T00:00Z",
        "2024-6-1",
        "2024/06/01",
        "2024-02-30",
        "2024-13-01",
        "2024-06-01T24:00:00Z",
        "2024-06-01T00:61:00Z",
        "2024-06-01T00:00:61Z",
        "2024-06-01T00:00:00.Z",
        "2024-06-01T00:00:00+2:00",
        "2024-06-01T00:00:00+24:00",
        "2024-06-01T00:00:00Zx",
        "2024-06-01X00:00:00Z",
        "2024-06-01 ",
        "24-06-01",
        "1,5",
        "0x10",
        "١٢٣",
        "NaN",
        "now-",
        "now-5",
        "now 5m",
        "now-1m1h",
        "nowhere",
        "-5m3",
        "--5m",
        "Infinity",
        "1717200000000000000000000000000000000000000000000000000000000000000",
      })
  void otherTextsAreRefusedWithAnExample(String text) throws Invalid {
    Invalid refusal = refusal(text);
    assertThat(refusal.reason()).isNotBlank();
    assertThat(TimeText.parse(refusal.example(), JUNE)).isNotZero();
  }

  /** C015: Java has no second 60; both spellings get the same clear refusal. */
  @Test
  void leapSecondIsRefusedByName() {
    assertThat(refusal("1990-12-31T23:59:60Z").reason()).contains("leap second");
    assertThat(refusal("1990-12-31T15:59:60-08:00").reason()).contains("leap second");
  }

  /** C017: a plus sign that a URL turned into a space never loses the offset in silence. */
  @Test
  void spaceInPlaceOfPlusIsRefusedWithTheWayToWriteIt() throws Invalid {
    assertThat(TimeText.parse("2020-09-03T21:00:00+02:00")).isEqualTo(1_599_159_600_000_000L);
    assertThat(refusal("2020-09-03T21:00:00 02:00").reason()).contains("%2B");
    assertThat(refusal("now 5m").reason()).contains("%2B");
  }

  /** C019: what is outside of the supported range is told so, with the range. */
  @Test
  void yearsBeyondFourDigitsAreOutOfRange() throws Invalid {
    assertThat(TimeText.parse("9999-12-31T23:59:59Z")).isEqualTo(253_402_300_799_000_000L);
    assertThat(TimeText.parse("0001-01-01T00:00:00Z")).isEqualTo(TimeText.MIN_MICROS);
    assertThat(TimeText.parse("9999-12-31T23:59:59.999999Z")).isEqualTo(TimeText.MAX_MICROS);
    for (String outside :
        new String[] {
          "+10000-01-01T00:00:00Z",
          "10000-01-01",
          "275760-09-13",
          "-0001-01-01T00:00:00Z",
          "-0001-01-01t00:00:00z",
          "0000-01-01",
          "0001-01-01T00:00:00+00:01",
          "9999-12-31T23:59:59-00:01",
          "-99999999999",
          "1e30",
        }) {
      assertThat(refusal(outside).reason())
          .as(outside)
          .contains("0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z");
    }
  }

  /** C025, C027: the largest numbers are instants like others, and never overflow. */
  @Test
  void largestNumbersAreNanoseconds() throws Invalid {
    assertThat(TimeText.parse("9223372036854775807")).isEqualTo(9_223_372_036_854_775L);
    assertThat(TimeText.parse("-9223372036854775808")).isEqualTo(-9_223_372_036_854_776L);
  }

  @Test
  void relativeTimesDoNotOverflow() {
    assertThat(refusal("now-999999999999999999us").reason()).contains("supported range");
    assertThat(refusal("now-999999999999999999d").reason()).contains("longer than");
  }

  @Test
  void everyInstantReadsBackFromRfc3339() throws Invalid {
    long seed = 20_240_601;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      long micros =
          i == 0
              ? TimeText.MIN_MICROS
              : i == 1
                  ? TimeText.MAX_MICROS
                  : random.nextLong(TimeText.MIN_MICROS, TimeText.MAX_MICROS + 1);
      String text = Rfc3339.format(micros);
      assertThat(text)
          .as("seed=%d i=%d micros=%d", seed, i, micros)
          .isEqualTo(
              String.format(
                  Locale.ROOT,
                  "%sT%sZ",
                  LocalDate.ofEpochDay(Math.floorDiv(micros, 86_400_000_000L)),
                  text.substring(11, 26)));
      Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
      assertThat(Instant.parse(text)).as("seed=%d i=%d", seed, i).isEqualTo(instant);
      assertThat(TimeText.parse(text)).as("seed=%d i=%d", seed, i).isEqualTo(micros);
      int offsetMinutes = random.nextInt(-1079, 1080);
      String elsewhere =
          OffsetDateTime.ofInstant(instant, ZoneOffset.ofTotalSeconds(offsetMinutes * 60))
              .format(
                  java.time.format.DateTimeFormatter.ofPattern(
                      "uuuu-MM-dd'T'HH:mm:ss.SSSSSSxxx", Locale.ROOT));
      if (elsewhere.length() == 32 && elsewhere.compareTo("0001") > 0) {
        assertThat(TimeText.parse(elsewhere)).as("seed=%d %s", seed, elsewhere).isEqualTo(micros);
      }
    }
  }
}
