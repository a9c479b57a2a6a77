package io.varve.query;

import io.varve.storage.SensorId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Shard plans as the examples of the API's description have them: one, of {@code plant-3/temp}. */
final class ExampleShards implements ShardControl {
  private static final String FROM = "2024-06-02T08:00:05.000000Z";

  private static Map<String, Object> tree(Object... members) {
    Map<String, Object> tree = new LinkedHashMap<>();
    for (int i = 0; i < members.length; i += 2) {
      tree.put(String.valueOf(members[i]), members[i + 1]);
    }
    return tree;
  }

  /** The busiest partitions, as the example has them. */
  static Map<String, Object> top(int seconds, boolean writes) {
    Map<String, Object> top = tree("seconds", seconds);
    if (writes) {
      top.put(
          "writes",
          tree(
              "rows",
              60_000,
              "bytes",
              1_920_000,
              "by_rows",
              List.of(busiest("rows", 45_000, 44_100, 45_900, 4_500)),
              "by_bytes",
              List.of(busiest("bytes", 1_440_000, 1_411_200, 1_468_800, 144_000))));
    }
    return top;
  }

  private static Map<String, Object> busiest(
      String what, int count, int atLeast, int atMost, int aSecond) {
    return tree(
        "rank",
        1,
        "sensor_id",
        "plant-3/temp",
        "day",
        "2024-06-03",
        what,
        count,
        "at_least",
        atLeast,
        "at_most",
        atMost,
        "percent",
        75.0,
        what + "_per_second",
        aSecond);
  }

  @Override
  public Map<String, Object> hotList() {
    Map<String, Object> sensor =
        tree("sensor_id", "plant-3/temp", "shards", 8, "from", FROM, "reason", "set by hand");
    return tree(
        "shard_plans",
        tree("state", "following", "plans", 1, "sensors", 1, "hot_sensors", 1, "bad_records", 0),
        "sensors",
        List.of(sensor));
  }

  @Override
  public Map<String, Object> history(SensorId sensor) {
    Map<String, Object> plan =
        tree(
            "from",
            FROM,
            "shards",
            8,
            "revision",
            1,
            "decided_at",
            "2024-06-02T08:00:00.000000Z",
            "reason",
            "set by hand");
    boolean planned = sensor.equals(SensorId.of("plant-3/temp"));
    return tree("sensor_id", sensor.toString(), "plans", planned ? List.of(plan) : List.of());
  }

  @Override
  public Map<String, Object> set(
      SensorId sensor, int shards, OptionalLong fromMicros, boolean dryRun)
      throws RefusedException, NotNowException {
    if (sensor.equals(SensorId.of("unreachable"))) {
      throw new NotNowException("The brokers cannot be reached.", new IllegalStateException());
    }
    if (fromMicros.isPresent() && fromMicros.getAsLong() < TestNode.NOW_MICROS) {
      throw new RefusedException("is in the past");
    }
    Map<String, Object> decided =
        tree(
            "sensor_id",
            sensor.toString(),
            "from",
            "2024-06-03T12:00:05.000000Z",
            "shards",
            shards,
            "shards_before",
            8,
            "changes",
            true,
            "written",
            !dryRun);
    if (!dryRun) {
      decided.put("revision", 2);
    }
    return decided;
  }
}
