package io.varve.server.proof;

import io.varve.storage.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;

/**
 * Single-object encoding of readings by Avro's own library and schemas written down here once more,
 * as a producer in another house would.
 */
final class ForeignAvro {
  static final Schema READING = reading("SensorReading");
  static final Schema MILLIS = reading("SensorReadingMillis");
  static final Schema BATCH =
      SchemaBuilder.record("SensorReadingBatch")
          .namespace("io.varve.schemas")
          .fields()
          .name("readings")
          .type(Schema.createArray(READING))
          .noDefault()
          .endRecord();

  private static final BinaryMessageEncoder<GenericRecord> READINGS = encoder(READING);
  private static final BinaryMessageEncoder<GenericRecord> MILLIS_READINGS = encoder(MILLIS);
  private static final BinaryMessageEncoder<GenericRecord> BATCHES = encoder(BATCH);

  private ForeignAvro() {}

  /** A reading together with its sensor. */
  record Reading(String sensor, Row row) {}

  static byte[] reading(String sensor, long micros, double value, long sequence) {
    return encode(READINGS, record(READING, sensor, micros, value, sequence));
  }

  static byte[] millis(String sensor, long millis, double value, long sequence) {
    return encode(MILLIS_READINGS, record(MILLIS, sensor, millis, value, sequence));
  }

  static byte[] batch(List<Reading> readings) {
    GenericRecord batch = new GenericData.Record(BATCH);
    batch.put(
        "readings",
        readings.stream()
            .map(
                r ->
                    record(
                        READING,
                        r.sensor(),
                        r.row().timestampMicros(),
                        r.row().value(),
                        r.row().sequence()))
            .toList());
    return encode(BATCHES, batch);
  }

  static BinaryMessageEncoder<GenericRecord> encoder(Schema schema) {
    return new BinaryMessageEncoder<>(GenericData.get(), schema);
  }

  static byte[] encode(BinaryMessageEncoder<GenericRecord> encoder, GenericRecord record) {
    try {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      encoder.encode(record, out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static GenericRecord record(
      Schema schema, String sensor, long time, double value, long sequence) {
    GenericRecord record = new GenericData.Record(schema);
    record.put("sensor_id", sensor);
    record.put("timestamp", time);
    record.put("value", value);
    record.put("sequence", sequence);
    return record;
  }

  private static Schema reading(String name) {
    return SchemaBuilder.record(name)
        .namespace("io.varve.schemas")
        .fields()
        .requiredString("sensor_id")
        .requiredLong("timestamp")
        .requiredDouble("value")
        .name("sequence")
        .type()
        .longType()
        .longDefault(0)
        .endRecord();
  }
}
