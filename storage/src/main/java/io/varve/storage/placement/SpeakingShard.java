package io.varve.storage.placement;

import io.varve.storage.SensorId;

/**
 * Which of the shards that hold a row of one clustering key speaks for it.
 *
 * <p>A key is in two shards when a row was placed before the plan for its time was known, and came
 * again, perhaps with another value, when it was. The later one lies where the plan in force says.
 * Where no plan is known, or it names neither, the highest shard speaks: plans mostly begin by
 * raising the count, and then it holds the later row.
 */
public final class SpeakingShard {
  private final ShardCounts counts;
  private final SensorId sensor;

  public SpeakingShard(ShardCounts counts, SensorId sensor) {
    this.counts = counts;
    this.sensor = sensor;
  }

  /** Tells whether one of two shards that hold a key speaks for it rather than the other. */
  public boolean prefers(long timestampMicros, long sequence, int shard, int other) {
    byte[] id = sensor.utf8();
    if (counts.planned(id, 0, id.length)) {
      int n = counts.at(id, 0, id.length, timestampMicros);
      int named = Placement.shardOf(timestampMicros, sequence, n);
      if (shard == named || other == named) {
        return shard == named;
      }
    }
    return shard > other;
  }
}
