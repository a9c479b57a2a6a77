package io.varve.ingest.pack;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The main consumer of one stream thread. A poll is where the thread has worked off what it has and
 * may wait: what it routed leaves first. What the poll returns is bundled, all but packed rows.
 *
 * <p>While nothing may be routed, a poll fetches packed rows only: source records stay on the
 * brokers, and the thread goes on to apply rows and to take part in its group.
 */
final class PackingConsumer extends KafkaConsumer<byte[], byte[]> {
  /** Longest wait of a poll without source records, so that they come soon once they may. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  private final String rowsTopic;
  private final Runnable beforePoll;
  private final BooleanSupplier mayRoute;

  /** What Streams has paused during a poll without source records. */
  private final Set<TopicPartition> pausedMeanwhile = new HashSet<>();

  PackingConsumer(
      Map<String, Object> config, String rowsTopic, Runnable beforePoll, BooleanSupplier mayRoute) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.rowsTopic = rowsTopic;
    this.beforePoll = beforePoll;
    this.mayRoute = mayRoute;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    beforePoll.run();
    ConsumerRecords<byte[], byte[]> polled =
        mayRoute.getAsBoolean() ? super.poll(timeout) : pollRows(timeout);
    return polled.isEmpty() ? polled : bundled(polled);
  }

  private ConsumerRecords<byte[], byte[]> pollRows(Duration timeout) {
    Set<TopicPartition> held = new HashSet<>(assignment());
    held.removeAll(paused());
    held.removeIf(partition -> partition.topic().equals(rowsTopic));
    super.pause(held);
    pausedMeanwhile.clear();
    try {
      return super.poll(timeout.compareTo(LOOK_AGAIN) < 0 ? timeout : LOOK_AGAIN);
    } finally {
      held.removeAll(pausedMeanwhile);
      held.retainAll(assignment());
      super.resume(held);
    }
  }

  @Override
  public void pause(Collection<TopicPartition> partitions) {
    pausedMeanwhile.addAll(partitions);
    super.pause(partitions);
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
