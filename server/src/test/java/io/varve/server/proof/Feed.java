package io.varve.server.proof;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A producer of readings that fails loudly when a send is not acknowledged. */
final class Feed implements AutoCloseable {
  static final String TOPIC = "readings";

  private final KafkaProducer<byte[], byte[]> producer;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final AtomicLong sent = new AtomicLong();

  Feed(String bootstrap) {
    this(bootstrap, Map.of());
  }

  Feed(String bootstrap, Map<String, String> settings) {
    Map<String, Object> all =
        new java.util.HashMap<>(
            Map.of(
                "bootstrap.servers", bootstrap,
                "acks", "all",
                "compression.type", "lz4",
                "linger.ms", "5",
                "batch.size", "131072",
                "max.request.size", "4194304"));
    all.putAll(settings);
    producer = new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Sends one reading keyed by its sensor. */
  void reading(String sensor, long micros, double value, long sequence) {
    raw(utf8(sensor), ForeignAvro.reading(sensor, micros, value, sequence));
  }

  void reading(String sensor, long micros, double value) {
    reading(sensor, micros, value, 0);
  }

  /** Sends any bytes under any key. */
  void raw(byte @Nullable [] key, byte @Nullable [] value) {
    send(new ProducerRecord<>(TOPIC, key, value));
  }

  void send(ProducerRecord<byte[], byte[]> record) {
    send(
        record,
        (metadata, error) -> {
          if (error != null) {
            failure.compareAndSet(null, error);
          }
        });
  }

  void send(ProducerRecord<byte[], byte[]> record, Callback callback) {
    sent.incrementAndGet();
    producer.send(record, callback);
  }

  /** Waits for all acknowledgements. */
  void flush() {
    producer.flush();
    Exception failed = failure.get();
    if (failed != null) {
      throw new AssertionError("not acknowledged", failed);
    }
  }

  /** Number of topic partitions of the source topic. */
  int partitions() {
    return producer.partitionsFor(TOPIC).size();
  }

  /** Records sent so far. */
  long sent() {
    return sent.get();
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    producer.close(java.time.Duration.ofSeconds(5));
  }
}
