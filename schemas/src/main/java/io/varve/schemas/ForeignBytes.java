package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;

/** Names what bytes are that Varve does not read, as far as their first bytes tell. */
final class ForeignBytes {
  private static final int CONFLUENT_HEADER = 5;
  private static final int GLUE_HEADER = 18;
  private static final int SHOWN_BYTES = 8;

  private static final String USE_SINGLE_OBJECT =
      "send Avro single-object encoding (C3 01, fingerprint, datum) of"
          + " io.varve.schemas.SensorReading, or JSON";

  private ForeignBytes() {}

  /** Describes bytes that are neither single-object encoding nor JSON. */
  static Undecodable describe(byte[] b) {
    if (b.length == 0) {
      return Undecodable.EMPTY;
    }
    if (startsWith(b, 0xc3, 0x01)) {
      return new Undecodable(
          Reason.TRUNCATED,
          "the record ends inside the header of single-object encoding size=" + b.length,
          "check that the producer writes the ten bytes of the header and a datum");
    }
    if (b[0] == 0 && b.length >= CONFLUENT_HEADER) {
      return new Undecodable(
          Reason.CONFLUENT_FRAME,
          "the record is framed for a Confluent schema registry schema_id=" + schemaId(b),
          "Varve asks no registry: replace the producer's KafkaAvroSerializer; "
              + USE_SINGLE_OBJECT);
    }
    if ((startsWith(b, 3, 0) || startsWith(b, 3, 5)) && b.length >= GLUE_HEADER) {
      return new Undecodable(
          Reason.GLUE_FRAME,
          "the record is framed for the AWS Glue schema registry compression=" + b[1],
          "Varve asks no registry: replace the producer's serializer; " + USE_SINGLE_OBJECT);
    }
    if (startsWith(b, 'O', 'b', 'j', 1)) {
      return new Undecodable(
          Reason.AVRO_FILE,
          "the record is a whole Avro file size=" + b.length,
          "send the file's records one by one, or as SensorReadingBatch; " + USE_SINGLE_OBJECT);
    }
    String format = format(b);
    if (!format.isEmpty()) {
      return new Undecodable(
          Reason.FOREIGN_FORMAT,
          "the record is of another format format=" + format,
          "compress with the producer's compression.type, not the value itself; "
              + USE_SINGLE_OBJECT);
    }
    return new Undecodable(
        Reason.GARBAGE,
        "the record has none of the forms that Varve reads size="
            + b.length
            + " first_bytes="
            + firstBytes(b),
        USE_SINGLE_OBJECT);
  }

  private static String format(byte[] b) {
    if (startsWith(b, 0x1f, 0x8b)) {
      return "gzip";
    }
    if (startsWith(b, 0x28, 0xb5, 0x2f, 0xfd)) {
      return "zstd";
    }
    if (startsWith(b, 0x04, 0x22, 0x4d, 0x18)) {
      return "lz4";
    }
    if (startsWith(b, 'P', 'A', 'R', '1')) {
      return "parquet";
    }
    if (startsWith(b, 'P', 'K', 3, 4)) {
      return "zip";
    }
    return startsWith(b, '<') ? "xml" : "";
  }

  private static int schemaId(byte[] b) {
    return (b[1] & 0xff) << 24 | (b[2] & 0xff) << 16 | (b[3] & 0xff) << 8 | (b[4] & 0xff);
  }

  private static boolean startsWith(byte[] bytes, int... prefix) {
    if (bytes.length < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if ((bytes[i] & 0xff) != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private static String firstBytes(byte[] b) {
    StringBuilder hex = new StringBuilder();
    for (int i = 0; i < Math.min(b.length, SHOWN_BYTES); i++) {
      hex.append(String.format(i == 0 ? "%02x" : " %02x", b[i] & 0xff));
    }
    return hex.toString();
  }
}
