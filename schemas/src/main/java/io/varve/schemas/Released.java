package io.varve.schemas;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;

/**
 * The schemas that Varve releases: they never change, and what was written by them stays readable.
 */
enum Released {
  READING("SensorReading", false, false),
  BATCH("SensorReadingBatch", true, false),
  READING_MILLIS("SensorReadingMillis", false, true),
  BATCH_MILLIS("SensorReadingBatchMillis", true, true);

  /** Bytes before the datum in single-object encoding: C3 01, then the fingerprint. */
  static final int HEADER_LENGTH = 10;

  @SuppressWarnings("ImmutableEnumChecker") // Avro's type has setters; nobody calls them here
  private final Schema schema;

  private final long fingerprint;
  private final boolean batch;
  private final boolean millis;

  Released(String name, boolean batch, boolean millis) {
    AvroLimits.set();
    this.schema = new Schema.Parser().parse(text(name));
    this.fingerprint = SchemaNormalization.parsingFingerprint64(schema);
    this.batch = batch;
    this.millis = millis;
  }

  private static String text(String name) {
    String resource = name + ".avsc";
    try (InputStream in = Released.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("resource is not in the jar: " + resource);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Schema schema() {
    return schema;
  }

  /** CRC-64-AVRO of the parsing canonical form. */
  long fingerprint() {
    return fingerprint;
  }

  /** Tells whether the datum holds many readings. */
  boolean batch() {
    return batch;
  }

  /** Tells whether timestamps are milliseconds. */
  boolean millis() {
    return millis;
  }

  /** Returns the bytes that precede a datum of this schema. */
  byte[] header() {
    byte[] header = new byte[HEADER_LENGTH];
    header[0] = (byte) 0xc3;
    header[1] = 1;
    for (int i = 0; i < 8; i++) {
      header[2 + i] = (byte) (fingerprint >>> (8 * i));
    }
    return header;
  }
}
