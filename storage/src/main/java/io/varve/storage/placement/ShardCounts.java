package io.varve.storage.placement;

/**
 * How many shards a sensor has at an instant: what shard plans boil down to for one reader of them.
 */
@FunctionalInterface
public interface ShardCounts {
  /** Most shards that a partition can have. */
  int MAX = 64;

  /** One shard for every sensor at every time: what holds where there are no plans. */
  ShardCounts ONE =
      new ShardCounts() {
        @Override
        public int at(byte[] id, int idOffset, int idLength, long timestampMicros) {
          return 1;
        }

        @Override
        public boolean planned(byte[] id, int idOffset, int idLength) {
          return false;
        }
      };

  /** Returns the shard count in force at the row's timestamp: 1, or a power of two up to 64. */
  int at(byte[] id, int idOffset, int idLength, long timestampMicros);

  /** Tells whether a plan names the sensor; where none does, it has one shard at every time. */
  default boolean planned(byte[] id, int idOffset, int idLength) {
    return true;
  }

  /** Tells whether a partition can have so many shards: 1, 2, 4 … {@value #MAX}. */
  static boolean isCount(int shards) {
    return shards >= 1 && shards <= MAX && Integer.bitCount(shards) == 1;
  }
}
