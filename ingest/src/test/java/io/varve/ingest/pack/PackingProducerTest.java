package io.varve.ingest.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.storage.rows.RowPack;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PackingProducerTest {
  private static final Duration NEVER = Duration.ofHours(1);

  private final FakeProducer inner = new FakeProducer();
  private final List<String> outcomes = Collections.synchronizedList(new ArrayList<>());
  private PackingProducer producer = packing(1000, NEVER);

  private PackingProducer packing(int maxRecordBytes, Duration maxWait) {
    return new PackingProducer(inner, "rows", 4, new PackLimits(maxRecordBytes, maxWait), () -> {});
  }

  private void use(PackingProducer other) {
    producer.close(Duration.ZERO);
    producer = other;
  }

  @AfterEach
  void close() {
    producer.close(Duration.ZERO);
  }

  private static byte[] row(String sensor, long timestamp) {
    RowPack.Writer writer = new RowPack.Writer();
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    writer.add(id, 0, id.length, 0, timestamp, 0, 0);
    return writer.toBytes();
  }

  private static ProducerRecord<byte[], byte[]> record(int partition, byte[] value) {
    return new ProducerRecord<>(
        "rows", partition, 1L, new byte[] {(byte) ('0' + partition)}, value);
  }

  private Callback named(String name) {
    return (metadata, exception) ->
        outcomes.add(
            name
                + (exception == null
                    ? "@" + metadata.offset()
                    : "!" + exception.getClass().getSimpleName()));
  }

  private Future<RecordMetadata> send(int partition, String sensor, long timestamp) {
    return producer.send(record(partition, row(sensor, timestamp)), named(sensor + timestamp));
  }

  private static List<String> rowsOf(ProducerRecord<byte[], byte[]> record) {
    List<String> rows = new ArrayList<>();
    int end =
        RowPack.read(
            record.value(),
            (bytes, offset, length, shard, timestamp, sequence, bits) ->
                rows.add(new String(bytes, offset, length, StandardCharsets.UTF_8) + timestamp));
    assertThat(end).isEqualTo(-1);
    return rows;
  }

  @Test
  void rowsOfOneTopicPartitionLeaveAsOneRecordInOrder() {
    send(1, "a", 1);
    send(2, "b", 1);
    send(1, "a", 2);
    send(1, "a", 3);

    assertThat(inner.records()).isEmpty();
    producer.flush();

    assertThat(inner.records()).hasSize(2);
    ProducerRecord<byte[], byte[]> packed = inner.records().get(0);
    assertThat(rowsOf(packed)).containsExactly("a1", "a2", "a3");
    assertThat(packed.partition()).isEqualTo(1);
    assertThat(packed.key()).containsExactly('1');
    assertThat(inner.calls()).containsExactly("send", "send", "flush");
  }

  @Test
  void eachRowsCallbackGetsTheMetadataOfItsRecordOnce() throws Exception {
    Future<RecordMetadata> first = send(1, "a", 1);
    send(1, "a", 2);
    send(2, "b", 1);
    producer.flush();

    assertThat(outcomes).containsExactly("a1@0", "a2@0", "b1@1");
    assertThat(first.get().offset()).isZero();
    producer.flush();
    assertThat(outcomes).hasSize(3);
  }

  @Test
  void whatTheFlushHookSendsIsFlushedToo() {
    PackingProducer[] self = new PackingProducer[1];
    self[0] =
        new PackingProducer(
            inner,
            "rows",
            4,
            new PackLimits(1000, NEVER),
            () -> self[0].send(new ProducerRecord<>("changelog", new byte[0]), named("ledger")));
    use(self[0]);
    send(1, "a", 1);
    producer.flush();

    assertThat(outcomes).containsExactly("ledger@0", "a1@1");
  }

  @Test
  void rowsDoNotWaitLongerThanAllowed() {
    use(packing(1000, Duration.ofMillis(3)));
    send(3, "a", 1);
    await().until(() -> inner.records().size() == 1);
    send(3, "a", 2);
    await().until(() -> inner.records().size() == 2);
  }

  @Test
  void aRecordStaysWithinItsLimitAndNothingIsSplit() {
    int size = row("a", 1).length;
    use(packing(3 * size, NEVER));
    for (int i = 0; i < 7; i++) {
      send(0, "a", i);
    }
    producer.flush();

    assertThat(inner.records()).allMatch(record -> record.value().length <= 3 * size);
    assertThat(inner.records().stream().flatMap(record -> rowsOf(record).stream()))
        .containsExactly("a0", "a1", "a2", "a3", "a4", "a5", "a6");
  }

  @Test
  void aRecordOverTheLimitGoesAloneBehindThoseBeforeIt() {
    use(packing(40, NEVER));
    send(0, "a", 1);
    send(0, "a-sensor-whose-name-is-longer-than-the-limit-of-a-record", 2);
    producer.flush();

    assertThat(inner.records()).hasSize(2);
    assertThat(rowsOf(inner.records().get(0))).containsExactly("a1");
  }

  @Test
  void otherRecordsPassThroughAndKeepTheirPlace() {
    send(0, "a", 1);
    producer.send(new ProducerRecord<>("readings.dlq", null, new byte[] {1}), named("dead"));
    assertThat(inner.records()).hasSize(1);

    ProducerRecord<byte[], byte[]> withHeader = record(0, row("a", 2));
    withHeader.headers().add("traceparent", new byte[] {1});
    producer.send(withHeader, named("a2"));
    producer.send(record(0, new byte[] {9, 9}), named("foreign"));
    send(0, "a", 3);
    producer.flush();

    assertThat(outcomes).containsExactly("dead@0", "a1@1", "a2@2", "foreign@3", "a3@4");
  }

  @Test
  void brokerAwayFailsEveryRowOnce() {
    send(1, "a", 1);
    send(1, "a", 2);
    sendWhatWaits();
    inner.fail(new TimeoutException("broker is away"));

    assertThat(outcomes).containsExactly("a1!TimeoutException", "a2!TimeoutException");
    producer.flush();
    assertThat(outcomes).hasSize(2);
  }

  /** Sends what waits without an acknowledgement, by a record that must not be packed. */
  private void sendWhatWaits() {
    producer.send(record(1, new byte[] {9}), null);
  }

  @Test
  void sendThatThrowsInTheTimerReachesEachRow() {
    inner.failSendsWith(new KafkaException("out of memory in the producer"));
    use(packing(1000, Duration.ofMillis(3)));
    send(1, "a", 1);
    send(1, "a", 2);
    await().until(() -> outcomes.size() == 2);
    assertThat(outcomes).containsExactly("a1!KafkaException", "a2!KafkaException");
  }

  @Test
  void sendThatThrowsInsideAnotherSendDoesNotLoseTheNewRow() {
    int size = row("a", 1).length;
    use(packing(size, NEVER));
    inner.failSendsWith(new RecordTooLargeException("too large"));
    send(1, "a", 1);
    assertThat(outcomes).containsExactly("a1!RecordTooLargeException");
  }

  @Test
  void dirtyCloseDiscardsAndSaysSo() {
    send(1, "a", 1);
    producer.close(Duration.ZERO);

    assertThat(inner.records()).isEmpty();
    assertThat(outcomes).containsExactly("a1!KafkaException");
    assertThatThrownBy(() -> send(1, "a", 2)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closeSendsWhatWaits() {
    send(1, "a", 1);
    producer.close(Duration.ofSeconds(1));

    assertThat(inner.records()).hasSize(1);
    assertThat(inner.calls()).containsExactly("send", "close");
  }

  @Test
  void closeDuringADrainCallsEachCallbackOnce() throws Exception {
    CountDownLatch brokerBack = new CountDownLatch(1);
    use(packing(1000, Duration.ofMillis(3)));
    inner.sendsWaitFor(brokerBack);
    send(1, "a", 1);
    inner.awaitASendThatWaits();
    send(2, "b", 1);
    Thread closing = new Thread(() -> producer.close(Duration.ZERO));
    closing.start();
    brokerBack.countDown();
    closing.join();
    inner.acknowledge();

    assertThat(outcomes).hasSize(2).contains("a1@0");
  }

  @Test
  void flushWaitsForADrainInProgress() throws Exception {
    CountDownLatch brokerBack = new CountDownLatch(1);
    use(packing(1000, Duration.ofMillis(3)));
    inner.sendsWaitFor(brokerBack);
    send(1, "a", 1);
    inner.awaitASendThatWaits();
    Thread flushing = new Thread(producer::flush);
    flushing.start();
    await().until(() -> flushing.getState() == Thread.State.WAITING);
    assertThat(inner.calls()).doesNotContain("flush");
    brokerBack.countDown();
    flushing.join();

    assertThat(inner.calls()).endsWith("send", "flush");
    assertThat(outcomes).containsExactly("a1@0");
  }

  @Test
  void orderOfATopicPartitionIsKeptWhileTheTimerDrains() throws Exception {
    use(packing(200, Duration.ofNanos(50_000)));
    for (int i = 0; i < 20_000; i++) {
      send(i % 2, "a", i);
    }
    producer.flush();

    List<String> rows = new ArrayList<>();
    for (ProducerRecord<byte[], byte[]> record : inner.records()) {
      if (record.partition() == 0) {
        rows.addAll(rowsOf(record));
      }
    }
    assertThat(rows).hasSize(10_000);
    for (int i = 0; i < rows.size(); i++) {
      assertThat(rows.get(i)).isEqualTo("a" + 2 * i);
    }
    assertThat(outcomes).hasSize(20_000).doesNotHaveDuplicates();
  }
}
