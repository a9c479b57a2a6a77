package io.varve.load.streams;

import io.varve.load.target.Queries;
import io.varve.load.target.RecordSink;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.Stores;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka Streams application of this process over a source topic: each reading is a row of a
 * RocksDB store with a changelog topic, asked by range scans. It begins at the topic's end, so that
 * it has what is sent from now on, and takes its topic and its files with it when it is closed.
 */
public final class StreamsTarget implements Target, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamsTarget.class);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(20);
  private static final long START_SECONDS = 60;
  private static final long ADMIN_SECONDS = 10;

  private final String bootstrap;
  private final String topic;
  private final Target way;
  private final Path folder;
  private final String application;
  private final Counts counts = new Counts();
  private final KafkaStreams streams;

  private StreamsTarget(
      String bootstrap, String topic, Target way, int threads, Path folder, String application) {
    this.bootstrap = bootstrap;
    this.topic = topic;
    this.way = way;
    this.folder = folder;
    this.application = application;
    this.streams = new KafkaStreams(topology(topic, counts), settings(threads));
  }

  /**
   * Makes the application, which is to be closed; {@link #begin} starts it.
   *
   * @param bootstrap brokers as {@code host:port}, separated by commas
   * @param topic a topic of readings, which exists
   * @param way how the topic is fed
   * @param threads stream threads, at least 1
   * @throws TargetException if Kafka refuses its settings, or there is no room for its files
   */
  public static StreamsTarget create(String bootstrap, String topic, Target way, int threads)
      throws TargetException {
    String application = "varve-load-streams-" + UUID.randomUUID();
    Path folder;
    try {
      folder = Files.createTempDirectory("varve-load-streams");
    } catch (IOException e) {
      throw new TargetException(
          TargetException.Kind.SETTINGS, "no folder for temporary files can be made: " + e, e);
    }
    try {
      return new StreamsTarget(bootstrap, topic, way, threads, folder, application);
    } catch (KafkaException e) {
      delete(folder);
      throw new TargetException(
          TargetException.Kind.SETTINGS, "Kafka Streams refuses its settings: " + e, e);
    }
  }

  private static Topology topology(String topic, Counts counts) {
    Topology topology = new Topology();
    topology.addSource(
        "readings", Serdes.ByteArray().deserializer(), Serdes.ByteArray().deserializer(), topic);
    topology.addProcessor("put", () -> new RowsProcessor(counts), "readings");
    topology.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(RowsProcessor.STORE),
            Serdes.ByteArray(),
            Serdes.ByteArray()),
        "put");
    return topology;
  }

  private Properties settings(int threads) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, application);
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
    settings.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    settings.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 1000);
    settings.put(StreamsConfig.REPLICATION_FACTOR_CONFIG, -1);
    settings.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
    settings.put(StreamsConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    settings.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "latest");
    settings.put(
        StreamsConfig.consumerPrefix(ConsumerConfig.ISOLATION_LEVEL_CONFIG), "read_committed");
    settings.put(StreamsConfig.producerPrefix("compression.type"), "lz4");
    return settings;
  }

  /** Starts the application and waits, for a minute at most, until it follows the topic. */
  @Override
  public void begin() throws TargetException {
    if (streams.state() != KafkaStreams.State.CREATED) {
      return;
    }
    pinOffsets();
    CountDownLatch runs = new CountDownLatch(1);
    streams.setStateListener(
        (now, before) -> {
          if (now == KafkaStreams.State.RUNNING || now.hasNotStarted() || isOver(now)) {
            runs.countDown();
          }
        });
    try {
      streams.start();
      boolean changed = runs.await(START_SECONDS, TimeUnit.SECONDS);
      if (!changed || streams.state() != KafkaStreams.State.RUNNING) {
        throw new TargetException(
            TargetException.Kind.UNREACHABLE,
            "the Kafka Streams application does not run: state=" + streams.state());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TargetException(TargetException.Kind.STOPPED, "interrupted", e);
    } catch (KafkaException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE,
          "the Kafka Streams application does not start: " + e,
          e);
    }
  }

  private static boolean isOver(KafkaStreams.State state) {
    return state == KafkaStreams.State.ERROR || state == KafkaStreams.State.NOT_RUNNING;
  }

  @Override
  public String describe() {
    return "Kafka Streams over RocksDB in this process, fed through " + topic + " at " + bootstrap;
  }

  @Override
  public RecordSink openSink() throws TargetException {
    return way.openSink();
  }

  @Override
  public Queries openQueries() {
    return new StreamsQueries(streams, topic, counts);
  }

  /**
   * Has the group begin at the topic's end as it is now: a topic partition that changes hands
   * before its first record must not begin at a later end.
   */
  private void pinOffsets() throws TargetException {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      TopicDescription described =
          Optional.ofNullable(
                  admin
                      .describeTopics(List.of(topic))
                      .allTopicNames()
                      .get(ADMIN_SECONDS, TimeUnit.SECONDS)
                      .get(topic))
              .orElseThrow();
      described
          .partitions()
          .forEach(
              each -> ends.put(new TopicPartition(topic, each.partition()), OffsetSpec.latest()));
      Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
      admin
          .listOffsets(ends)
          .all()
          .get(ADMIN_SECONDS, TimeUnit.SECONDS)
          .forEach((partition, end) -> offsets.put(partition, new OffsetAndMetadata(end.offset())));
      var unused =
          admin
              .alterConsumerGroupOffsets(application, offsets)
              .all()
              .get(ADMIN_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TargetException(TargetException.Kind.STOPPED, "interrupted", e);
    } catch (ExecutionException | TimeoutException | KafkaException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, "the brokers do not tell the topic's end: " + e, e);
    }
  }

  /** Ends the application, and deletes its changelog topic, its group and its files. */
  @Override
  public void close() {
    boolean interrupted = Thread.interrupted(); // what follows is bounded, and must be done
    streams.close(
        CloseOptions.timeout(CLOSE_WAIT)
            .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      String changelog = application + "-" + RowsProcessor.STORE + "-changelog";
      interrupted |= forget(admin.deleteTopics(List.of(changelog)).all());
      interrupted |= forget(admin.deleteConsumerGroups(List.of(application)).all());
    } catch (KafkaException e) {
      LOG.warn("what the application left on the brokers stays: application={}", application, e);
    }
    try {
      delete(folder);
    } catch (UncheckedIOException e) {
      LOG.warn("temporary files stay: folder={}", folder, e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for a deletion; tells whether it was interrupted. What was never made need not go. */
  private boolean forget(KafkaFuture<Void> deletion) {
    try {
      var unused = deletion.get(ADMIN_SECONDS, TimeUnit.SECONDS);
      return false;
    } catch (InterruptedException e) {
      return true;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
          && !(e.getCause() instanceof GroupIdNotFoundException)) {
        LOG.warn("what the application left on the brokers stays: application={}", application, e);
      }
      return false;
    } catch (TimeoutException e) {
      LOG.warn("what the application left on the brokers stays: application={}", application, e);
      return false;
    }
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("can't delete temporary files: " + folder, e);
    }
  }
}
