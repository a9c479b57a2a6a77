package io.varve.ingest.pack;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The main consumer of one stream thread. A poll is where the thread has worked off what it has and
 * may wait: what it routed leaves first. What the poll returns is bundled, all but packed rows.
 */
final class PackingConsumer extends KafkaConsumer<byte[], byte[]> {
  private final String rowsTopic;
  private final Runnable beforePoll;

  PackingConsumer(Map<String, Object> config, String rowsTopic, Runnable beforePoll) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.rowsTopic = rowsTopic;
    this.beforePoll = beforePoll;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    beforePoll.run();
    ConsumerRecords<byte[], byte[]> polled = super.poll(timeout);
    return polled.isEmpty() ? polled : bundled(polled);
  }

  private ConsumerRecords<byte[], byte[]> bundled(ConsumerRecords<byte[], byte[]> polled) {
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> bundles = new HashMap<>();
    for (TopicPartition partition : polled.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> records = polled.records(partition);
      bundles.put(
          partition, partition.topic().equals(rowsTopic) ? records : RecordBundle.bundle(records));
    }
    return new ConsumerRecords<>(bundles, polled.nextOffsets());
  }
}
