package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Reads the readings out of a record's value: Avro single-object encoding by a released or a known
 * writer's schema, or JSON, told apart by the first bytes.
 *
 * <pre>
 *   C3 01 fingerprint(8, little endian) datum     Avro
 *   '{' or '[', after white space                 JSON: an object, or an array of objects
 * </pre>
 *
 * <p>It never throws for any bytes, and allocates nothing for a record of a released schema. Reused
 * and single-threaded; the schemas are shared.
 */
public final class ReadingDecoder {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long READING = Released.READING.fingerprint();
  private static final long BATCH = Released.BATCH.fingerprint();
  private static final long READING_MILLIS = Released.READING_MILLIS.fingerprint();
  private static final long BATCH_MILLIS = Released.BATCH_MILLIS.fingerprint();

  private final WriterSchemas schemas;
  private final ExactReadings exact = new ExactReadings();
  private final ResolvedReadings resolved = new ResolvedReadings();
  private final JsonReadings json = new JsonReadings();

  public ReadingDecoder(WriterSchemas schemas) {
    this.schemas = schemas;
  }

  /**
   * Hands the readings of a record to a sink, in order.
   *
   * <p>Of a batch that is damaged, the members before the damage have been handed over when the
   * fault is returned; of a damaged single reading, nothing has.
   *
   * @param value the record's value; lent to the sink during its calls
   * @return what is wrong with the record as a whole, if anything
   */
  public Optional<Undecodable> decode(byte[] value, ReadingSink sink) {
    if (value.length >= Released.HEADER_LENGTH && value[0] == (byte) 0xc3 && value[1] == 1) {
      return decodeAvro(value, (long) LONG.get(value, 2), sink);
    }
    if (JsonReadings.looksLikeJson(value)) {
      return json.read(value, sink);
    }
    return Optional.of(ForeignBytes.describe(value));
  }

  private Optional<Undecodable> decodeAvro(byte[] value, long fingerprint, ReadingSink sink) {
    if (fingerprint == READING) {
      return exact.read(value, Released.READING, sink);
    }
    if (fingerprint == BATCH) {
      return exact.read(value, Released.BATCH, sink);
    }
    if (fingerprint == READING_MILLIS) {
      return exact.read(value, Released.READING_MILLIS, sink);
    }
    if (fingerprint == BATCH_MILLIS) {
      return exact.read(value, Released.BATCH_MILLIS, sink);
    }
    Optional<WriterSchema> schema = schemas.find(fingerprint);
    if (schema.isPresent()) {
      return resolved.read(value, schema.get(), sink);
    }
    return Optional.of(
        new Undecodable(
            Reason.UNKNOWN_FINGERPRINT,
            "no known schema has the record's fingerprint fingerprint=0x"
                + String.format("%016x", fingerprint),
            schemas.whereToPutSchemas()));
  }
}
