package io.varve.ingest;

import io.varve.ingest.topics.TopicPlan;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of the Streams application and its clients: what Varve relies on, what it tunes, and the
 * user's own last.
 */
final class StreamsSettings {
  private static final String STREAMS_PROTOCOL = "streams";

  /** Longest wait of a writer for brokers to be there. */
  private static final int CONNECT_MILLIS = 10_000;

  /** Settings that have an option of Varve's own, or that its guarantees rest on. */
  private static final Map<String, String> NOT_OVERRIDABLE =
      Map.of(
          StreamsConfig.APPLICATION_ID_CONFIG, "use --name",
          StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "use -b",
          StreamsConfig.STATE_DIR_CONFIG, "use --data",
          StreamsConfig.NUM_STREAM_THREADS_CONFIG, "use --threads",
          StreamsConfig.APPLICATION_SERVER_CONFIG, "use --advertise",
          StreamsConfig.PROCESSING_EXCEPTION_HANDLER_CLASS_CONFIG,
              "leave it out: a handler that goes on would drop readings uncounted",
          StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG,
              "leave it out: a handler that goes on would drop readings uncounted",
          StreamsConfig.PROCESSING_GUARANTEE_CONFIG,
              "leave it out: rows are upserts, so at_least_once shows each once, and exactly_once"
                  + " would delete the store after each crash");

  private StreamsSettings() {}

  /**
   * Checks that the user's settings are ones that may be set and that Kafka understands their
   * values.
   *
   * @throws IngestStartException naming the setting
   */
  static void check(IngestSettings settings) throws IngestStartException {
    for (String setting : settings.overrides().keySet()) {
      String instead = NOT_OVERRIDABLE.get(setting);
      if (instead != null) {
        throw new IngestStartException(
            "setting " + setting + " cannot be given", "Varve sets it itself", instead);
      }
    }
    try {
      StreamsConfig config = new StreamsConfig(streams(settings, 0));
      config.getMainConsumerConfigs(settings.name(), settings.name(), 1);
      config.getProducerConfigs(settings.name());
    } catch (ConfigException e) {
      IngestStartException refused =
          new IngestStartException(
              "Kafka refuses a setting",
              String.valueOf(e.getMessage()),
              "correct it where it is given: -X name=value, file or environment");
      refused.initCause(e);
      throw refused;
    }
  }

  /** Settings for an admin client of our own, with the user's security settings. */
  static Map<String, Object> admin(IngestSettings settings) {
    return new StreamsConfig(streams(settings, 0)).getAdminConfigs(settings.name() + "-ingest");
  }

  /** Settings for a consumer of our own that has no group, with the user's security settings. */
  static Map<String, Object> follower(IngestSettings settings) {
    Map<String, Object> config =
        new StreamsConfig(streams(settings, 0))
            .getRestoreConsumerConfigs(settings.name() + "-shard-plans");
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    return config;
  }

  /**
   * Settings for a producer of our own, with the user's security settings.
   *
   * @param within after which a record that was not acknowledged is given up
   */
  static Map<String, Object> writer(IngestSettings settings, Duration within) {
    Map<String, Object> config =
        new StreamsConfig(streams(settings, 0))
            .getProducerConfigs(settings.name() + "-shard-plans");
    config.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) within.toMillis());
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) within.toMillis());
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, CONNECT_MILLIS);
    return config;
  }

  /**
   * Settings of the application.
   *
   * @param deadLetterBytes largest record that the dead-letter topic takes
   */
  static Properties streams(IngestSettings settings, int deadLetterBytes) {
    Map<String, Object> config = new HashMap<>();
    application(config, settings);
    consumer(config);
    producer(config, deadLetterBytes);
    membership(config, settings);
    config.putAll(settings.overrides());
    Properties properties = new Properties();
    properties.putAll(config);
    return properties;
  }

  private static void application(Map<String, Object> config, IngestSettings settings) {
    TopicPlan plan = new TopicPlan(settings);
    config.put(StreamsConfig.APPLICATION_ID_CONFIG, plan.applicationId());
    config.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
    config.put(StreamsConfig.STATE_DIR_CONFIG, settings.stateFolder().toString());
    config.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, settings.threads());
    config.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.AT_LEAST_ONCE);
    config.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
    settings
        .advertised()
        .ifPresent(address -> config.put(StreamsConfig.APPLICATION_SERVER_CONFIG, address));
    config.put(
        StreamsConfig.PRODUCTION_EXCEPTION_HANDLER_CLASS_CONFIG, SendFaultHandler.class.getName());
    config.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class.getName());
    config.put(
        StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.ByteArraySerde.class.getName());
    config.put(SendFaultHandler.DEAD_LETTER_TOPIC, plan.names().deadLetters());
    // Also the window that a crash replays and the staleness of standbys; visibility does not wait.
    config.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1000);
    // An outage of the brokers is waited out, however long: lag grows, nothing dies.
    config.put(StreamsConfig.TASK_TIMEOUT_MS_CONFIG, Long.MAX_VALUE);
    config.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
    // Bundles of source records and packs of rows are a thousand times what Streams expects.
    config.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 32);
    // A task has one topic partition, so there is nothing to wait for; asked for each record.
    config.put(StreamsConfig.MAX_TASK_IDLE_MS_CONFIG, StreamsConfig.MAX_TASK_IDLE_MS_DISABLED);
    // Talk to nobody about ourselves.
    config.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
  }

  private static void consumer(Map<String, Object> config) {
    // What a poll returns is what a pack can hold: large polls make large records of rows.
    put(config, StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 8000);
    put(
        config,
        StreamsConfig.consumerPrefix(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG),
        2 << 20);
    put(
        config,
        StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG),
        "read_committed");
    put(config, StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
  }

  private static void producer(Map<String, Object> config, int deadLetterBytes) {
    put(config, StreamsConfig.producerPrefix(ProducerConfig.ACKS_CONFIG), "all");
    put(config, StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    put(config, StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 256 << 10);
    put(config, StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 1);
    put(
        config,
        StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG),
        Math.max(1 << 20, deadLetterBytes));
  }

  private static void membership(Map<String, Object> config, IngestSettings settings) {
    String protocol =
        Optional.ofNullable(settings.overrides().get(StreamsConfig.GROUP_PROTOCOL_CONFIG))
            .orElse("classic");
    if (protocol.equalsIgnoreCase(STREAMS_PROTOCOL)) {
      return; // The session is the brokers' setting there, and a static member restarts no faster.
    }
    put(
        config,
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG),
        settings.instanceId());
    put(config, StreamsConfig.mainConsumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    put(
        config,
        StreamsConfig.mainConsumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG),
        3_000);
  }

  private static void put(Map<String, Object> config, String name, Object value) {
    config.put(name, value);
  }
}
