package io.varve.ingest.pack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.storage.rows.RowPack;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.TaskId;
import org.junit.jupiter.api.Test;

class RowPacksTest {
  private static final TaskId FIRST = new TaskId(1, 0);
  private static final TaskId SECOND = new TaskId(1, 1);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final RowPacks packs = new RowPacks(producer, "rows", 4, 1000);

  private void add(int topicPartition, String sensor, long timestamp) {
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    packs.add(topicPartition, id, 0, id.length, 0, timestamp, 0, 0);
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
    add(1, "a", 1);
    add(2, "b", 1);
    add(1, "a", 2);
    add(1, "c", 3);
    assertThat(producer.history()).isEmpty();
    packs.send();

    assertThat(producer.history()).hasSize(2);
    ProducerRecord<byte[], byte[]> packed = producer.history().get(0);
    assertThat(packed.topic()).isEqualTo("rows");
    assertThat(packed.partition()).isEqualTo(1);
    assertThat(packed.key()).containsExactly('1');
    assertThat(rowsOf(packed)).containsExactly("a1", "a2", "c3");
    assertThat(rowsOf(producer.history().get(1))).containsExactly("b1");
  }

  @Test
  void whatWasSentIsNotSentAgain() {
    add(1, "a", 1);
    packs.send();
    packs.send();
    add(1, "a", 2);
    packs.send();
    assertThat(producer.history()).hasSize(2);
    assertThat(rowsOf(producer.history().get(1))).containsExactly("a2");
  }

  @Test
  void aFullRecordLeavesByItselfWithinItsLimit() {
    for (int i = 0; i < 200; i++) {
      add(0, "a-sensor-of-some-length", i);
    }
    packs.send();

    List<String> rows = new ArrayList<>();
    assertThat(producer.history()).hasSizeGreaterThan(5);
    for (ProducerRecord<byte[], byte[]> record : producer.history()) {
      assertThat(record.value().length).isLessThanOrEqualTo(1000);
      rows.addAll(rowsOf(record));
    }
    assertThat(rows).hasSize(200);
    for (int i = 0; i < 200; i++) {
      assertThat(rows.get(i)).isEqualTo("a-sensor-of-some-length" + i);
    }
  }

  @Test
  void theClockSendsOnlyWhereNoPollDoes() {
    add(1, "a", 1);
    packs.sendByClock();
    assertThat(producer.history()).hasSize(1);
    add(1, "a", 2);
    packs.sendBeforePoll();
    assertThat(producer.history()).hasSize(2);
    add(1, "a", 3);
    packs.sendByClock();
    assertThat(producer.history()).hasSize(2);
  }

  @Test
  void allArrivedMeansNoThrow() {
    packs.open(FIRST);
    add(1, "a", 1);
    packs.send();
    producer.completeNext();
    assertThatCode(packs::check).doesNotThrowAnyException();
  }

  @Test
  void aFaultThatMayPassSendsAllRoutersBackToTheirCommit() {
    packs.open(FIRST);
    packs.open(SECOND);
    add(1, "a", 1);
    add(2, "a", 1);
    packs.send();
    producer.errorNext(new TimeoutException("broker is away"));
    producer.completeNext();

    assertThatThrownBy(packs::check)
        .isInstanceOfSatisfying(
            TaskCorruptedException.class,
            fault -> assertThat(fault.corruptedTasks()).isEqualTo(Set.of(FIRST, SECOND)));
    packs.close(FIRST);
    // An orderly close of the thread commits each task that does not throw by itself.
    assertThatThrownBy(packs::check)
        .isInstanceOfSatisfying(
            TaskCorruptedException.class,
            fault -> assertThat(fault.corruptedTasks()).isEqualTo(Set.of(SECOND)));
    packs.open(FIRST);
    assertThatThrownBy(packs::check).isInstanceOf(TaskCorruptedException.class);
    packs.close(SECOND);
    assertThatCode(packs::check).doesNotThrowAnyException();
  }

  @Test
  void aFaultThatStaysEndsTheThread() {
    packs.open(FIRST);
    add(1, "a", 1);
    packs.send();
    producer.errorNext(new RecordTooLargeException("too large"));
    assertThatThrownBy(packs::check)
        .isInstanceOf(StreamsException.class)
        .isNotInstanceOf(TaskCorruptedException.class)
        .hasMessageContaining("rows")
        .hasRootCauseInstanceOf(RecordTooLargeException.class);
    assertThatThrownBy(packs::check).hasRootCauseInstanceOf(RecordTooLargeException.class);
    packs.close(FIRST);
    assertThatCode(packs::check).doesNotThrowAnyException();
  }

  @Test
  void aSendThatThrowsIsAFaultToo() {
    packs.open(FIRST);
    producer.sendException = new IllegalStateException("producer is closed");
    add(1, "a", 1);
    packs.send();
    assertThatThrownBy(packs::check)
        .isInstanceOf(StreamsException.class)
        .hasRootCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void rowsOfATaskThatLeftConcernNobody() {
    packs.open(FIRST);
    add(1, "a", 1);
    packs.send();
    packs.close(FIRST);
    producer.errorNext(new TimeoutException("broker is away"));
    assertThatCode(packs::check).doesNotThrowAnyException();
  }
}
