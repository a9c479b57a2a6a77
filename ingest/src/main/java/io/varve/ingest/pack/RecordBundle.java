package io.varve.ingest.pack;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Consecutive records of one topic partition on their way through Streams as one, because Streams
 * does more work for a record than a reading needs.
 *
 * <p>The bundle takes the place of its first record, whose offset it has, and its records hang on
 * it as a header object, untouched. A commit before it is processed therefore names its first
 * record, and one after it the record that follows its last. No record from outside can pass for a
 * bundle: its header is known by its class.
 */
public final class RecordBundle implements Header {
  /** Most records and most bytes of values in a bundle, so that other tasks get their turn. */
  private static final int MAX_RECORDS = 2000;

  private static final int MAX_BYTES = 256 << 10;

  private static final byte[] NO_BYTES = {};

  private final List<ConsumerRecord<byte[], byte[]>> records;

  private RecordBundle(List<ConsumerRecord<byte[], byte[]>> records) {
    this.records = records;
  }

  /** Returns the records of one topic partition as bundles, in order; one alone stays as it is. */
  static List<ConsumerRecord<byte[], byte[]>> bundle(List<ConsumerRecord<byte[], byte[]>> records) {
    List<ConsumerRecord<byte[], byte[]>> bundles = new ArrayList<>();
    int from = 0;
    int bytes = 0;
    for (int to = 0; to < records.size(); to++) {
      int size = Math.max(0, records.get(to).serializedValueSize());
      if (to > from && (to - from == MAX_RECORDS || bytes + size > MAX_BYTES)) {
        bundles.add(of(records.subList(from, to)));
        from = to;
        bytes = 0;
      }
      bytes += size;
    }
    if (from < records.size()) {
      bundles.add(of(records.subList(from, records.size())));
    }
    return bundles;
  }

  private static ConsumerRecord<byte[], byte[]> of(List<ConsumerRecord<byte[], byte[]>> records) {
    ConsumerRecord<byte[], byte[]> first = records.get(0);
    if (records.size() == 1) {
      return first;
    }
    return new ConsumerRecord<>(
        first.topic(),
        first.partition(),
        first.offset(),
        first.timestamp(),
        first.timestampType(),
        ConsumerRecord.NULL_SIZE,
        0,
        NO_BYTES,
        NO_BYTES,
        new RecordHeaders(new Header[] {new RecordBundle(records)}),
        first.leaderEpoch(),
        Optional.empty());
  }

  /** Returns the records of a bundle by the headers of the record that carries it, else none. */
  public static List<ConsumerRecord<byte[], byte[]>> in(Headers headers) {
    for (Header header : headers) {
      if (header instanceof RecordBundle bundle) {
        return bundle.records;
      }
    }
    return List.of();
  }

  @Override
  public String key() {
    return "varve.bundle";
  }

  @Override
  public byte[] value() {
    return NO_BYTES;
  }
}
