package io.varve.ingest.store;

/** Tells which offsets of {@code rows} the log holds now. */
@FunctionalInterface
public interface LogBounds {
  /**
   * Offsets that one topic partition holds, half-open.
   *
   * @param beginOffset oldest offset held
   * @param endOffset offset that the next record will get
   */
  record Span(long beginOffset, long endOffset) {}

  /**
   * Asks the brokers.
   *
   * @throws org.apache.kafka.common.errors.TimeoutException if they do not answer; Streams tries
   *     the task again
   */
  Span of(int topicPartition);
}
