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
 * be whole, or to be whole up to where it is cut off here.
 */
final class ResolvedReadings {
  private static final byte[] NO_ID = new byte[0];
  private static final long NOT_BEGUN = -1;

  private final AvroBytes bytes = new AvroBytes();
  private final DatumGuard guard = new DatumGuard(bytes);
  private final Map<WriterSchema, ResolvingDecoder> decoders = new IdentityHashMap<>();
  private @Nullable BinaryDecoder binary;

  private long membersLeft;

  private final Utf8 id = new Utf8();
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
    guard.measure(schema.writer());
    if (bytes.sound() && bytes.remaining() > 0) {
      bytes.fail(Reason.TRAILING_BYTES, bytes.at());
    }
    Reason fault = bytes.fault();
    if (fault != null && (!schema.batch() || fault == Reason.LIMIT)) {
      return Optional.of(AvroFaults.inReading(fault, bytes.at(), record.length));
    }
    int length = bytes.at() - Released.HEADER_LENGTH;
    binary = DecoderFactory.get().binaryDecoder(record, Released.HEADER_LENGTH, length, binary);
    ResolvingDecoder in = decoder(schema, binary);
    return schema.batch()
        ? readBatch(in, schema, fault, record.length, sink)
        : readSingle(in, schema, sink);
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

  private Optional<Undecodable> readBatch(
      ResolvingDecoder in,
      WriterSchema schema,
      @Nullable Reason fault,
      int size,
      ReadingSink sink) {
    membersLeft = NOT_BEGUN;
    int members = 0;
    while (true) {
      try {
        if (!readMember(in)) {
          break;
        }
      } catch (IOException | AvroRuntimeException e) {
        return Optional.of(
            fault == null
                ? unresolved(schema, members, e)
                : AvroFaults.inBatch(fault, members, bytes.at(), size));
      }
      Optional<Undecodable> undeliverable = deliver(schema, members, sink);
      if (undeliverable.isPresent()) {
        return undeliverable;
      }
      members++;
    }
    return fault == null
        ? Optional.empty()
        : Optional.of(AvroFaults.inBatch(fault, members, bytes.at(), size));
  }

  /** Reads the next member of a batch, with all that the writer put after its fields. */
  private boolean readMember(ResolvingDecoder in) throws IOException {
    if (membersLeft == NOT_BEGUN) {
      in.readFieldOrder();
      membersLeft = in.readArrayStart();
    } else if (--membersLeft == 0) {
      membersLeft = in.arrayNext();
    }
    if (membersLeft == 0) {
      return false;
    }
    readReading(in);
    in.drain();
    return true;
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
            in.readString(id);
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
