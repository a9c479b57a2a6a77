package io.varve.server.put;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvLayoutTest {
  @Test
  void columnsMayComeInAnyOrderAndCase() throws UnusableFileException {
    CsvLayout layout =
        CsvLayout.of(List.of("Value", " sequence ", "TIMESTAMP", "sensor_id"), false);
    assertThat(layout).isEqualTo(new CsvLayout(3, 2, 0, 1, 4, List.of()));
  }

  @Test
  void furtherColumnsAreTold() throws UnusableFileException {
    assertThat(CsvLayout.of(List.of("timestamp", "value", "unit"), true).notice())
        .hasValue("columns not read: unit");
  }

  @Test
  void fileWithoutHeaderSaysWhatItFound() {
    assertThatThrownBy(() -> CsvLayout.of(List.of("2014-02-14 14:30:00", "0.132"), true))
        .hasMessageContaining("timestamp and value")
        .hasMessageContaining("2014-02-14 14:30:00,0.132");
  }

  @Test
  void sensorMustComeFromExactlyOnePlace() {
    assertThatThrownBy(() -> CsvLayout.of(List.of("timestamp", "value"), false))
        .hasMessageContaining("--sensor");
    assertThatThrownBy(() -> CsvLayout.of(List.of("sensor_id", "timestamp", "value"), true))
        .hasMessageContaining("as well");
  }

  @Test
  void columnNamedTwiceIsRefused() {
    assertThatThrownBy(() -> CsvLayout.of(List.of("timestamp", "value", "value"), true))
        .hasMessageContaining("twice");
  }
}
