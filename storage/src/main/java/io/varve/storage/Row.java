package io.varve.storage;

/**
 * A reading as stored. Equality compares the value's bits, so NaN payloads and −0.0 count.
 *
 * @param timestampMicros microseconds since 1970-01-01T00:00:00Z
 * @param sequence tie-break among readings of one sensor at one instant; 0 when absent
 * @param value the measured value, every bit pattern kept
 */
public record Row(long timestampMicros, long sequence, double value) {
  /** Returns the row's position in clustering order. */
  public ClusteringKey key() {
    return new ClusteringKey(timestampMicros, sequence);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row that
        && timestampMicros == that.timestampMicros
        && sequence == that.sequence
        && Double.doubleToRawLongBits(value) == Double.doubleToRawLongBits(that.value);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(timestampMicros * 31 + sequence)
        ^ Long.hashCode(Double.doubleToRawLongBits(value));
  }
}
