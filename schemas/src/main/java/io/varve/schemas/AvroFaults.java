package io.varve.schemas;

import io.varve.schemas.Undecodable.Reason;

/** What is said about bytes that a known writer's schema cannot have produced. */
final class AvroFaults {
  private static final String CHECK_PRODUCER =
      "check that the producer writes the whole datum by the schema whose fingerprint it names";

  private AvroFaults() {}

  static Undecodable inReading(Reason reason, int offset, int size) {
    return new Undecodable(
        reason, what(reason) + " offset=" + offset + " size=" + size, hint(reason));
  }

  /**
   * Describes a fault in a batch.
   *
   * @param members how many members were read before it
   */
  static Undecodable inBatch(Reason reason, int members, int offset, int size) {
    String position = " members_read=" + members + " offset=" + offset + " size=" + size;
    return new Undecodable(reason, what(reason) + position, hint(reason));
  }

  private static String what(Reason reason) {
    return switch (reason) {
      case TRUNCATED -> "the record ends inside its datum";
      case TRAILING_BYTES -> "bytes follow the datum";
      case LIMIT ->
          "a collection claims more elements than the record has bytes, or nests too deep";
      default -> "the bytes are no datum of the writer's schema";
    };
  }

  private static String hint(Reason reason) {
    return reason == Reason.TRAILING_BYTES
        ? "send many readings as one SensorReadingBatch, not as readings one after another"
        : CHECK_PRODUCER;
  }
}
