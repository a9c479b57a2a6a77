package io.varve.ingest.traffic;

import java.util.List;

/** The busiest partitions of the last minute, by rows and by bytes. Thread-safe. */
final class PartitionTraffic {
  private final RecentHitters<PartitionKey> byRows = new RecentHitters<>();
  private final RecentHitters<PartitionKey> byBytes = new RecentHitters<>();

  /**
   * Adds a sample.
   *
   * @param rows of the sample and of those that it stands for
   */
  synchronized void add(long second, PartitionKey key, long rows, long bytes, int standsFor) {
    if (rows > 0) {
      byRows.add(second, key, rows, standsFor);
    }
    if (bytes > 0) {
      byBytes.add(second, key, bytes, standsFor);
    }
  }

  /** Tells of some whole seconds up to one, which is left out. */
  Busiest before(long second, int seconds, int most) {
    List<HeavyHitters<PartitionKey>> rowParts;
    List<HeavyHitters<PartitionKey>> byteParts;
    synchronized (this) {
      rowParts = byRows.before(second, seconds);
      byteParts = byBytes.before(second, seconds);
    }
    // Apart from the writers, for it takes a millisecond or more.
    HeavyHitters<PartitionKey> rows = HeavyHitters.sum(rowParts);
    HeavyHitters<PartitionKey> bytes = HeavyHitters.sum(byteParts);
    return new Busiest(rows.total(), bytes.total(), rows.top(most), bytes.top(most));
  }
}
