package io.varve.storage;

import java.util.Optional;

/**
 * What to read of a fragment.
 *
 * @param range event time, half-open
 * @param order direction of the walk
 * @param after resume strictly after this key in {@code order}; empty to start at the range's edge
 * @param rowsWanted most rows that the caller will step over: a hint that bounds copying ahead, not
 *     a limit
 */
public record Scan(TimeRange range, Order order, Optional<ClusteringKey> after, int rowsWanted) {}
