package io.varve.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Rfc3339Test {
  @ParameterizedTest
  @CsvSource({
    "0, 1970-01-01T00:00:00.000000Z",
    "-1, 1969-12-31T23:59:59.999999Z",
    "1717200000000000, 2024-06-01T00:00:00.000000Z",
    "1709164800000000, 2024-02-29T00:00:00.000000Z",
    "951782399999999, 2000-02-28T23:59:59.999999Z",
    "951868800000000, 2000-03-01T00:00:00.000000Z",
    "-62135596800000000, 0001-01-01T00:00:00.000000Z",
    "253402300799999999, 9999-12-31T23:59:59.999999Z",
  })
  void instantsAreWrittenInUtcWithSixDecimals(long micros, String text) {
    assertThat(Rfc3339.format(micros)).isEqualTo(text);
  }

  @Test
  void writesIntoTheMiddleOfATarget() {
    byte[] target = "[---------------------------]".getBytes(StandardCharsets.US_ASCII);
    assertThat(Rfc3339.write(1_717_200_000_123_456L, target, 1)).isEqualTo(28);
    assertThat(new String(target, StandardCharsets.US_ASCII))
        .isEqualTo("[2024-06-01T00:00:00.123456Z]");
  }
}
