package io.varve.load.target;

/**
 * Where records go. Records of one key are applied in the order in which they were sent. One thread
 * sends.
 */
public interface RecordSink extends AutoCloseable {
  /**
   * Sends a record. It may block while the target takes no more.
   *
   * @param key the sensor or gateway
   * @param record a reading or batch of readings as {@link io.varve.schemas.ReadingEncoder} writes
   *     them
   */
  void send(byte[] key, byte[] record, Delivery delivery);

  /** How long sends have blocked so far, in nanoseconds. */
  long blockedNanos();

  /** Waits until every record is acknowledged or has failed. */
  void flush();

  /**
   * Waits for no acknowledgement any more: what has none fails soon, and so does what is sent from
   * now on; {@link #send} and {@link #flush} come back. From any thread.
   */
  void giveUp();

  @Override
  void close();
}
