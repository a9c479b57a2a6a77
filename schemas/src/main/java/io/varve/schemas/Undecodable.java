package io.varve.schemas;

/**
 * Why the bytes of a record, or one member of a batch, are not a reading.
 *
 * @param reason which kind of fault, for counters and the header {@code varve.reason}
 * @param detail what was found, in one line: constant text, then {@code name=value}
 * @param hint what would fix it, naming the option or setting
 */
public record Undecodable(Reason reason, String detail, String hint) {

  /** The kinds of fault; their text is stable, since counters and dead letters carry it. */
  public enum Reason {
    /** The record has a value of no bytes. */
    EMPTY("empty-record"),
    /** The record has no value at all. */
    TOMBSTONE("tombstone"),
    /** Avro single-object encoding by a schema that is not known here. */
    UNKNOWN_FINGERPRINT("unknown-fingerprint"),
    /** Avro single-object encoding by a known schema that cannot be read as a reading. */
    UNSUPPORTED_SCHEMA("unsupported-schema"),
    /** The bytes end inside a datum. */
    TRUNCATED("truncated"),
    /** Bytes that the writer's schema cannot have produced. */
    MALFORMED("malformed-avro"),
    /** Bytes follow a complete datum. */
    TRAILING_BYTES("trailing-bytes"),
    /** A count, size or depth is beyond what a record of readings needs. */
    LIMIT("limit-exceeded"),
    /** Framed for a schema registry of Confluent's protocol. */
    CONFLUENT_FRAME("confluent-frame"),
    /** Framed for AWS Glue's schema registry. */
    GLUE_FRAME("glue-frame"),
    /** A whole Avro file. */
    AVRO_FILE("avro-file"),
    /** Compressed or container bytes of another well-known kind. */
    FOREIGN_FORMAT("foreign-format"),
    /** Begins as JSON but is not well-formed JSON. */
    MALFORMED_JSON("malformed-json"),
    /** A field has a kind or a text that no reading's field has. */
    BAD_FIELD("bad-field"),
    /** None of the forms that Varve reads. */
    GARBAGE("unrecognised-bytes");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** The reason as counters, headers and status write it. */
    public String text() {
      return text;
    }
  }

  private static final String FORMS =
      "send Avro single-object encoding of io.varve.schemas.SensorReading, or a JSON object with"
          + " sensor_id, timestamp and value";

  /** The fault of a record without a value. */
  public static final Undecodable TOMBSTONE =
      new Undecodable(Reason.TOMBSTONE, "record has no value", FORMS);

  /** The fault of a record whose value has no bytes. */
  public static final Undecodable EMPTY =
      new Undecodable(Reason.EMPTY, "record value is empty", FORMS);
}
