package io.varve.ingest.pack;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/** The clients that Streams uses by default, with producers that send packed rows. */
public final class PackingClients extends DefaultKafkaClientSupplier {
  /** Most bytes of a packed record's value: about two thousand rows, a fraction of a batch. */
  public static final int MAX_RECORD_BYTES = 64 << 10;

  /** What Streams adds to a thread's name to name its producer. */
  private static final String PRODUCER = "-producer";

  private final String rowsTopic;
  private final int topicPartitions;
  private final Runnable beforeFlush;
  private final Map<String, PackingProducer> byThread = new ConcurrentHashMap<>();

  /**
   * @param rowsTopic topic that packed rows are sent to
   * @param topicPartitions its partitions
   * @param beforeFlush runs on the stream thread before its producer is flushed; what it sends is
   *     flushed too
   */
  public PackingClients(String rowsTopic, int topicPartitions, Runnable beforeFlush) {
    this.rowsTopic = rowsTopic;
    this.topicPartitions = topicPartitions;
    this.beforeFlush = beforeFlush;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    String client = String.valueOf(config.get(ProducerConfig.CLIENT_ID_CONFIG));
    String thread =
        client.endsWith(PRODUCER)
            ? client.substring(0, client.length() - PRODUCER.length())
            : client;
    PackingProducer producer =
        new PackingProducer(
            config, rowsTopic, topicPartitions, beforeFlush, () -> byThread.remove(thread));
    byThread.put(thread, producer);
    return producer;
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
