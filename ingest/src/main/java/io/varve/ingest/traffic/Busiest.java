package io.varve.ingest.traffic;

import java.util.List;

/**
 * Which partitions were busiest over some seconds.
 *
 * @param rows rows of all partitions
 * @param bytes bytes of all partitions
 * @param byRows the busiest by rows
 * @param byBytes the busiest by bytes
 */
public record Busiest(
    long rows, long bytes, List<Hit<PartitionKey>> byRows, List<Hit<PartitionKey>> byBytes) {
  /** No traffic. */
  public static final Busiest NONE = new Busiest(0, 0, List.of(), List.of());
}
