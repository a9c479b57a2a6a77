package io.varve.query.plan;

import io.varve.storage.placement.ShardCounts;
import java.util.Map;
import java.util.TreeMap;

/** Shard plans of one sensor, as a test makes them up; other sensors have none. */
final class RandomPlans implements ShardCounts {
  private final byte[] planned;
  private final TreeMap<Long, Integer> shardsFrom = new TreeMap<>();

  RandomPlans(byte[] planned) {
    this.planned = planned;
  }

  void add(long effectiveFromMicros, int shards) {
    shardsFrom.put(effectiveFromMicros, shards);
  }

  @Override
  public int at(byte[] id, int idOffset, int idLength, long timestampMicros) {
    Map.Entry<Long, Integer> plan = shardsFrom.floorEntry(timestampMicros);
    return plan == null || !isPlanned(id, idOffset, idLength) ? 1 : plan.getValue();
  }

  @Override
  public boolean planned(byte[] id, int idOffset, int idLength) {
    return !shardsFrom.isEmpty() && isPlanned(id, idOffset, idLength);
  }

  private boolean isPlanned(byte[] id, int idOffset, int idLength) {
    return java.util.Arrays.equals(planned, 0, planned.length, id, idOffset, idOffset + idLength);
  }

  @Override
  public String toString() {
    return shardsFrom.toString();
  }
}
