package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import io.varve.schemas.WriterSchema.Unit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.IdentityHashMap;
import java.util.Map;
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
  private final Map<WriterSchema, ResolvingDecoder> decoders = new IdentityHashMap<>();
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
    int members = guard.measure(schema.writer(), schema.members());
    if (bytes.sound() && bytes.remaining() > 0) {
      bytes.fail(Reason.TRAILING_BYTES, bytes.at());
    }
    Reason fault = bytes.fault();
    if (fault != null && !schema.batch()) {
      return Optional.of(AvroFaults.inReading(fault, bytes.at(), record.length));
    }
    int length = record.length - Released.HEADER_LENGTH;
    binary = DecoderFactory.get().binaryDecoder(record, Released.HEADER_LENGTH, length, binary);
    ResolvingDecoder in = decoder(schema, binary);
    Optional<Undecodable> unresolved =
        schema.batch() ? readBatch(in, schema, members, sink) : readSingle(in, schema, sink);
    return unresolved.isEmpty() && fault != null
        ? Optional.of(AvroFaults.inBatch(fault, members, bytes.at(), record.length))
        : unresolved;
  }

  private ResolvingDecoder decoder(WriterSchema schema, BinaryDecoder source) {
    try {
      ResolvingDecoder decoder = decoders.get(schema);
      if (decoder == null) {
        decoder = DecoderFactory.get().resolvingDecoder(schema.writer(), schema.reader(), source);
        decoders.put(schema, decoder);
      } else {
        decoder.configure(source);
      }
      return decoder;
    } catch (IOException e) {
      throw new UncheckedIOException("a decoder over memory cannot fail", e);
    }
  }

  private Optional<Undecodable> readSingle(
      ResolvingDecoder in, WriterSchema schema, ReadingSink sink) {
    try {
      readReading(in);
    } catch (IOException | AvroRuntimeException e) {
      return Optional.of(unresolved(schema, 0, e));
    }
    return deliver(schema, 0, sink);
  }

  /** Reads the members that are whole, and nothing behind them. */
  private Optional<Undecodable> readBatch(
      ResolvingDecoder in, WriterSchema schema, int members, ReadingSink sink) {
    long leftInBlock = 0;
    for (int member = 0; member < members; member++) {
      try {
        if (member == 0) {
          in.readFieldOrder();
          leftInBlock = in.readArrayStart();
        } else if (leftInBlock == 0) {
          leftInBlock = in.arrayNext();
        }
        leftInBlock--;
        readReading(in);
      } catch (IOException | AvroRuntimeException | UnsupportedOperationException e) {
        // the last: Avro's answer to a block that claims more than 2^31 members
        return Optional.of(unresolved(schema, member, e));
      }
      Optional<Undecodable> undeliverable = deliver(schema, member, sink);
      if (undeliverable.isPresent()) {
        return undeliverable;
      }
    }
    return Optional.empty();
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

  private Optional<Undecodable> deliver(WriterSchema schema, int member, ReadingSink sink) {
    if (schema.unit() == Unit.UNSUPPORTED && hasTimestamp) {
      return Optional.of(
          new Undecodable(
              Reason.UNSUPPORTED_SCHEMA,
              "the timestamp has a logical type that is not read type="
                  + schema.logicalType()
                  + " value="
                  + timestamp
                  + " member="
                  + member
                  + " schema="
                  + schema.origin(),
              "write timestamps as timestamp-micros or timestamp-millis, in UTC"));
    }
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
    return Optional.empty();
  }

  private static Undecodable unresolved(WriterSchema schema, int member, Exception cause) {
    return new Undecodable(
        Reason.UNSUPPORTED_SCHEMA,
        "the datum does not resolve to a reading cause="
            + cause.getMessage()
            + " member="
            + member
            + " schema="
            + schema.origin(),
        "give each field the type of io.varve.schemas.SensorReading, or a union of null and it");
  }
}
