package io.varve.storage;

/**
 * The position of a row inside its partition. Natural order is clustering order: newest first, then
 * the higher sequence first.
 *
 * @param timestampMicros microseconds since 1970-01-01T00:00:00Z
 * @param sequence tie-break among readings of one sensor at one instant
 */
public record ClusteringKey(long timestampMicros, long sequence)
    implements Comparable<ClusteringKey> {
  @Override
  public int compareTo(ClusteringKey other) {
    int byTime = Long.compare(other.timestampMicros, timestampMicros);
    return byTime != 0 ? byTime : Long.compare(other.sequence, sequence);
  }
}
