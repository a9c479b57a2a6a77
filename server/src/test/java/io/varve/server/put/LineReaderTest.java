package io.varve.server.put;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {
  @ParameterizedTest
  @CsvSource({
    "1.5, 1.5",
    "' -2e3 ', -2000",
    "+7, 7",
    ".5, 0.5",
    "4.9e-324, 4.9E-324",
    "NaN, NaN",
    "-Infinity, -Infinity"
  })
  void plainNumbersAreRead(String text, double value) throws RefusedLineException {
    assertThat(Double.valueOf(LineReader.value(text))).isEqualTo(Double.valueOf(value));
  }

  @Test
  void negativeZeroKeepsItsSign() throws RefusedLineException { // C091
    assertThat(Double.doubleToRawLongBits(LineReader.value("-0.0")))
        .isEqualTo(Double.doubleToRawLongBits(-0.0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0x1p3", "1d", "1f", "1_000", "one", "1e", "--1", "١", "1 2", "nan"})
  void whatOtherProgramsWouldNotReadIsRefused(String text) {
    assertThatThrownBy(() -> LineReader.value(text))
        .isInstanceOf(RefusedLineException.class)
        .hasMessageContaining("no number")
        .hasMessageContaining(text);
  }

  @Test
  void numberBeyondDoubleIsRefusedRatherThanStoredAsInfinity() {
    assertThatThrownBy(() -> LineReader.value("1e999")).hasMessageContaining("too large");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "   "})
  void missingCellsAreNamed(String text) {
    assertThatThrownBy(() -> LineReader.value(text)).hasMessage("value is missing");
    assertThatThrownBy(() -> LineReader.timestamp(text)).hasMessage("timestamp is missing");
    assertThatThrownBy(() -> LineReader.sensor("")).hasMessage("sensor_id is empty");
  }

  @ParameterizedTest
  @CsvSource({
    "2014-02-14 14:30:00, 1392388200000000",
    "2014-02-14T14:30:00Z, 1392388200000000",
    "1392388200, 1392388200000000",
    "1392388200000, 1392388200000000",
    "' 1392388200000000 ', 1392388200000000"
  })
  void timesAreReadAsEverywhereElse(String text, long micros) throws RefusedLineException {
    assertThat(LineReader.timestamp(text)).isEqualTo(micros);
  }

  @Test
  void relativeTimesAreRefusedInFiles() {
    assertThatThrownBy(() -> LineReader.timestamp("now-1h"))
        .isInstanceOf(RefusedLineException.class)
        .hasMessageContaining("example=");
  }

  @Test
  void idsOverTheLimitInBytesAreRefused() throws RefusedLineException { // C123
    assertThat(LineReader.sensor("🌡".repeat(64))).hasSize(128);
    assertThatThrownBy(() -> LineReader.sensor("🌡".repeat(64) + "x"))
        .hasMessageContaining("bytes=257");
  }

  @Test
  void brokenUtf8IsRefused() {
    assertThatThrownBy(() -> LineReader.sensor("caf\ufffd")).hasMessageContaining("not UTF-8");
  }

  @Test
  void sequencesAre64Bit() throws RefusedLineException {
    assertThat(LineReader.sequence("")).isZero();
    assertThat(LineReader.sequence("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> LineReader.sequence("9223372036854775808"))
        .isInstanceOf(RefusedLineException.class);
  }
}
