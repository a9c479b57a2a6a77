package io.varve.ingest.pack;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** The producer of one stream thread: its flush, before each commit, takes the rows along. */
final class PackingProducer extends KafkaProducer<byte[], byte[]> {
  private final RowPacks packs;
  private final Runnable beforeFlush;
  private final Consumer<PackingProducer> onClose;

  PackingProducer(
      Map<String, Object> config,
      String rowsTopic,
      int topicPartitions,
      Runnable beforeFlush,
      Consumer<PackingProducer> onClose) {
    super(config, new ByteArraySerializer(), new ByteArraySerializer());
    packs = new RowPacks(this, rowsTopic, topicPartitions, PackingClients.MAX_RECORD_BYTES);
    this.beforeFlush = beforeFlush;
    this.onClose = onClose;
  }

  RowPacks packs() {
    return packs;
  }

  @Override
  public void flush() {
    packs.send();
    beforeFlush.run();
    super.flush();
    packs.check();
  }

  @Override
  public void close(Duration timeout) {
    onClose.accept(this);
    super.close(timeout);
  }
}
