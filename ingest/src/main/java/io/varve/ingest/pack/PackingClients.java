package io.varve.ingest.pack;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients that Streams uses by default, but with main consumers that bundle source records and
 * producers that send packed rows along. With {@code group.protocol=streams} Streams makes the main
 * consumers itself; then nothing is bundled, and packs must be sent by a clock.
 */
public final class PackingClients extends DefaultKafkaClientSupplier {
  /** Most bytes of a packed record's value: about two thousand rows, a fraction of a batch. */
  public static final int MAX_RECORD_BYTES = 64 << 10;

  /** What Streams adds to a thread's name to name its clients. */
  private static final String PRODUCER = "-producer";

  private static final String CONSUMER = "-consumer";

  private final String rowsTopic;
  private final int topicPartitions;
  private final Runnable beforeFlush;
  private final BooleanSupplier mayRoute;
  private final Map<String, PackingProducer> byThread = new ConcurrentHashMap<>();

  /**
   * @param rowsTopic topic that packed rows are sent to
   * @param topicPartitions its partitions
   * @param beforeFlush runs on the stream thread before its producer is flushed; what it sends is
   *     flushed too
   * @param mayRoute whether source records may be fetched now
   */
  public PackingClients(
      String rowsTopic, int topicPartitions, Runnable beforeFlush, BooleanSupplier mayRoute) {
    this.rowsTopic = rowsTopic;
    this.topicPartitions = topicPartitions;
    this.beforeFlush = beforeFlush;
    this.mayRoute = mayRoute;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    String thread = thread(config.get(ProducerConfig.CLIENT_ID_CONFIG), PRODUCER);
    PackingProducer producer =
        new PackingProducer(
            config,
            rowsTopic,
            topicPartitions,
            beforeFlush,
            closed -> byThread.remove(thread, closed));
    byThread.put(thread, producer);
    return producer;
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    String thread = thread(config.get(ConsumerConfig.CLIENT_ID_CONFIG), CONSUMER);
    return new PackingConsumer(config, rowsTopic, () -> sendBeforePoll(thread), mayRoute);
  }

  private static String thread(@Nullable Object clientId, String suffix) {
    String client = String.valueOf(clientId);
    return client.endsWith(suffix)
        ? client.substring(0, client.length() - suffix.length())
        : client;
  }

  private void sendBeforePoll(String thread) {
    PackingProducer producer = byThread.get(thread);
    if (producer != null) {
      producer.packs().sendBeforePoll();
    }
  }

  /**
   * Returns the packs of the calling stream thread.
   *
   * @throws IllegalStateException if the caller is not a stream thread with a producer from here
   */
  public RowPacks ofThisThread() {
    PackingProducer producer = byThread.get(Thread.currentThread().getName());
    if (producer == null) {
      throw new IllegalStateException(
          "no producer for this thread: thread=" + Thread.currentThread().getName());
    }
    return producer.packs();
  }
}
