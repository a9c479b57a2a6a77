package io.varve.ingest.pack;

import io.varve.storage.rows.RowPack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A producer that sends many records of {@code rows} as one.
 *
 * <p>A hop through a topic costs several times what a row costs, so rows of one topic partition are
 * gathered for a few milliseconds and leave together. What keeps at-least-once: {@link #flush}
 * sends what waits before it flushes, and Streams flushes before it commits; every record's own
 * callback is called once, with the metadata or the error of the record that carried it; order
 * within a topic partition is kept, because one lock spans packing and sending. Only records of
 * {@code rows} that name their topic partition, begin with {@link RowPack#VERSION} and have no
 * headers are packed; any other passes through.
 */
public final class PackingProducer implements Producer<byte[], byte[]> {
  private static final Logger LOG = LoggerFactory.getLogger(PackingProducer.class);

  private final Producer<byte[], byte[]> inner;
  private final String rowsTopic;
  private final Pack[] packs;
  private final long maxWaitNanos;
  private final Runnable beforeFlush;
  private final Thread drainer;
  private volatile boolean closed;
  private final AtomicBoolean drainerRests = new AtomicBoolean();
  private volatile @Nullable List<PartitionInfo> rowsPartitions;

  /**
   * @param inner the producer that sends; closed with this one
   * @param rowsTopic the one topic whose records are packed
   * @param topicPartitions partitions of that topic
   * @param beforeFlush runs on the flushing thread before anything is drained; what it sends is
   *     flushed too
   */
  public PackingProducer(
      Producer<byte[], byte[]> inner,
      String rowsTopic,
      int topicPartitions,
      PackLimits limits,
      Runnable beforeFlush) {
    this.inner = inner;
    this.rowsTopic = rowsTopic;
    this.maxWaitNanos = limits.maxWait().toNanos();
    this.beforeFlush = beforeFlush;
    packs = new Pack[topicPartitions];
    for (int p = 0; p < topicPartitions; p++) {
      packs[p] = new Pack(inner, limits.maxRecordBytes());
    }
    drainer = new Thread(this::drainUntilClosed, "varve-pack-drain");
    drainer.setDaemon(true);
    drainer.start();
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
    return send(record, null);
  }

  @Override
  public Future<RecordMetadata> send(
      ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
    Integer partition = record.partition();
    if (partition == null || !record.topic().equals(rowsTopic)) {
      return inner.send(record, callback);
    }
    Pack pack = packs[partition];
    byte[] value = record.value();
    if (value == null
        || value.length == 0
        || value[0] != RowPack.VERSION
        || record.headers().iterator().hasNext()) {
      return pack.sendAlone(record, callback);
    }
    Future<RecordMetadata> sent = pack.add(record, callback);
    // Woken once, not by each row until it runs: waking costs a system call.
    if (drainerRests.get() && drainerRests.compareAndSet(true, false)) {
      LockSupport.unpark(drainer);
    }
    return sent;
  }

  private void drainUntilClosed() {
    while (!closed) {
      try {
        if (nothingWaits()) {
          drainerRests.set(true);
          if (nothingWaits() && !closed) {
            LockSupport.park(this);
          }
          drainerRests.set(false);
        }
        LockSupport.parkNanos(this, maxWaitNanos);
        if (!closed) {
          drain();
        }
      } catch (RuntimeException e) {
        // The edge of this thread: rows wait for the next round or the next flush.
        LOG.error("Draining packed rows failed, trying again: topic={}", rowsTopic, e);
      }
    }
  }

  private boolean nothingWaits() {
    for (Pack pack : packs) {
      if (!pack.isEmpty()) {
        return false;
      }
    }
    return true;
  }

  private void drain() {
    for (Pack pack : packs) {
      if (!pack.isEmpty()) {
        pack.drain();
      }
    }
  }

  @Override
  public void flush() {
    beforeFlush.run();
    for (Pack pack : packs) {
      // Also an empty one: its lock may be held by a send that has not reached the inner producer.
      pack.drain();
    }
    inner.flush();
  }

  @Override
  public List<PartitionInfo> partitionsFor(String topic) {
    if (!topic.equals(rowsTopic)) {
      return inner.partitionsFor(topic);
    }
    // Streams asks before each record; partitions of rows are fixed for life.
    List<PartitionInfo> known = rowsPartitions;
    if (known == null) {
      known = inner.partitionsFor(topic);
      if (known.size() == packs.length) {
        rowsPartitions = known;
      }
    }
    return known;
  }

  @Override
  public void close() {
    close(Duration.ofMillis(Long.MAX_VALUE));
  }

  /**
   * Closes the inner producer too. A timeout of zero discards what waits, as the inner producer
   * does; any other sends it first.
   */
  @Override
  public void close(Duration timeout) {
    closed = true;
    LockSupport.unpark(drainer);
    boolean discard = timeout.isZero();
    if (discard) {
      inner.close(timeout); // First: it wakes a drain that waits for buffer space, lock in hand.
    }
    for (Pack pack : packs) {
      pack.close(discard);
    }
    if (!discard) {
      inner.close(timeout);
    }
  }

  @Override
  public void initTransactions() {
    inner.initTransactions();
  }

  @Override
  public void beginTransaction() {
    inner.beginTransaction();
  }

  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
    drain();
    inner.sendOffsetsToTransaction(offsets, group);
  }

  @Override
  public void commitTransaction() {
    drain();
    inner.commitTransaction();
  }

  @Override
  public void abortTransaction() {
    for (Pack pack : packs) {
      pack.discard();
    }
    inner.abortTransaction();
  }

  @Override
  public void registerMetricForSubscription(KafkaMetric metric) {
    inner.registerMetricForSubscription(metric);
  }

  @Override
  public void unregisterMetricFromSubscription(KafkaMetric metric) {
    inner.unregisterMetricFromSubscription(metric);
  }

  @Override
  public Map<MetricName, ? extends Metric> metrics() {
    return inner.metrics();
  }

  @Override
  public Uuid clientInstanceId(Duration timeout) {
    return inner.clientInstanceId(timeout);
  }
}
