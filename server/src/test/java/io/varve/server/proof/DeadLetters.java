package io.varve.server.proof;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** A reader of the dead-letter topic. */
final class DeadLetters {
  private DeadLetters() {}

  /** Reads the topic from its beginning to its end as of now, keeping none. */
  static void forEach(
      String bootstrap, String topic, Consumer<ConsumerRecord<byte[], byte[]>> each) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "max.partition.fetch.bytes", 16 << 20);
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(p -> new TopicPartition(topic, p.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
        consumer.poll(Duration.ofMillis(200)).forEach(each);
      }
    }
  }

  /** Reads the topic from its beginning to its end as of now. */
  static List<ConsumerRecord<byte[], byte[]>> readAll(String bootstrap, String topic) {
    List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
    forEach(bootstrap, topic, all::add);
    return all;
  }

  /** Returns a header's text, empty when there is none. */
  static String header(ConsumerRecord<?, ?> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
  }
}
