package io.varve.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "512, 512",
    "512B, 512",
    "1kB, 1000",
    "500MB, 500000000",
    "20 GB, 20000000000",
    "1KiB, 1024",
    "20GiB, 21474836480",
    "2TiB, 2199023255552"
  })
  void aNumberAndAUnitAreBytes(String text, long bytes) {
    assertThat(ByteSizes.parse(text)).isEqualTo(OptionalLong.of(bytes));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GB", "-1", "1.5GiB", "1g", "1 G", "1KB", "1kiB", "9999999999TiB"})
  void anythingElseIsNone(String text) {
    assertThat(ByteSizes.parse(text)).isEmpty();
  }
}
