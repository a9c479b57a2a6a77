package io.varve.load;

import java.util.Map;

/**
 * What a demo fleet is and where it sends to.
 *
 * @param bootstrapServers the Kafka cluster, as {@code host:port} separated by commas
 * @param topic the source topic, which exists already
 * @param sensors how many sensors, at least 1
 * @param readingsPerSecond how many readings all sensors together send in a second, above 0
 * @param seed decides everything else: two fleets of one seed send the same values at the same
 *     times
 * @param clientSettings producer settings that win over the fleet's own
 */
public record FleetSettings(
    String bootstrapServers,
    String topic,
    int sensors,
    double readingsPerSecond,
    long seed,
    Map<String, String> clientSettings) {

  /** Sensors of a fleet unless said otherwise. */
  public static final int DEFAULT_SENSORS = 200;

  /** Readings a second of a fleet unless said otherwise. */
  public static final double DEFAULT_READINGS_PER_SECOND = 200;

  public FleetSettings {
    if (sensors < 1) {
      throw new IllegalArgumentException("a fleet needs a sensor sensors=" + sensors);
    }
    if (!(readingsPerSecond > 0) || Double.isInfinite(readingsPerSecond)) {
      throw new IllegalArgumentException("rate is not positive rate=" + readingsPerSecond);
    }
    clientSettings = Map.copyOf(clientSettings);
  }

  /** Returns the fleet of {@code varve demo}: 200 sensors, 200 readings a second. */
  public static FleetSettings demo(String bootstrapServers, String topic) {
    return new FleetSettings(
        bootstrapServers, topic, DEFAULT_SENSORS, DEFAULT_READINGS_PER_SECOND, 1, Map.of());
  }
}
