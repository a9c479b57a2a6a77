package io.varve.server.broker;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What an {@link EmbeddedBroker} is started with.
 *
 * @param folder where logs and metadata are kept; created when missing
 * @param bind address that clients reach the broker on
 * @param port port that clients reach the broker on; 0 takes a free one
 * @param advertised host name that clients are told; the bind address when empty
 */
public record BrokerSettings(Path folder, String bind, int port, Optional<String> advertised) {
  public BrokerSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("broker port out of 0 to 65535: port=" + port);
    }
  }

  /** Host that clients are told to connect to. */
  String clientHost() {
    return advertised.orElse(bind);
  }
}
