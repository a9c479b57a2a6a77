package io.varve.ingest.shards;

import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.ShardCounts;

/**
 * A rule: the rows of this sensor from this event time on are spread over so many shards, until the
 * sensor's next plan begins. Before its first plan a sensor has one shard.
 *
 * @param sensor whose rows
 * @param effectiveFromMicros first timestamp that it holds for, in microseconds since 1970
 * @param shards 1, or a power of two up to {@link ShardCounts#MAX}
 * @param revision counts the sensor's plans in the order in which they were decided, from 1
 * @param reason why it was decided, with the figures that it rests on; one line for a person
 * @param decidedAtMicros when, by the clock of the node that decided
 */
public record ShardPlan(
    SensorId sensor,
    long effectiveFromMicros,
    int shards,
    long revision,
    String reason,
    long decidedAtMicros) {
  /** Reason of a plan that a person set through a node. */
  public static final String BY_HAND = "set by hand";

  /** What the reason of a plan that a node decided begins with. */
  public static final String BY_ITSELF = "by itself: ";

  public ShardPlan {
    requireInstant("effectiveFromMicros", effectiveFromMicros);
    requireInstant("decidedAtMicros", decidedAtMicros);
    if (!ShardCounts.isCount(shards)) {
      throw new IllegalArgumentException("shards=" + shards);
    }
    if (revision < 1) {
      throw new IllegalArgumentException("revision=" + revision);
    }
  }

  /** Tells whether a person set it, by whatever means. */
  public boolean isByHand() {
    return !reason.startsWith(BY_ITSELF);
  }

  private static void requireInstant(String name, long micros) {
    if (micros < UtcDay.MIN_TIMESTAMP_MICROS || micros >= UtcDay.END_TIMESTAMP_MICROS) {
      throw new IllegalArgumentException(name + "=" + micros);
    }
  }
}
