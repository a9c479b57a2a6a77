package io.varve.schemas;

import java.util.Optional;
import org.apache.avro.Schema;

/**
 * One schema that readings are written by, and how its data read as readings.
 *
 * @param origin the file it came from, or its released name
 * @param fingerprint CRC-64-AVRO of its parsing canonical form
 * @param datum the schema of a whole datum
 * @param members the array in it whose elements are readings; the datum itself if it is one reading
 * @param reading the writer's schema of one reading, its fields renamed to ours where aliases say
 *     so
 * @param reader what Avro resolves that to: a reading whose fields may be null
 * @param unit what the timestamp counts
 * @param logicalType the timestamp's logical type as written, empty if it has none
 * @param meaning everything that decides how bytes are read; two schemas with one fingerprint are
 *     interchangeable exactly if these are equal
 * @param unusable why data of this schema cannot be read as readings, if so; the fields above other
 *     than origin, fingerprint and meaning are then not to be used
 */
record WriterSchema(
    String origin,
    long fingerprint,
    Schema datum,
    Schema members,
    Schema reading,
    Schema reader,
    Unit unit,
    String logicalType,
    String meaning,
    Optional<Undecodable> unusable) {

  /** What a timestamp counts since 1970. */
  enum Unit {
    MICROS,
    MILLIS,
    /** Something that has no exact place on the time line of microseconds, such as local time. */
    UNSUPPORTED
  }

  /** Tells whether a datum holds many readings. */
  @SuppressWarnings("ReferenceEquality") // a datum is its own member only if it is one reading
  boolean batch() {
    return members != datum;
  }

  /** A fingerprint as people and Avro's tools write it. */
  static String hex(long fingerprint) {
    return "0x" + String.format("%016x", fingerprint);
  }
}
