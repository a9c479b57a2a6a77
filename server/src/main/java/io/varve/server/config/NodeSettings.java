package io.varve.server.config;

import io.varve.ingest.StoreLimits;
import io.varve.ingest.sharder.Sharding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Everything that a node can be told.
 *
 * @param brokers {@code host:port,…} of an existing cluster; empty: the in-process broker
 * @param data folder of the node
 * @param httpPort port of the HTTP service; 0 takes a free one
 * @param brokerPort port of the in-process broker; 0 takes a free one
 * @param bind address that both listen on
 * @param advertise host name that others reach this node by; {@code bind} when empty
 * @param threads stream threads
 * @param retention event time to keep; empty keeps all
 * @param limits what the stores may take on disk
 * @param closeAfter how long a day must have been quiet to be rewritten into tight form
 * @param sharding how hot sensors are sharded
 * @param maxFuture how far ahead of now a reading may be
 * @param schemas folder with further writers' schemas
 * @param topics source topics
 * @param name prefix of Varve's own topics and of the application id
 * @param partitions topic partitions of {@code rows}; empty: as recorded in the folder, or 8
 * @param allow1970 whether timestamps in January 1970 are admitted
 * @param readingsRetention how long the in-process broker keeps source topics that it created
 * @param kafka Kafka client and Streams settings, passed through
 */
public record NodeSettings(
    Optional<String> brokers,
    Path data,
    int httpPort,
    int brokerPort,
    String bind,
    Optional<String> advertise,
    int threads,
    Optional<Duration> retention,
    StoreLimits limits,
    Duration closeAfter,
    Sharding sharding,
    Duration maxFuture,
    Optional<Path> schemas,
    List<String> topics,
    String name,
    OptionalInt partitions,
    boolean allow1970,
    Duration readingsRetention,
    Map<String, String> kafka) {
  public NodeSettings {
    topics = List.copyOf(topics);
    kafka = Map.copyOf(kafka);
  }

  /** Whether the node listens on every address of the machine. */
  public boolean bindsEveryAddress() {
    return bind.equals("0.0.0.0") || bind.equals("::") || bind.equals("[::]");
  }

  /**
   * Host that others are told to reach this node by; empty when it listens on every address and was
   * told no name, so that nothing better than this machine's own name is known.
   */
  public Optional<String> host() {
    return advertise.isPresent() || bindsEveryAddress() ? advertise : Optional.of(bind);
  }
}
