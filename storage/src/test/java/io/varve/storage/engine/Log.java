package io.varve.storage.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.InMemoryPartition;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.rows.RowPack;
import java.util.ArrayList;
import java.util.List;

/** What a topic partition of {@code rows} holds: records by offset, from 0. */
final class Log {
  private final List<byte[]> records = new ArrayList<>();

  /** Packs rows of one sensor and shard into a record. */
  static byte[] record(SensorId sensor, int shard, List<Row> rows) {
    RowPack.Writer writer = new RowPack.Writer();
    byte[] id = sensor.toString().getBytes(UTF_8);
    for (Row row : rows) {
      long bits = Double.doubleToRawLongBits(row.value());
      writer.add(id, 0, id.length, shard, row.timestampMicros(), row.sequence(), bits);
    }
    return writer.toBytes();
  }

  /** Appends a record and returns its offset. */
  long append(byte[] record) {
    records.add(record);
    return records.size() - 1;
  }

  byte[] at(long offset) {
    return records.get((int) offset);
  }

  /** Offset past the last record. */
  long end() {
    return records.size();
  }

  /** Puts one record's rows into a model. */
  static void put(InMemoryPartition model, byte[] record, long offset) {
    int fault =
        RowPack.read(
            record,
            (bytes, idOffset, idLength, shard, timestampMicros, sequence, valueBits) ->
                model.put(
                    SensorId.of(bytes, idOffset, idLength),
                    shard,
                    new Row(timestampMicros, sequence, Double.longBitsToDouble(valueBits)),
                    offset));
    assertThat(fault).isEqualTo(-1);
  }
}
