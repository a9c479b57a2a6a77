package io.varve.server.proof;

import static io.varve.server.proof.Feed.utf8;

import io.varve.server.proof.ForeignAvro.Reading;
import io.varve.storage.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * Kinds of bad record, each with what is to become of it.
 *
 * <p>{@link #good} members go in all the same, under the sensor that is passed to {@link #value};
 * {@link #refused} counts members that break a rule; a kind that refuses nothing is not decodable.
 */
enum Poison {
  EMPTY(0, 0),
  TOMBSTONE(0, 0),
  RANDOM_BYTES(0, 0),
  UNKNOWN_FINGERPRINT(0, 0),
  TRUNCATED_READING(0, 0),
  HEADER_ONLY(0, 0),
  TRUNCATED_BATCH(3, 0),
  CONFLUENT_FRAME(0, 0),
  GLUE_FRAME(0, 0),
  AVRO_FILE(0, 0),
  ONE_MEBIBYTE_OF_ZEROS(0, 0),
  PLAIN_TEXT(0, 0),
  JSON_CUT_OFF(0, 0),
  GIANT_COLLECTION(0, 0),
  ID_EMPTY(0, 1),
  ID_TOO_LONG(0, 1),
  ID_WITH_CONTROL_CHARACTER(0, 1),
  JSON_WRONG_TYPE(0, 1),
  JSON_WITHOUT_TIMESTAMP(0, 1),
  JSON_WITHOUT_VALUE(0, 1),
  SECONDS_SENT_AS_MICROS(0, 1),
  FAR_FUTURE(0, 1),
  BEYOND_ALL_DAYS(0, 1),
  MICROS_SENT_AS_MILLIS(0, 1),
  BATCH_WITH_BAD_MEMBERS(3, 2),
  JSON_ARRAY_WITH_BAD_MEMBER(1, 1);

  /** 2024-06-01T12:00:00Z. */
  static final long NOON = 1_717_243_200_000_000L;

  private static final byte[] ZEROS = new byte[1 << 20];

  final int good;
  final int refused;

  Poison(int good, int refused) {
    this.good = good;
    this.refused = refused;
  }

  boolean decodable() {
    return refused > 0;
  }

  /**
   * Makes a record's value; good members are at noon plus member index micros, with value 1.
   *
   * @param random makes the bytes that may be any
   */
  byte @Nullable [] value(String sensor, Random random) {
    return switch (this) {
      case EMPTY -> new byte[0];
      case TOMBSTONE -> null;
      case RANDOM_BYTES -> randomBytes(random);
      case UNKNOWN_FINGERPRINT -> unknownFingerprint();
      case TRUNCATED_READING -> cut(ForeignAvro.reading(sensor, NOON, 1, 0), 9);
      case HEADER_ONLY -> Arrays.copyOf(ForeignAvro.reading(sensor, NOON, 1, 0), 10);
      case TRUNCATED_BATCH -> cut(batch(sensor, 4), 6);
      case CONFLUENT_FRAME -> framed(new byte[] {0, 0, 0, 0, 7}, sensor);
      case GLUE_FRAME -> framed(new byte[] {3, 0, 1, 2, 3, 4, 5, 6, 7, 8}, sensor);
      case AVRO_FILE -> avroFile();
      case ONE_MEBIBYTE_OF_ZEROS -> ZEROS;
      case PLAIN_TEXT -> utf8("temperature is 21.5");
      case JSON_CUT_OFF -> utf8("{\"sensor_id\":\"a\",\"timestamp\":171724");
      case JSON_WRONG_TYPE ->
          utf8("{\"sensor_id\":\"a\",\"timestamp\":1717243200,\"value\":\"warm\"}");
      case GIANT_COLLECTION -> giantCollection();
      case ID_EMPTY -> ForeignAvro.reading("", NOON, 1, 0);
      case ID_TOO_LONG -> ForeignAvro.reading("x".repeat(257), NOON, 1, 0);
      case ID_WITH_CONTROL_CHARACTER -> ForeignAvro.reading("a\nb", NOON, 1, 0);
      case JSON_WITHOUT_TIMESTAMP -> utf8("{\"sensor_id\":\"a\",\"value\":1}");
      case JSON_WITHOUT_VALUE -> utf8("{\"sensor_id\":\"a\",\"timestamp\":1717243200}");
      case SECONDS_SENT_AS_MICROS -> ForeignAvro.reading(sensor, NOON / 1_000_000, 1, 0);
      case FAR_FUTURE -> ForeignAvro.reading(sensor, 4_102_444_800_000_000L, 1, 0);
      case BEYOND_ALL_DAYS -> ForeignAvro.reading(sensor, Long.MAX_VALUE, 1, 0);
      case MICROS_SENT_AS_MILLIS -> ForeignAvro.millis(sensor, NOON, 1, 0);
      case BATCH_WITH_BAD_MEMBERS -> batchWithBadMembers(sensor);
      case JSON_ARRAY_WITH_BAD_MEMBER ->
          utf8(
              "[{\"sensor_id\":\""
                  + sensor
                  + "\",\"timestamp\":"
                  + NOON
                  + ",\"value\":1},{\"sensor_id\":\"\",\"timestamp\":"
                  + NOON
                  + ",\"value\":1}]");
    };
  }

  private static byte[] randomBytes(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(300)];
    random.nextBytes(bytes);
    bytes[0] = (byte) 0x95;
    return bytes;
  }

  private static byte[] unknownFingerprint() {
    GenericRecord other =
        new GenericData.Record(
            SchemaBuilder.record("Other").fields().requiredDouble("celsius").endRecord());
    other.put("celsius", 21.5);
    return ForeignAvro.encode(ForeignAvro.encoder(other.getSchema()), other);
  }

  private static byte[] framed(byte[] head, String sensor) {
    byte[] single = ForeignAvro.reading(sensor, NOON, 1, 0);
    return ByteBuffer.allocate(head.length + single.length - 10)
        .put(head)
        .put(single, 10, single.length - 10)
        .array();
  }

  private static byte[] avroFile() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> file =
        new DataFileWriter<>(new GenericDatumWriter<>(ForeignAvro.READING))) {
      file.create(ForeignAvro.READING, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** A batch that claims 200 million members and holds none. */
  private static byte[] giantCollection() {
    byte[] head = Arrays.copyOf(ForeignAvro.batch(List.of()), 10);
    return ByteBuffer.allocate(15)
        .put(head)
        .put(new byte[] {(byte) 0x80, (byte) 0x88, (byte) 0xde, (byte) 0xbe, 0x01})
        .array();
  }

  private static byte[] batch(String sensor, int members) {
    Reading[] readings = new Reading[members];
    for (int i = 0; i < members; i++) {
      readings[i] = new Reading(sensor, new Row(NOON + i, 0, 1));
    }
    return ForeignAvro.batch(List.of(readings));
  }

  private static byte[] batchWithBadMembers(String sensor) {
    return ForeignAvro.batch(
        List.of(
            new Reading(sensor, new Row(NOON, 0, 1)),
            new Reading("", new Row(NOON, 0, 1)),
            new Reading(sensor, new Row(NOON + 1, 0, 1)),
            new Reading(sensor, new Row(12_345, 0, 1)),
            new Reading(sensor, new Row(NOON + 2, 0, 1))));
  }

  private static byte[] cut(byte[] bytes, int less) {
    return Arrays.copyOf(bytes, bytes.length - less);
  }
}
