package io.varve.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.schemas.TimeText.Invalid;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
  @ParameterizedTest
  @CsvSource({
    "5m, 300000000",
    "1h30m, 5400000000",
    "250ms, 250000",
    "7d, 604800000000",
    "1d2h3m4s5ms6us, 93784005006",
    "0s, 0",
    "90s, 90000000",
  })
  void durationsAreNumbersWithUnits(String text, long micros) throws Invalid {
    assertThat(Durations.parseMicros(text)).isEqualTo(micros);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "m",
        "5 m",
        "5M",
        "1.5h",
        "1m1h",
        "1m1m",
        "5w",
        "-5m",
        "5m3",
        "5mm",
        "99999999999999999999d",
        "999999999999999999d",
        "9223372036854775807us1d"
      })
  void otherTextsAreRefused(String text) {
    assertThatThrownBy(() -> Durations.parseMicros(text))
        .isInstanceOf(Invalid.class)
        .hasMessageNotContaining("Exception");
  }

  @Test
  void everyDurationReadsBack() throws Invalid {
    long seed = 5;
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 10_000; i++) {
      long micros = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
      assertThat(Durations.parseMicros(Durations.format(micros)))
          .as("seed=%d i=%d micros=%d", seed, i, micros)
          .isEqualTo(micros);
    }
    assertThat(Durations.format(5_400_000_000L)).isEqualTo("1h30m");
    assertThat(Durations.format(0)).isEqualTo("0s");
  }
}
