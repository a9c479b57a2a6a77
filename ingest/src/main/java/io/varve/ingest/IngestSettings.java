package io.varve.ingest;

import io.varve.ingest.sharder.Sharding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one node needs to know to take readings in.
 *
 * @param bootstrapServers brokers, as Kafka clients take them: {@code host:port,host:port}
 * @param name prefix of the application id, and of Varve's own topics on a shared cluster
 * @param sourceTopics topics that readings are read from, at least one, taken as they are
 * @param rowsPartitions partitions of {@code rows}, fixed for life
 * @param stateFolder folder of the stores
 * @param threads stream threads, at least 1
 * @param retention event time that the store keeps; empty keeps all
 * @param limits what the stores may take
 * @param closeAfter how long a day must have been quiet to be rewritten into tight form
 * @param sharding how hot sensors are sharded
 * @param maxFuture how far ahead of now a reading may be
 * @param allow1970 whether timestamps in January 1970 are admitted
 * @param schemasFolder folder with further writers' schemas
 * @param advertised {@code host:port} where other nodes reach this node's HTTP
 * @param instanceId static group member id, the same at every start on one data folder
 * @param ownBroker whether the broker is this node's own: then missing source topics are created
 *     and Varve's topics carry no prefix
 * @param readingsRetention how long created source topics keep readings
 * @param overrides Kafka client and Streams settings of the user, which win over all others; the
 *     prefixes {@code consumer.}, {@code producer.}, {@code admin.} mean what Streams means
 */
public record IngestSettings(
    String bootstrapServers,
    String name,
    List<String> sourceTopics,
    int rowsPartitions,
    Path stateFolder,
    int threads,
    Optional<Duration> retention,
    StoreLimits limits,
    Duration closeAfter,
    Sharding sharding,
    Duration maxFuture,
    boolean allow1970,
    Optional<Path> schemasFolder,
    Optional<String> advertised,
    String instanceId,
    boolean ownBroker,
    Duration readingsRetention,
    Map<String, String> overrides) {

  public IngestSettings {
    sourceTopics = List.copyOf(sourceTopics);
    overrides = Map.copyOf(overrides);
    if (sourceTopics.isEmpty()) {
      throw new IllegalArgumentException("sourceTopics is empty");
    }
    if (rowsPartitions < 1) {
      throw new IllegalArgumentException("rowsPartitions=" + rowsPartitions);
    }
    if (threads < 1) {
      throw new IllegalArgumentException("threads=" + threads);
    }
    if (maxFuture.isNegative()) {
      throw new IllegalArgumentException("maxFuture=" + maxFuture);
    }
    if (retention.isPresent() && (retention.get().isNegative() || retention.get().isZero())) {
      throw new IllegalArgumentException("retention=" + retention.get());
    }
  }
}
