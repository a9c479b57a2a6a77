package io.varve.server.scan;

import io.varve.schemas.WriterSchemas;
import io.varve.server.advise.ReplayFeed;
import io.varve.server.net.Ports;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what a topic of readings holds from its oldest record to where it ended when the scan
 * began. It joins no group and commits nothing. Single-threaded, used once.
 */
public final class TopicScan implements AutoCloseable {
  /** Told how far a scan is. */
  public interface Progress {
    /** So many of all offsets are read. */
    void read(long offsets, long ofOffsets);
  }

  private static final Duration BROKER_WAIT = Duration.ofSeconds(15);
  private static final Duration POLL = Duration.ofMillis(500);

  private final Consumer<byte[], byte[]> consumer;
  private final String topic;
  private final RecordReadings readings;

  private TopicScan(Consumer<byte[], byte[]> consumer, String topic, RecordReadings readings) {
    this.consumer = consumer;
    this.topic = topic;
    this.readings = readings;
  }

  /**
   * Connects.
   *
   * @param overrides consumer settings that win over the scan's own
   * @throws ScanException when no broker answers or a setting is wrong
   */
  public static TopicScan open(
      String brokers,
      String topic,
      Map<String, String> overrides,
      WriterSchemas schemas,
      ReplayFeed feed)
      throws ScanException {
    if (!Ports.anyListens(brokers)) {
      throw new ScanException(
          ScanException.Kind.UNREACHABLE, "no broker answers: brokers=" + brokers);
    }
    Map<String, Object> config = new HashMap<>();
    config.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "varve-advise");
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "4000");
    config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "2097152");
    config.put(
        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, String.valueOf(BROKER_WAIT.toMillis()));
    config.putAll(overrides);
    try {
      return new TopicScan(
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
          topic,
          new RecordReadings(schemas, feed));
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new ScanException(
          ScanException.Kind.SETTINGS, "Kafka refuses the settings: " + cause.getMessage(), e);
    }
  }

  /**
   * Reads the topic.
   *
   * @throws ScanException when the topic does not exist, or the brokers stop to answer
   */
  public void run(Progress progress) throws ScanException, InterruptedException {
    try {
      List<PartitionInfo> found = consumer.partitionsFor(topic);
      if (found == null || found.isEmpty()) {
        throw new ScanException(
            ScanException.Kind.NO_TOPIC, "the topic does not exist: topic=" + topic);
      }
      List<TopicPartition> partitions =
          found.stream().map(p -> new TopicPartition(p.topic(), p.partition())).toList();
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions);
      read(begins, ends, progress);
    } catch (KafkaException e) {
      throw new ScanException(
          ScanException.Kind.UNREACHABLE, "the brokers do not answer: " + e.getMessage(), e);
    }
  }

  private void read(
      Map<TopicPartition, Long> begins, Map<TopicPartition, Long> ends, Progress progress)
      throws ScanException, InterruptedException {
    long all = 0;
    Set<TopicPartition> open = new HashSet<>();
    for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
      long begin = begins.getOrDefault(end.getKey(), 0L);
      all += end.getValue() - begin;
      if (end.getValue() > begin) {
        open.add(end.getKey());
      }
    }
    consumer.assign(open);
    consumer.seekToBeginning(open);
    long lastNews = System.nanoTime();
    long read = 0;
    while (!open.isEmpty()) {
      long before = read;
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
        take(each, ends.getOrDefault(new TopicPartition(each.topic(), each.partition()), 0L));
      }
      read = 0;
      for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
        long begin = begins.getOrDefault(end.getKey(), 0L);
        long at = open.contains(end.getKey()) ? consumer.position(end.getKey()) : end.getValue();
        read += Math.max(0, Math.min(at, end.getValue()) - begin);
        if (at >= end.getValue() && open.remove(end.getKey())) {
          consumer.assign(open); // keeps the positions of the others
        }
      }
      progress.read(read, all);
      if (read > before) {
        lastNews = System.nanoTime();
      } else if (System.nanoTime() - lastNews > 2 * BROKER_WAIT.toNanos()) {
        throw new ScanException(
            ScanException.Kind.UNREACHABLE,
            "no more records come: topic=" + topic + " read=" + read + " of=" + all);
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> each, long end) throws InterruptedException {
    if (each.offset() >= end) {
      return;
    }
    if (each.value() == null) {
      readings.takeNothing();
      return;
    }
    readings.take(each.value(), (long) each.value().length + Math.max(0, each.serializedKeySize()));
  }

  /** Readings without a usable id, timestamp or value. */
  public long refused() {
    return readings.refused();
  }

  /** Records that could not be decoded, or not to their end. */
  public long undecodable() {
    return readings.undecodable();
  }

  @Override
  public void close() {
    consumer.close();
  }
}
