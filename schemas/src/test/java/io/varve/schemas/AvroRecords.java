package io.varve.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/** Builds records of any schema, well-formed or not. */
final class AvroRecords {
  /** Writes a datum. */
  interface Datum {
    void write(BinaryEncoder out) throws IOException;
  }

  private AvroRecords() {}

  static byte[] record(Released schema, Datum datum) {
    return record(schema.fingerprint(), datum);
  }

  static byte[] record(String schema, Datum datum) {
    return record(
        SchemaNormalization.parsingFingerprint64(new Schema.Parser().parse(schema)), datum);
  }

  static byte[] record(long fingerprint, Datum datum) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(0xc3);
    bytes.write(1);
    for (int i = 0; i < 8; i++) {
      bytes.write((int) (fingerprint >>> (8 * i)));
    }
    try {
      BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
      datum.write(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** Writes a reading by the released schema's layout. */
  static void reading(BinaryEncoder out, String id, long timestamp, double value, long sequence)
      throws IOException {
    out.writeString(id);
    out.writeLong(timestamp);
    out.writeDouble(value);
    out.writeLong(sequence);
  }
}
