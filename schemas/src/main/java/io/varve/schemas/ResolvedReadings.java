package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import io.varve.schemas.WriterSchema.Unit;
import java.io.IOException;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.ResolvingDecoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/**
 * Reads data of schemas other than the released ones, through Avro's own schema resolution.
 *
 * <p>A datum is measured by {@link DatumGuard} first, so what Avro's decoder then reads is known to
 * be whole; of a damaged batch, only the members that are whole are read.
 */
final class ResolvedReadings {
  private static final byte[] NO_ID = new byte[0];

  private final AvroBytes bytes = new AvroBytes();
  private final DatumGuard guard = new DatumGuard(bytes);
  private final IdentityHashMap<WriterSchema, ResolvingDecoder> decoders = new IdentityHashMap<>();
  private @Nullable BinaryDecoder binary;

  private Utf8 id = new Utf8();
  private boolean hasId;
  private boolean hasTimestamp;
  private long timestamp;
  private boolean hasValue;
  private double value;
  private long sequence;

  /** Reads the datum that follows the header and ends with the record. */
  Optional<Undecodable> read(byte[] record, WriterSchema schema, ReadingSink sink) {
    if (schema.unusable().isPresent()) {
      return schema.unusable();
    }
    bytes.reset(record, Released.HEADER_LENGTH, record.length);
    int members = guard.measure(schema.datum(), schema.members());
    if (bytes.sound() && bytes.remaining() > 0) {
      bytes.fail(Reason.TRAILING_BYTES, bytes.at());
    }
    Reason fault = bytes.fault();
    if (fault != null && !schema.batch()) {
      return Optional.of(AvroFaults.inReading(fault, bytes.at(), record.length));
    }
    for (int member = 0; member < members; member++) {
      try {
        int start = guard.memberStart(member);
        readReading(decoder(schema, record, start, guard.memberEnd(member) - start));
      } catch (IOException | AvroRuntimeException e) {
        sink.unusable(unresolved(schema, e));
        continue;
      }
      if (schema.unit() == Unit.UNSUPPORTED && hasTimestamp) {
        return Optional.of(unsupportedTimestamp(schema));
      }
      deliver(schema, sink);
    }
    return fault == null
        ? Optional.empty()
        : Optional.of(AvroFaults.inBatch(fault, members, bytes.at(), record.length));
  }

  /** Returns the schema's decoder, set to a range of bytes. */
  private ResolvingDecoder decoder(WriterSchema schema, byte[] record, int offset, int length)
      throws IOException {
    binary = DecoderFactory.get().binaryDecoder(record, offset, length, binary);
    ResolvingDecoder decoder = decoders.get(schema);
    if (decoder == null) {
      decoder = DecoderFactory.get().resolvingDecoder(schema.reading(), schema.reader(), binary);
      decoders.put(schema, decoder);
    } else {
      decoder.configure(binary);
    }
    return decoder;
  }

  /** Reads the four fields in the order in which the writer has them. */
  private void readReading(ResolvingDecoder in) throws IOException {
    for (Schema.Field field : in.readFieldOrder()) {
      boolean present = in.readIndex() == 1;
      if (!present) {
        in.readNull();
      }
      switch (field.pos()) {
        case 0 -> {
          hasId = present;
          if (present) {
            id = in.readString(id);
          }
        }
        case 1 -> {
          hasTimestamp = present;
          timestamp = present ? in.readLong() : 0;
        }
        case 2 -> {
          hasValue = present;
          value = present ? in.readDouble() : 0;
        }
        default -> sequence = present ? in.readLong() : 0;
      }
    }
  }

  private void deliver(WriterSchema schema, ReadingSink sink) {
    long micros =
        schema.unit() == Unit.MILLIS ? ExactReadings.millisToMicros(timestamp) : timestamp;
    sink.reading(
        hasId ? id.getBytes() : NO_ID,
        0,
        hasId ? id.getByteLength() : ReadingSink.MISSING_ID,
        hasTimestamp,
        micros,
        hasValue,
        value,
        sequence);
  }

  private Undecodable unsupportedTimestamp(WriterSchema schema) {
    return new Undecodable(
        Reason.UNSUPPORTED_SCHEMA,
        "the timestamp has a logical type that is not read type="
            + schema.logicalType()
            + " value="
            + timestamp
            + " schema="
            + schema.origin(),
        "write timestamps as timestamp-micros or timestamp-millis, in UTC");
  }

  private static Undecodable unresolved(WriterSchema schema, Exception cause) {
    return new Undecodable(
        Reason.BAD_FIELD,
        "the datum does not resolve to a reading cause="
            + cause.getMessage()
            + " schema="
            + schema.origin(),
        "give each field the type of io.varve.schemas.SensorReading, or a union of null and it");
  }
}
