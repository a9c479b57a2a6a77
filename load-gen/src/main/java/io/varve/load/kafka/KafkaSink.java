package io.varve.load.kafka;

import io.varve.load.target.Delivery;
import io.varve.load.target.RecordSink;
import io.varve.load.target.TargetException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Records into a topic, acknowledged by all in-sync replicas. Idempotent, so that what is sent
 * again by the client keeps its place and comes once.
 */
public final class KafkaSink implements RecordSink {
  /** A send that takes longer may have waited: the client's own counts of waiting tell. */
  private static final long SLOW_NANOS = 500_000;

  /** The client's counts of time spent waiting for room and for the topic's whereabouts. */
  private static final Set<String> WAITS =
      Set.of("bufferpool-wait-time-ns-total", "metadata-wait-time-ns-total");

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

  private final String topic;
  private final Producer<byte[], byte[]> producer;
  private final List<Metric> waits = new ArrayList<>();
  private volatile long blockedNanos;
  private volatile boolean givenUp;

  private KafkaSink(String topic, Producer<byte[], byte[]> producer) {
    this.topic = topic;
    this.producer = producer;
    producer
        .metrics()
        .forEach(
            (name, metric) -> {
              if (WAITS.contains(name.name())) {
                waits.add(metric);
              }
            });
  }

  /**
   * Makes a sink; it connects by itself, now or later.
   *
   * @param overrides producer settings that win over the sink's own
   * @throws TargetException if Kafka refuses the settings
   */
  public static KafkaSink open(
      String bootstrap, String topic, String clientId, Map<String, String> overrides)
      throws TargetException {
    Map<String, Object> config = new HashMap<>();
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    config.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    config.put(ProducerConfig.BATCH_SIZE_CONFIG, "262144");
    config.put(ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864");
    // Long enough for a broker to be killed and come back.
    config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, "240000");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "240000");
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    config.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "200");
    config.putAll(overrides);
    try {
      return new KafkaSink(
          topic, new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()));
    } catch (KafkaException e) {
      throw TopicCheck.badSettings(e);
    }
  }

  /**
   * Asks the brokers where the topic is, so that the first record need not wait for it.
   *
   * @throws TargetException if they do not say
   */
  public void connect() throws TargetException {
    try {
      var unused = producer.partitionsFor(topic);
    } catch (KafkaException e) {
      throw new TargetException(
          TargetException.Kind.UNREACHABLE, "the brokers do not say where the topic is: " + e, e);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
  public void send(byte[] key, byte[] record, Delivery delivery) {
    if (givenUp) {
      delivery.failed(new IllegalStateException("the target was given up"));
      return;
    }
    long before = System.nanoTime();
    try {
      producer.send(
          new ProducerRecord<>(topic, key, record),
          (metadata, error) -> {
            if (error == null) {
              delivery.acknowledged();
            } else {
              delivery.failed(error);
            }
          });
    } catch (KafkaException | IllegalStateException e) {
      // Not queued, interrupted, or given up meanwhile: the callback is not called then.
      delivery.failed(e);
    }
    if (System.nanoTime() - before >= SLOW_NANOS) {
      double waited = 0;
      for (Metric wait : waits) {
        waited += wait.metricValue() instanceof Number nanos ? nanos.doubleValue() : 0;
      }
      blockedNanos = (long) waited;
    }
  }

  @Override
  public long blockedNanos() {
    return blockedNanos;
  }

  @Override
  public void flush() {
    if (!givenUp) {
      producer.flush();
    }
  }

  @Override
  public void giveUp() {
    givenUp = true;
    close(Duration.ZERO);
  }

  @Override
  public void close() {
    close(givenUp ? Duration.ZERO : CLOSE_WAIT);
  }

  /** Waits so long for acknowledgements, then gives the rest up. */
  public void close(Duration wait) {
    producer.close(wait);
  }
}
