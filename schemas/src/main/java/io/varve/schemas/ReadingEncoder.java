package io.varve.schemas;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Writes readings in Avro single-object encoding by the released schemas, with microseconds or with
 * milliseconds: one reading a record ({@link #encode}), or many ({@link #add}, then {@link
 * #takeBatch}).
 *
 * <p>Reused and single-threaded.
 */
public final class ReadingEncoder {
  private final byte[] readingHeader;
  private final byte[] batchHeader;
  private final long microsAUnit;
  private final ByteArrayOutputStream single = new ByteArrayOutputStream(128);
  private final BinaryEncoder singleEncoder =
      EncoderFactory.get().directBinaryEncoder(single, null);
  private final ByteArrayOutputStream members = new ByteArrayOutputStream(8192);
  private final BinaryEncoder memberEncoder =
      EncoderFactory.get().directBinaryEncoder(members, null);
  private int memberCount;

  /** Makes an encoder that writes microseconds. */
  public ReadingEncoder() {
    this(Released.READING, Released.BATCH);
  }

  private ReadingEncoder(Released reading, Released batch) {
    this.readingHeader = reading.header();
    this.batchHeader = batch.header();
    this.microsAUnit = reading.millis() ? 1_000 : 1;
  }

  /** Makes an encoder that writes milliseconds; it takes no timestamp that is finer. */
  public static ReadingEncoder inMillis() {
    return new ReadingEncoder(Released.READING_MILLIS, Released.BATCH_MILLIS);
  }

  /**
   * Returns a record of one {@code SensorReading}.
   *
   * @param timestampMicros microseconds since 1970
   * @param sequence 0 unless several readings share sensor and timestamp
   */
  public byte[] encode(String sensorId, long timestampMicros, double value, long sequence) {
    return encode(utf8(sensorId), timestampMicros, value, sequence);
  }

  /** Returns a record of one {@code SensorReading} whose sensor id is given in UTF-8. */
  public byte[] encode(byte[] sensorId, long timestampMicros, double value, long sequence) {
    single.reset();
    try {
      singleEncoder.writeFixed(readingHeader);
      writeReading(singleEncoder, sensorId, timestampMicros, value, sequence);
      singleEncoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return single.toByteArray();
  }

  /** Adds a member to the batch that {@link #takeBatch} will return. */
  public void add(String sensorId, long timestampMicros, double value, long sequence) {
    add(utf8(sensorId), timestampMicros, value, sequence);
  }

  /** Adds a member whose sensor id is given in UTF-8. */
  public void add(byte[] sensorId, long timestampMicros, double value, long sequence) {
    try {
      writeReading(memberEncoder, sensorId, timestampMicros, value, sequence);
      memberEncoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    memberCount++;
  }

  /** Number of members added since the last batch was taken. */
  public int memberCount() {
    return memberCount;
  }

  /** Bytes of the members added since the last batch was taken. */
  public int memberBytes() {
    return members.size();
  }

  /** Returns a record of one {@code SensorReadingBatch} of all members added, and forgets them. */
  public byte[] takeBatch() {
    ByteArrayOutputStream batch = new ByteArrayOutputStream(members.size() + 24);
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(batch, null);
    try {
      encoder.writeFixed(batchHeader);
      encoder.writeArrayStart();
      encoder.setItemCount(memberCount);
      encoder.flush();
      members.writeTo(batch);
      encoder.writeArrayEnd();
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    members.reset();
    memberCount = 0;
    return batch.toByteArray();
  }

  private static byte[] utf8(String sensorId) {
    return sensorId.getBytes(StandardCharsets.UTF_8);
  }

  private void writeReading(
      BinaryEncoder encoder, byte[] sensorId, long timestampMicros, double value, long sequence)
      throws IOException {
    if (microsAUnit > 1 && timestampMicros % microsAUnit != 0) {
      throw new IllegalArgumentException(
          "timestamp is no whole millisecond micros=" + timestampMicros);
    }
    encoder.writeBytes(sensorId);
    encoder.writeLong(timestampMicros / microsAUnit);
    encoder.writeDouble(value);
    encoder.writeLong(sequence);
  }
}
