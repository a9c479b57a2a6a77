package io.varve.ingest.pack;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
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

/** A producer that keeps what it is given until the test says what becomes of it. */
final class FakeProducer implements Producer<byte[], byte[]> {
  private record Sent(ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {}

  private final List<Sent> sent = new ArrayList<>();
  private final List<String> calls = new ArrayList<>();
  private int acknowledged;
  private long offset;
  private volatile Optional<RuntimeException> sendThrows = Optional.empty();
  private volatile Optional<CountDownLatch> sendWaits = Optional.empty();
  private final CountDownLatch sendEntered = new CountDownLatch(1);

  void failSendsWith(RuntimeException fault) {
    sendThrows = Optional.of(fault);
  }

  void sendsWaitFor(CountDownLatch latch) {
    sendWaits = Optional.of(latch);
  }

  void awaitASendThatWaits() throws InterruptedException {
    sendEntered.await();
  }

  synchronized List<ProducerRecord<byte[], byte[]>> records() {
    return sent.stream().map(Sent::record).toList();
  }

  synchronized List<String> calls() {
    return List.copyOf(calls);
  }

  /** Acknowledges all that was sent and not acknowledged yet. */
  synchronized void acknowledge() {
    for (; acknowledged < sent.size(); acknowledged++) {
      Sent one = sent.get(acknowledged);
      if (one.callback() != null) {
        Integer partition = one.record().partition();
        one.callback()
            .onCompletion(
                new RecordMetadata(
                    new TopicPartition(one.record().topic(), partition == null ? 0 : partition),
                    offset++,
                    0,
                    0,
                    0,
                    0),
                null);
      }
    }
  }

  /** Fails all that was sent and not acknowledged yet. */
  synchronized void fail(Exception fault) {
    for (; acknowledged < sent.size(); acknowledged++) {
      Sent one = sent.get(acknowledged);
      if (one.callback() != null) {
        one.callback().onCompletion(null, fault);
      }
    }
  }

  @Override
  public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record) {
    return send(record, null);
  }

  @Override
  public Future<RecordMetadata> send(
      ProducerRecord<byte[], byte[]> record, @Nullable Callback callback) {
    sendWaits.ifPresent(
        latch -> {
          sendEntered.countDown();
          try {
            latch.await();
            sendWaits = Optional.empty();
          } catch (InterruptedException e) {
            throw new org.apache.kafka.common.errors.InterruptException(e);
          }
        });
    if (sendThrows.isPresent()) {
      throw sendThrows.get();
    }
    synchronized (this) {
      sent.add(new Sent(record, callback));
      calls.add("send");
    }
    return new CompletableFuture<>();
  }

  @Override
  public synchronized void flush() {
    calls.add("flush");
    acknowledge();
  }

  @Override
  public List<PartitionInfo> partitionsFor(String topic) {
    return List.of();
  }

  @Override
  public Map<MetricName, ? extends Metric> metrics() {
    return Map.of();
  }

  @Override
  public void close() {
    close(Duration.ofMillis(Long.MAX_VALUE));
  }

  @Override
  public void close(Duration timeout) {
    sendWaits.ifPresent(CountDownLatch::countDown);
    synchronized (this) {
      calls.add("close");
    }
  }

  @Override
  public void initTransactions() {}

  @Override
  public void beginTransaction() {}

  @Override
  public void sendOffsetsToTransaction(
      Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {}

  @Override
  public synchronized void commitTransaction() {
    calls.add("commit");
  }

  @Override
  public void abortTransaction() {}

  @Override
  public void registerMetricForSubscription(KafkaMetric metric) {}

  @Override
  public void unregisterMetricFromSubscription(KafkaMetric metric) {}

  @Override
  public Uuid clientInstanceId(Duration timeout) {
    return Uuid.ZERO_UUID;
  }
}
