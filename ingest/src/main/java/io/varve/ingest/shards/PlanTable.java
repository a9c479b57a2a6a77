package io.varve.ingest.shards;

import io.varve.storage.SensorId;
import io.varve.storage.hash.Hashing;
import io.varve.storage.placement.ShardCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All plans at one moment, looked up by the raw bytes of a sensor id without allocation. Immutable.
 *
 * <p>Most rows belong to sensors without a plan, so a row is asked for three of its bytes first:
 * one of 64 classes of ids, and whether any planned sensor is in it. Only then is the id hashed.
 */
public final class PlanTable implements ShardCounts {
  /** No plans. */
  public static final PlanTable EMPTY = new PlanTable(List.of());

  /** One sensor's plans, ascending by the time from which they hold. */
  private static final class Planned {
    final byte[] id;
    final long hash;
    final long[] from;
    final int[] shards;
    final List<ShardPlan> plans;

    Planned(List<ShardPlan> plans) {
      SensorId sensor = plans.get(0).sensor();
      this.id = sensor.utf8();
      this.hash = sensor.lookupHash();
      this.plans = List.copyOf(plans);
      this.from = plans.stream().mapToLong(ShardPlan::effectiveFromMicros).toArray();
      this.shards = plans.stream().mapToInt(ShardPlan::shards).toArray();
    }

    int at(long timestampMicros) {
      // From the end: most rows are of now, and nearly all plans are of the past.
      for (int i = from.length - 1; i >= 0; i--) {
        if (timestampMicros >= from[i]) {
          return shards[i];
        }
      }
      return 1;
    }
  }

  /** Open addressing, at most half full; empty when there are no plans. */
  private final @Nullable Planned[] slots;

  /** A bit for each class of ids that a planned sensor is in. */
  private final long classes;

  private final int plans;
  private final int sensors;

  /** The plans as they are found in the topic: one for each sensor and time. */
  PlanTable(Collection<ShardPlan> all) {
    Map<SensorId, NavigableMap<Long, ShardPlan>> bySensor = new TreeMap<>();
    for (ShardPlan plan : all) {
      bySensor
          .computeIfAbsent(plan.sensor(), absent -> new TreeMap<>())
          .put(plan.effectiveFromMicros(), plan);
    }
    sensors = bySensor.size();
    slots = new Planned[sensors == 0 ? 0 : Integer.highestOneBit(sensors) * 4];
    long bits = 0;
    int count = 0;
    for (NavigableMap<Long, ShardPlan> byTime : bySensor.values()) {
      Planned planned = new Planned(List.copyOf(byTime.values()));
      count += planned.from.length;
      bits |= 1L << classOf(planned.id, 0, planned.id.length);
      int i = (int) planned.hash & (slots.length - 1);
      while (slots[i] != null) {
        i = (i + 1) & (slots.length - 1);
      }
      slots[i] = planned;
    }
    classes = bits;
    plans = count;
  }

  /** A number of which the lowest six bits tell ids apart that differ in length or in two bytes. */
  private static int classOf(byte[] id, int offset, int length) {
    return length + id[offset + length - 1] * 7 + id[offset + length / 2] * 13;
  }

  private @Nullable Planned find(byte[] id, int offset, int length) {
    if ((classes >>> classOf(id, offset, length) & 1) == 0) {
      return null;
    }
    return find(Hashing.of(id, offset, length), id, offset, length);
  }

  private @Nullable Planned find(long hash, byte[] id, int offset, int length) {
    int mask = slots.length - 1;
    for (int i = (int) hash & mask; ; i = (i + 1) & mask) {
      Planned planned = slots[i];
      if (planned == null) {
        return null;
      }
      if (planned.hash == hash
          && Arrays.equals(planned.id, 0, planned.id.length, id, offset, offset + length)) {
        return planned;
      }
    }
  }

  @Override
  public int at(byte[] id, int idOffset, int idLength, long timestampMicros) {
    Planned planned = find(id, idOffset, idLength);
    return planned == null ? 1 : planned.at(timestampMicros);
  }

  @Override
  public boolean planned(byte[] id, int idOffset, int idLength) {
    return find(id, idOffset, idLength) != null;
  }

  /** Tells whether there are no plans at all. */
  boolean isEmpty() {
    return slots.length == 0;
  }

  /** Returns a sensor's plans, ascending by the time from which they hold. */
  public List<ShardPlan> of(SensorId sensor) {
    Planned planned = find(sensor.utf8(), 0, sensor.length());
    return planned == null ? List.of() : planned.plans;
  }

  /** Returns the plan that is in force for a sensor at an instant; empty before the first. */
  public Optional<ShardPlan> inForce(SensorId sensor, long timestampMicros) {
    Optional<ShardPlan> found = Optional.empty();
    for (ShardPlan plan : of(sensor)) {
      if (plan.effectiveFromMicros() <= timestampMicros) {
        found = Optional.of(plan);
      }
    }
    return found;
  }

  /** Returns the sensors that plans name, in bytewise order. */
  public List<SensorId> sensors() {
    List<SensorId> all = new ArrayList<>(sensors);
    for (Planned planned : slots) {
      if (planned != null) {
        all.add(planned.plans.get(0).sensor());
      }
    }
    all.sort(null);
    return all;
  }

  /** Number of plans. */
  public int size() {
    return plans;
  }

  /** Counts the sensors that have more than one shard at an instant. */
  public int hotSensors(long timestampMicros) {
    int hot = 0;
    for (Planned planned : slots) {
      hot += planned != null && planned.at(timestampMicros) > 1 ? 1 : 0;
    }
    return hot;
  }
}
