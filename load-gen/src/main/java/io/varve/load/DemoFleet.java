package io.varve.load;

import io.varve.load.FleetModel.Measured;
import io.varve.schemas.ReadingEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small simulated fleet that sends readings to a Kafka topic until it is closed: Avro
 * single-object encoding, keyed by sensor, or by gateway for the batches that gateways send.
 *
 * <p>It sends on a thread of its own. Counters may be read from any thread.
 */
public final class DemoFleet implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DemoFleet.class);

  private static final long STEP_NANOS = 20_000_000;
  private static final Duration LAST_SENDS = Duration.ofSeconds(2);
  private static final Duration LAST_ACKNOWLEDGEMENTS = Duration.ofSeconds(10);

  private final FleetSettings settings;
  private final FleetModel model;
  private final LongSupplier nowMicros;
  private final Producer<byte[], byte[]> producer;
  private final ReadingEncoder encoder = new ReadingEncoder();
  private final AtomicLong sent = new AtomicLong();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final Thread thread;
  private volatile boolean closing;

  private DemoFleet(FleetSettings settings, LongSupplier nowMicros) {
    this.settings = settings;
    this.nowMicros = nowMicros;
    this.model =
        new FleetModel(
            settings.sensors(),
            settings.readingsPerSecond(),
            settings.seed(),
            nowMicros.getAsLong());
    this.producer =
        new KafkaProducer<>(
            producerSettings(settings), new ByteArraySerializer(), new ByteArraySerializer());
    this.thread = new Thread(this::run, "demo-fleet");
    this.thread.setDaemon(true);
  }

  /** Starts a fleet that sends from the present on. */
  public static DemoFleet start(FleetSettings settings) {
    return start(settings, () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
  }

  static DemoFleet start(FleetSettings settings, LongSupplier nowMicros) {
    DemoFleet fleet = new DemoFleet(settings, nowMicros);
    fleet.thread.start();
    return fleet;
  }

  /**
   * One request in flight: with more, the first batches into a topic that was created a moment ago
   * can be lost for as long as the delivery timeout (KAFKA-15591).
   */
  private static Map<String, Object> producerSettings(FleetSettings settings) {
    Map<String, Object> config = new HashMap<>();
    config.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, settings.bootstrapServers());
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "varve-demo-fleet");
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    config.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000");
    config.putAll(settings.clientSettings());
    return config;
  }

  /** Names of all sensors, in a fixed order. */
  public List<String> sensorIds() {
    return model.sensors().stream().map(SimulatedSensor::id).toList();
  }

  /** Readings handed to the producer. */
  public long sent() {
    return sent.get();
  }

  /** Readings that the topic has acknowledged. */
  public long acknowledged() {
    return acknowledged.get();
  }

  /** Readings that the producer gave up on; the first one's cause is in the log. */
  public long failed() {
    return failed.get();
  }

  private void run() {
    FleetModel.Output output =
        new FleetModel.Output() {
          @Override
          public void single(Measured r) {
            send(r.sensorId(), encoder.encode(r.sensorId(), r.timestampMicros(), r.value(), 0), 1);
          }

          @Override
          public void batch(String gateway, List<Measured> readings) {
            for (Measured r : readings) {
              encoder.add(r.sensorId(), r.timestampMicros(), r.value(), 0);
            }
            send(gateway, encoder.takeBatch(), readings.size());
          }
        };
    try {
      while (!closing) {
        model.sendUntil(nowMicros.getAsLong(), output);
        LockSupport.parkNanos(STEP_NANOS);
      }
      model.sendCollected(output);
    } catch (InterruptException e) {
      LOG.debug("demo fleet was interrupted while it sent");
    } catch (RuntimeException e) {
      LOG.error("demo fleet stops sending", e);
    }
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
  private void send(String key, byte[] value, int readings) {
    sent.addAndGet(readings);
    producer.send(
        new ProducerRecord<>(settings.topic(), key.getBytes(StandardCharsets.UTF_8), value),
        (metadata, error) -> {
          if (error == null) {
            acknowledged.addAndGet(readings);
          } else if (failed.getAndAdd(readings) == 0) {
            LOG.warn(
                "demo fleet cannot send topic={} cause={}", settings.topic(), error.toString());
          }
        });
  }

  /** Sends what gateways hold, waits for acknowledgements for at most ten seconds, and stops. */
  @Override
  public void close() {
    closing = true;
    LockSupport.unpark(thread);
    boolean interrupted = false;
    try {
      thread.join(LAST_SENDS.toMillis());
    } catch (InterruptedException e) {
      interrupted = true;
    }
    thread.interrupt();
    producer.close(interrupted ? Duration.ZERO : LAST_ACKNOWLEDGEMENTS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
