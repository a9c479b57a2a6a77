package io.varve.schemas;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.schemas.CapturingSink.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageDecoder;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What has been released stays as it is: texts, fingerprints and bytes that were written once. */
class ReleasedSchemasTest {
  /** The schema as clients spell it in their own code. */
  private static final String READING =
      "{\"type\":\"record\",\"name\":\"SensorReading\",\"namespace\":\"io.varve.schemas\",\"fields\":["
          + "{\"name\":\"sensor_id\",\"type\":\"string\"},{\"name\":\"timestamp\",\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}},"
          + "{\"name\":\"value\",\"type\":\"double\"},{\"name\":\"sequence\",\"type\":\"long\",\"default\":0}]}";

  private static final String BATCH =
      "{\"type\":\"record\",\"name\":\"SensorReadingBatch\",\"namespace\":\"io.varve.schemas\",\"fields\":["
          + "{\"name\":\"readings\",\"type\":{\"type\":\"array\",\"items\":"
          + READING
          + "}}]}";

  private static final List<Reading> GOLDEN =
      List.of(
          Reading.of("plant-3/temp", 1_717_200_000_000_000L, 21.5, 0),
          Reading.of("é🌡", -1_000_000L, -0.0, Long.MIN_VALUE));

  private final CapturingSink sink = new CapturingSink();
  private final ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());

  private static String resource(String name) throws IOException {
    try (InputStream in = ReleasedSchemasTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void fingerprintsAreThoseOfClientsThatSpellTheSchemaThemselves() {
    assertThat(Released.READING.fingerprint())
        .isEqualTo(SchemaNormalization.parsingFingerprint64(new Schema.Parser().parse(READING)));
    assertThat(Released.BATCH.fingerprint())
        .isEqualTo(SchemaNormalization.parsingFingerprint64(new Schema.Parser().parse(BATCH)));
  }

  @ParameterizedTest
  @CsvSource({
    "READING, 0x38a5589e3e20d371",
    "BATCH, 0xb048518f76640e48",
    "READING_MILLIS, 0x5a98a0a1272bff9a",
    "BATCH_MILLIS, 0xdf421980f010e4b7",
  })
  void fingerprintsNeverChange(Released released, String fingerprint) {
    assertThat(WriterSchema.hex(released.fingerprint())).isEqualTo(fingerprint);
  }

  @ParameterizedTest
  @EnumSource(Released.class)
  void textIsTheReleasedOne(Released released) throws IOException {
    Schema kept =
        new Schema.Parser().parse(resource("/released/" + released.schema().getName() + ".avsc"));
    assertThat(released.schema()).isEqualTo(kept);
    assertThat(released.schema().toString()).isEqualTo(kept.toString());
  }

  @ParameterizedTest
  @EnumSource(Released.class)
  void bytesWrittenOnceStayReadable(Released released) throws IOException {
    byte[] golden = HexFormat.of().parseHex(resource("/golden/" + released + ".hex").strip());
    assertThat(decoder.decode(golden, sink)).isEmpty();
    assertThat(sink.readings).isEqualTo(released.batch() ? GOLDEN : GOLDEN.subList(0, 1));
    assertThat(avro(released)).isEqualTo(golden);
  }

  /** Encodes the golden readings with Avro's own encoder. */
  private static byte[] avro(Released released) throws IOException {
    Schema schema = released.schema();
    Schema item = released.batch() ? schema.getField("readings").schema().getElementType() : schema;
    List<GenericRecord> records =
        GOLDEN.stream()
            .<GenericRecord>map(
                r -> {
                  GenericRecord record = new GenericData.Record(item);
                  record.put("sensor_id", r.id().orElseThrow());
                  record.put(
                      "timestamp", r.micros().orElseThrow() / (released.millis() ? 1000 : 1));
                  record.put("value", r.value().orElseThrow());
                  record.put("sequence", r.sequence());
                  return record;
                })
            .toList();
    GenericRecord datum = records.get(0);
    if (released.batch()) {
      datum = new GenericData.Record(schema);
      datum.put("readings", records);
    }
    var buffer = new BinaryMessageEncoder<>(GenericData.get(), schema).encode(datum);
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  @Test
  void encoderWritesWhatAvroReads() throws IOException {
    ReadingEncoder encoder = new ReadingEncoder();
    GenericRecord single =
        new BinaryMessageDecoder<GenericRecord>(GenericData.get(), Released.READING.schema())
            .decode(encoder.encode("plant-3/temp", 1_717_200_000_000_000L, 21.5, 7));
    assertThat(single)
        .hasToString(
            "{\"sensor_id\": \"plant-3/temp\", \"timestamp\": 1717200000000000,"
                + " \"value\": 21.5, \"sequence\": 7}");
    encoder.add("a", 1, 1, 0);
    encoder.add("b", 2, Double.NaN, -1);
    assertThat(encoder.memberCount()).isEqualTo(2);
    GenericRecord batch =
        new BinaryMessageDecoder<GenericRecord>(GenericData.get(), Released.BATCH.schema())
            .decode(encoder.takeBatch());
    assertThat((List<?>) batch.get("readings")).hasSize(2);
    assertThat(encoder.memberCount()).isZero();
  }

  @Test
  void emptyBatchIsARecordWithoutReadings() {
    assertThat(decoder.decode(new ReadingEncoder().takeBatch(), sink)).isEmpty();
    assertThat(sink.readings).isEmpty();
  }
}
