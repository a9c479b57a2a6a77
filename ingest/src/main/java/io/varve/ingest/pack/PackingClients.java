package io.varve.ingest.pack;

import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.streams.processor.internals.DefaultKafkaClientSupplier;

/** The clients that Streams uses by default, with producers that pack. */
public final class PackingClients extends DefaultKafkaClientSupplier {
  private final String rowsTopic;
  private final int topicPartitions;
  private final PackLimits limits;
  private final Runnable beforeFlush;

  /** As {@link PackingProducer#PackingProducer}. */
  public PackingClients(
      String rowsTopic, int topicPartitions, PackLimits limits, Runnable beforeFlush) {
    this.rowsTopic = rowsTopic;
    this.topicPartitions = topicPartitions;
    this.limits = limits;
    this.beforeFlush = beforeFlush;
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new PackingProducer(
        super.getProducer(config), rowsTopic, topicPartitions, limits, beforeFlush);
  }
}
