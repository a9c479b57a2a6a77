package io.varve.ingest;

import io.varve.schemas.ReadingEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** A producer of readings for tests; {@link #flush} returns when all are acknowledged. */
final class Readings implements AutoCloseable {
  /** 2024-06-01T00:00:00Z. */
  static final long JUNE = 1_717_200_000_000_000L;

  private final KafkaProducer<byte[], byte[]> producer;
  private final ReadingEncoder encoder = new ReadingEncoder();
  private final List<Future<RecordMetadata>> sent = new ArrayList<>();
  private final String topic;

  Readings(String bootstrapServers, String topic) {
    this.topic = topic;
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers, "acks", "all", "linger.ms", 5),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  void send(String sensor, long timestampMicros, double value) {
    byte[] reading = encoder.encode(sensor, timestampMicros, value, 0);
    sendBytes(sensor.getBytes(java.nio.charset.StandardCharsets.UTF_8), reading);
  }

  void sendBytes(byte[] key, byte[] value) {
    sent.add(producer.send(new ProducerRecord<>(topic, key, value)));
  }

  void flush() throws Exception {
    producer.flush();
    for (Future<RecordMetadata> one : sent) {
      one.get();
    }
    sent.clear();
  }

  @Override
  public void close() {
    producer.close();
  }
}
