package io.varve.ingest.shards;

import io.varve.storage.SensorId;

/**
 * What tells one plan from the others of the topic: a later record with the same key takes the
 * place of an earlier one.
 *
 * @param sensor whose rows
 * @param effectiveFromMicros first timestamp that the plan holds for
 */
record PlanKey(SensorId sensor, long effectiveFromMicros) implements Comparable<PlanKey> {
  static PlanKey of(ShardPlan plan) {
    return new PlanKey(plan.sensor(), plan.effectiveFromMicros());
  }

  @Override
  public int compareTo(PlanKey other) {
    int bySensor = sensor.compareTo(other.sensor);
    return bySensor != 0 ? bySensor : Long.compare(effectiveFromMicros, other.effectiveFromMicros);
  }
}
