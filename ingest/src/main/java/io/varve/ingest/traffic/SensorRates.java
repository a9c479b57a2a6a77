package io.varve.ingest.traffic;

import io.varve.storage.SensorId;
import io.varve.storage.placement.ShardCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many rows a second hot sensors send, reckoned from the rows of shard 0: as many times those
 * as the sensor had shards at the row's own time. So the one node that has shard 0 knows the whole
 * rate, and knows it through each change of plan. Thread-safe.
 *
 * <p>A sensor is followed from the moment on that one second brought more than an eighth of what a
 * shard may take, and as long as its own rate stays above that; and while it has more than one
 * shard. Older rows than an hour tell nothing of now; those of a clock ahead count as of now.
 */
final class SensorRates {
  private static final int MOST_SENSORS = 1_024;
  private static final int FORGET_AFTER_SECONDS = 120;

  /** Seconds of arrival that a rate is reckoned from: more than two spans of ten. */
  private static final int LATELY = 22;

  private static final int SWEEP_EVERY_SECONDS = 10;

  private static final long NEWER_THAN_SECONDS = 3_600;

  private final double followFrom;
  private final ShardCounts plans;
  private final HeavyHitters<SensorId> thisSecond = new HeavyHitters<>();
  private final Map<SensorId, SensorSeconds> followed = new HashMap<>();
  private long second = Long.MIN_VALUE;
  private long sweptSecond;

  /**
   * @param shardRate rows a second that a shard may take
   */
  SensorRates(int shardRate, ShardCounts plans) {
    this.followFrom = shardRate / 8.0;
    this.plans = plans;
  }

  /** Adds a row and those that it stands for, unless they are of another shard than 0, or old. */
  void add(SensorId sensor, int shard, long timestampMicros, int standsFor, long nowSecond) {
    long eventSecond = Math.min(nowSecond, Math.floorDiv(timestampMicros, 1_000_000L));
    if (shard != 0 || eventSecond < nowSecond - NEWER_THAN_SECONDS) {
      return;
    }
    byte[] id = sensor.utf8();
    int shards = plans.at(id, 0, id.length, timestampMicros);
    add(sensor, eventSecond, shards, (double) standsFor * shards, nowSecond);
  }

  private synchronized void add(
      SensorId sensor, long eventSecond, int shards, double rows, long nowSecond) {
    if (nowSecond != second) {
      second = nowSecond;
      thisSecond.clear();
      if (nowSecond >= sweptSecond + SWEEP_EVERY_SECONDS) {
        sweptSecond = nowSecond;
        followed.values().removeIf(each -> isCool(each, nowSecond));
      }
    }
    SensorSeconds seconds = followed.get(sensor);
    double count = rows;
    if (seconds == null) {
      thisSecond.add(sensor, Math.round(rows), 1);
      long sofar = thisSecond.atLeast(sensor);
      if (shards == 1 && (sofar <= followFrom || followed.size() >= MOST_SENSORS)) {
        return;
      }
      seconds = new SensorSeconds(sensor, nowSecond);
      followed.put(sensor, seconds);
      count = Math.max(rows, sofar);
    }
    seconds.add(eventSecond, count, nowSecond);
    seconds.sharded = shards > 1;
  }

  /** A burst, or a backlog that was read fast, must not keep places from sensors that are hot. */
  private boolean isCool(SensorSeconds seconds, long nowSecond) {
    return seconds.lastArrival() < nowSecond - FORGET_AFTER_SECONDS
        || (!seconds.sharded
            && seconds.since < nowSecond - LATELY
            && seconds.rate(nowSecond, LATELY).tenSeconds() < followFrom);
  }

  /** Returns the rates of the sensors that are followed. */
  synchronized List<SensorRate> rates(long nowSecond) {
    List<SensorRate> rates = new ArrayList<>(followed.size());
    for (SensorSeconds each : followed.values()) {
      rates.add(each.rate(nowSecond, LATELY));
    }
    return rates;
  }
}
