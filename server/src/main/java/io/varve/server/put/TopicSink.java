package io.varve.server.put;

import io.varve.schemas.ReadingEncoder;
import io.varve.server.net.Ports;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Rows into a source topic: Avro single-object records keyed by sensor, so that corrections of one
 * sensor travel in order. Runs of rows of one sensor share a record.
 *
 * <p>Every row is acknowledged by all in-sync replicas or counted as failed. Single-threaded but
 * for the counters.
 */
public final class TopicSink implements RowSink {
  private static final int BATCH_ROWS = 500;
  private static final Duration BROKER_WAIT = Duration.ofSeconds(15);
  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final ReadingEncoder encoder = new ReadingEncoder();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile Optional<String> firstFailure = Optional.empty();
  private String sensor = "";
  private byte[] key = new byte[0];

  /** The first row of a run, held until it is known whether it is alone. */
  private long heldTimestamp;

  private double heldValue;
  private long heldSequence;

  /** Rows of the current run: 0, 1 (held) or more (in the encoder). */
  private int run;

  private TopicSink(String topic, Producer<byte[], byte[]> producer) {
    this.topic = topic;
    this.producer = producer;
  }

  /**
   * Connects to a topic.
   *
   * @param overrides producer settings that win over the sink's own
   * @throws SinkException when no broker answers within 15 s, or the topic does not exist
   */
  public static TopicSink open(String brokers, String topic, Map<String, String> overrides)
      throws SinkException {
    Map<String, Object> config = new HashMap<>();
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "varve-put");
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, "262144");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, String.valueOf(BROKER_WAIT.toMillis()));
    // With more requests in flight the first batches into a topic created a moment ago can be lost
    // for the whole delivery timeout (KAFKA-15591).
    config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    config.putAll(overrides);
    if (!Ports.anyListens(brokers)) {
      throw new SinkException(
          SinkException.Kind.UNREACHABLE, "no broker answers: brokers=" + brokers);
    }
    requireTopic(brokers, topic, overrides);
    try {
      return new TopicSink(
          topic, new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()));
    } catch (KafkaException e) {
      throw badSettings(e);
    }
  }

  /** Asks for the topic: a producer would only time out, whatever the reason. */
  private static void requireTopic(String brokers, String topic, Map<String, String> overrides)
      throws SinkException {
    Map<String, Object> config = new HashMap<>(overrides);
    config.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    config.put(AdminClientConfig.CLIENT_ID_CONFIG, "varve-put");
    try (Admin admin = Admin.create(config)) {
      var unused =
          admin
              .describeTopics(List.of(topic))
              .allTopicNames()
              .get(BROKER_WAIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof UnknownTopicOrPartitionException
          ? new SinkException(
              SinkException.Kind.NO_TOPIC, "the topic does not exist: topic=" + topic, e)
          : new SinkException(
              SinkException.Kind.UNREACHABLE, "the brokers refuse: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new SinkException(
          SinkException.Kind.UNREACHABLE,
          "the brokers do not answer within " + BROKER_WAIT.toSeconds() + " s: brokers=" + brokers,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SinkException(SinkException.Kind.UNREACHABLE, "interrupted", e);
    } catch (KafkaException e) {
      throw badSettings(e);
    }
  }

  private static SinkException badSettings(KafkaException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new SinkException(
        SinkException.Kind.SETTINGS, "Kafka refuses the settings: " + cause.getMessage(), e);
  }

  @Override
  public void row(String sensorId, long timestampMicros, double value, long sequence) {
    if (run > 0 && !sensorId.equals(sensor)) {
      sendRun();
    }
    if (run == 0) {
      if (!sensorId.equals(sensor)) {
        sensor = sensorId;
        key = sensorId.getBytes(StandardCharsets.UTF_8);
      }
      heldTimestamp = timestampMicros;
      heldValue = value;
      heldSequence = sequence;
      run = 1;
      return;
    }
    if (run == 1) {
      encoder.add(sensor, heldTimestamp, heldValue, heldSequence);
    }
    encoder.add(sensor, timestampMicros, value, sequence);
    run++;
    if (run == BATCH_ROWS) {
      sendRun();
    }
  }

  private void sendRun() {
    int rows = run;
    run = 0;
    byte[] record =
        rows == 1
            ? encoder.encode(sensor, heldTimestamp, heldValue, heldSequence)
            : encoder.takeBatch();
    try {
      producer.send(
          new ProducerRecord<>(topic, key, record),
          (metadata, error) -> {
            if (error == null) {
              acknowledged.addAndGet(rows);
            } else {
              fail(rows, error);
            }
          });
    } catch (KafkaException e) {
      fail(rows, e);
    }
  }

  private void fail(int rows, Exception error) {
    if (failed.getAndAdd(rows) == 0) {
      firstFailure = Optional.of(String.valueOf(error.getMessage()));
    }
  }

  @Override
  public void finish() {
    if (run > 0) {
      sendRun();
    }
    producer.flush();
  }

  @Override
  public long acknowledged() {
    return acknowledged.get();
  }

  @Override
  public long failed() {
    return failed.get();
  }

  /** Why the first failed row failed. */
  public Optional<String> firstFailure() {
    return firstFailure;
  }

  @Override
  public void close() {
    producer.close(CLOSE_WAIT);
  }
}
