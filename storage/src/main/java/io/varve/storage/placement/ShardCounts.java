package io.varve.storage.placement;

/**
 * How many shards a sensor has at an instant: what shard plans boil down to for one reader of them.
 */
@FunctionalInterface
public interface ShardCounts {
  /** One shard for every sensor at every time. */
  ShardCounts ONE = (id, idOffset, idLength, timestampMicros) -> 1;

  /** Returns the shard count in force at the row's timestamp: 1, or a power of two up to 64. */
  int at(byte[] id, int idOffset, int idLength, long timestampMicros);
}
