package io.varve.ingest.sharder;

import io.varve.storage.SensorId;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;

/** On which topic partitions the shards of a sensor's day fall: their tokens can collide. */
final class Spread {
  /** A doubling must take so much off the busiest topic partition to be worth its fragments. */
  private static final double WORTH = 0.75;

  private Spread() {}

  /** The part of a sensor's rows that the busiest topic partition gets, 1 at most. */
  static double busiestShare(SensorId sensor, int day, int shards, int topicPartitions) {
    int[] count = new int[topicPartitions];
    int most = 0;
    for (int shard = 0; shard < shards; shard++) {
      int at = Placement.topicPartitionOf(sensor, day, shard, topicPartitions);
      most = Math.max(most, ++count[at]);
    }
    return (double) most / shards;
  }

  /** Returns the count or its double, whichever loads the busiest topic partition clearly less. */
  static int better(SensorId sensor, int day, int shards, int topicPartitions) {
    int twice = shards * 2;
    if (shards == 1 || twice > ShardCounts.MAX) {
      return shards;
    }
    double once = busiestShare(sensor, day, shards, topicPartitions);
    return busiestShare(sensor, day, twice, topicPartitions) <= once * WORTH ? twice : shards;
  }
}
