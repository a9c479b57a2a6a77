package io.varve.load;

import io.varve.load.FleetModel.Measured;
import io.varve.load.kafka.KafkaSink;
import io.varve.load.target.Delivery;
import io.varve.load.target.TargetException;
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
  private final KafkaSink sink;
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
    this.sink = open(settings);
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
  private static KafkaSink open(FleetSettings settings) {
    Map<String, String> overrides = new HashMap<>();
    overrides.put("max.in.flight.requests.per.connection", "1");
    overrides.put("max.block.ms", "5000");
    overrides.put("delivery.timeout.ms", "120000");
    overrides.putAll(settings.clientSettings());
    try {
      return KafkaSink.open(
          settings.bootstrapServers(), settings.topic(), "varve-demo-fleet", overrides);
    } catch (TargetException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
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
    } catch (RuntimeException e) {
      LOG.error("demo fleet stops sending", e);
    }
  }

  private void send(String key, byte[] value, int readings) {
    sent.addAndGet(readings);
    sink.send(
        key.getBytes(StandardCharsets.UTF_8),
        value,
        new Delivery() {
          @Override
          public void acknowledged() {
            acknowledged.addAndGet(readings);
          }

          @Override
          public void failed(Exception cause) {
            if (failed.getAndAdd(readings) == 0) {
              LOG.warn(
                  "demo fleet cannot send topic={} cause={}", settings.topic(), cause.toString());
            }
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
    sink.close(interrupted ? Duration.ZERO : LAST_ACKNOWLEDGEMENTS);
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
