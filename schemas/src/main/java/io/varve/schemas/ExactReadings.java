package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads data that was written by a released schema, straight from the bytes.
 *
 * <p>This is the path of nearly all records, so nothing is resolved and nothing is allocated. The
 * writer's schema is the reader's, so the layout is known:
 *
 * <pre>
 *   reading := sensor_id(varint length, bytes) timestamp(varint) value(8, little endian) sequence(varint)
 *   batch   := (count(varint) reading{count} | -count(varint) size(varint) reading{count})* 0
 * </pre>
 */
final class ExactReadings {
  private final AvroBytes in = new AvroBytes();

  private int idOffset;
  private int idLength;
  private long timestampMicros;
  private double value;
  private long sequence;

  /** Reads the datum that follows the header and ends with the record. */
  Optional<Undecodable> read(byte[] record, Released schema, ReadingSink sink) {
    in.reset(record, Released.HEADER_LENGTH, record.length);
    return schema.batch()
        ? readBatch(record, schema.millis(), sink)
        : readSingle(record, schema.millis(), sink);
  }

  private Optional<Undecodable> readSingle(byte[] record, boolean millis, ReadingSink sink) {
    readReading(millis);
    if (in.sound() && in.remaining() > 0) {
      in.fail(Reason.TRAILING_BYTES, in.at());
    }
    Reason fault = in.fault();
    if (fault != null) {
      return Optional.of(AvroFaults.inReading(fault, in.at(), record.length));
    }
    sink.reading(record, idOffset, idLength, true, timestampMicros, true, value, sequence);
    return Optional.empty();
  }

  private Optional<Undecodable> readBatch(byte[] record, boolean millis, ReadingSink sink) {
    int members = 0;
    while (true) {
      int blockStart = in.at();
      long count = in.readLong();
      if (count == 0) {
        break;
      }
      long blockEnd = -1;
      if (count < 0) {
        count = -count;
        long size = in.readLong();
        if (count < 0 || size < 0) {
          in.fail(Reason.MALFORMED, blockStart);
        }
        blockEnd = in.at() + size;
      }
      for (; count > 0; count--) {
        readReading(millis);
        if (!in.sound()) {
          return fault(members, record);
        }
        sink.reading(record, idOffset, idLength, true, timestampMicros, true, value, sequence);
        members++;
      }
      if (blockEnd >= 0 && blockEnd != in.at()) {
        in.fail(Reason.MALFORMED, blockStart);
      }
    }
    if (in.sound() && in.remaining() > 0) {
      in.fail(Reason.TRAILING_BYTES, in.at());
    }
    return in.sound() ? Optional.empty() : fault(members, record);
  }

  private Optional<Undecodable> fault(int members, byte[] record) {
    @Nullable Reason fault = in.fault();
    return fault == null
        ? Optional.empty()
        : Optional.of(AvroFaults.inBatch(fault, members, in.at(), record.length));
  }

  private void readReading(boolean millis) {
    idLength = in.skipBytes();
    idOffset = in.at() - idLength;
    long timestamp = in.readLong();
    timestampMicros = millis ? millisToMicros(timestamp) : timestamp;
    value = in.readDouble();
    sequence = in.readLong();
  }

  /** Converts, giving the nearest end of the 64-bit range where the product does not fit. */
  static long millisToMicros(long millis) {
    if (millis > Long.MAX_VALUE / 1000) {
      return Long.MAX_VALUE;
    }
    return millis < Long.MIN_VALUE / 1000 ? Long.MIN_VALUE : millis * 1000;
  }
}
