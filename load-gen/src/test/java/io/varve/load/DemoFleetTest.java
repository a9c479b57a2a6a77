package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class DemoFleetTest {
  /** A loopback address where nobody listens. */
  private static String nobody() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    }
  }

  @Test
  @Timeout(60)
  void fleetWithoutABrokerCountsItsFailuresAndClosesSoon() throws IOException {
    FleetSettings settings =
        new FleetSettings(nobody(), "readings", 10, 100, 1, Map.of("max.block.ms", "50"));
    DemoFleet fleet = DemoFleet.start(settings);
    assertThat(fleet.sensorIds()).hasSize(10).contains("plant-1/line-2/power");
    await().atMost(Duration.ofSeconds(20)).until(() -> fleet.failed() > 0);
    fleet.close();
    assertThat(fleet.acknowledged()).isZero();
    assertThat(fleet.sent()).isGreaterThanOrEqualTo(fleet.failed());
  }

  @Test
  void fleetsWithoutSensorsOrRateAreRefused() {
    assertThatThrownBy(() -> new FleetSettings("b", "t", 0, 1, 1, Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FleetSettings("b", "t", 1, 0, 1, Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new FleetSettings("b", "t", 1, Double.NaN, 1, Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
