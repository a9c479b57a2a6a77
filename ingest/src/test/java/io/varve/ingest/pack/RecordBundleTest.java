package io.varve.ingest.pack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class RecordBundleTest {
  private static ConsumerRecord<byte[], byte[]> record(long offset, int size) {
    return new ConsumerRecord<>(
        "readings",
        3,
        offset,
        1000 + offset,
        TimestampType.CREATE_TIME,
        1,
        size,
        new byte[] {(byte) offset},
        new byte[size],
        new RecordHeaders().add("traceparent", new byte[] {(byte) offset}),
        Optional.of(7));
  }

  private static List<ConsumerRecord<byte[], byte[]>> records(int n, int size) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      records.add(record(10 + 2L * i, size));
    }
    return records;
  }

  private static List<ConsumerRecord<byte[], byte[]>> unbundled(
      List<ConsumerRecord<byte[], byte[]>> bundles) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    for (ConsumerRecord<byte[], byte[]> bundle : bundles) {
      List<ConsumerRecord<byte[], byte[]>> in = RecordBundle.in(bundle.headers());
      records.addAll(in.isEmpty() ? List.of(bundle) : in);
    }
    return records;
  }

  @Test
  void aBundleStandsAtItsFirstRecordSoThatACommitBeforeItLosesNothing() {
    List<ConsumerRecord<byte[], byte[]>> records = records(5, 100);
    List<ConsumerRecord<byte[], byte[]>> bundles = RecordBundle.bundle(records);

    assertThat(bundles).hasSize(1);
    ConsumerRecord<byte[], byte[]> bundle = bundles.get(0);
    assertThat(bundle.offset()).isEqualTo(10);
    assertThat(bundle.topic()).isEqualTo("readings");
    assertThat(bundle.partition()).isEqualTo(3);
    assertThat(bundle.timestamp()).isEqualTo(1010);
    assertThat(bundle.timestampType()).isEqualTo(TimestampType.CREATE_TIME);
    assertThat(bundle.leaderEpoch()).contains(7);
  }

  @Test
  void recordsComeOutTheSameObjectsInOrder() {
    List<ConsumerRecord<byte[], byte[]>> records = records(4500, 100);
    List<ConsumerRecord<byte[], byte[]>> bundles = RecordBundle.bundle(records);
    assertThat(bundles).hasSizeBetween(2, 10);
    assertThat(unbundled(bundles)).containsExactlyElementsOf(records);
  }

  @Test
  void bytesBoundABundleToo() {
    List<ConsumerRecord<byte[], byte[]>> records = records(10, 100 << 10);
    List<ConsumerRecord<byte[], byte[]>> bundles = RecordBundle.bundle(records);
    assertThat(bundles).hasSize(5);
    assertThat(unbundled(bundles)).containsExactlyElementsOf(records);
  }

  @Test
  void oneRecordAloneStaysAsItIs() {
    List<ConsumerRecord<byte[], byte[]>> small = records(1, 10);
    assertThat(RecordBundle.bundle(small)).isEqualTo(small);
    List<ConsumerRecord<byte[], byte[]>> huge = records(2, 1 << 20);
    assertThat(RecordBundle.bundle(huge)).isEqualTo(huge);
    assertThat(RecordBundle.bundle(List.of())).isEmpty();
  }

  @Test
  void noRecordFromOutsidePassesForABundle() {
    Headers forged = new RecordHeaders().add("varve.bundle", new byte[] {1, 2, 3});
    assertThat(RecordBundle.in(forged)).isEmpty();
    assertThat(RecordBundle.in(new RecordHeaders())).isEmpty();
  }
}
