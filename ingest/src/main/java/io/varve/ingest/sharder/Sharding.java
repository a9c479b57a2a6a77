package io.varve.ingest.sharder;

import java.time.Duration;

/**
 * How a node shards hot sensors.
 *
 * @param mode whether it does so by itself
 * @param shardRate rows a second that one shard may take, over ten seconds
 * @param coolDown how long a sensor must have been cool to get fewer shards
 */
public record Sharding(Mode mode, int shardRate, Duration coolDown) {
  /** What one shard of a day may take of a store, in bytes of the store. */
  static final long MOST_SHARD_BYTES = 100_000_000;

  /** What holds where nobody says otherwise. */
  public static final Sharding DEFAULT = new Sharding(Mode.AUTO, 5_000, Duration.ofHours(1));

  /** What becomes of a decision. */
  public enum Mode {
    /** It is written as a shard plan. */
    AUTO,
    /** It is told, and left to a person. */
    ADVISE,
    /** None is made. */
    OFF
  }

  public Sharding {
    if (shardRate < 1) {
      throw new IllegalArgumentException("shardRate=" + shardRate);
    }
    if (coolDown.isNegative() || coolDown.isZero()) {
      throw new IllegalArgumentException("coolDown=" + coolDown);
    }
  }
}
