package io.varve.server.node;

import io.varve.ingest.sharder.AutoSharding;
import io.varve.ingest.sharder.ShardAdvice;
import io.varve.ingest.sharder.Sharding;
import io.varve.ingest.shards.PlanDecision;
import io.varve.ingest.shards.PlanNotWrittenException;
import io.varve.ingest.shards.PlanProposal;
import io.varve.ingest.shards.PlanReport;
import io.varve.ingest.shards.PlanTable;
import io.varve.ingest.shards.ShardPlan;
import io.varve.ingest.shards.ShardPlans;
import io.varve.query.ShardControl;
import io.varve.query.Stores;
import io.varve.query.plan.ReadFacts;
import io.varve.query.plan.RowWalk;
import io.varve.query.plan.ServingStores;
import io.varve.schemas.Rfc3339;
import io.varve.storage.Order;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shard plans as this node's operators list and set them. Thread-safe. */
final class NodeShards implements ShardControl {
  private final Supplier<Optional<ShardPlans>> plans;
  private final Supplier<Optional<AutoSharding>> sharding;
  private final Stores stores;
  private final LongSupplier nowMicros;

  /**
   * @param plans the node's part in shard plans; empty before ingest has started
   * @param sharding what decides by itself; empty before ingest has started
   * @param stores asked whether a sensor has rows where a plan is to begin
   * @param nowMicros the clock, in microseconds since 1970
   */
  NodeShards(
      Supplier<Optional<ShardPlans>> plans,
      Supplier<Optional<AutoSharding>> sharding,
      Stores stores,
      LongSupplier nowMicros) {
    this.plans = plans;
    this.sharding = sharding;
    this.stores = stores;
    this.nowMicros = nowMicros;
  }

  /** How the node stands with plans now. */
  PlanReport report() {
    return plans.get().map(ShardPlans::report).orElse(PlanReport.NOTHING);
  }

  /** Sensors with more than one shard now. */
  int hotSensors() {
    return report().table().hotSensors(nowMicros.getAsLong());
  }

  /** What a status says of plans. */
  Map<String, Object> tree() {
    PlanReport report = report();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("state", report.state().name().toLowerCase(Locale.ROOT));
    report
        .confirmedAgo()
        .ifPresent(ago -> tree.put("confirmed_seconds_ago", ago.toMillis() / 1000.0));
    if (!report.trouble().isEmpty()) {
      tree.put("trouble", report.trouble());
    }
    tree.put("plans", report.table().size());
    tree.put("sensors", report.table().sensors().size());
    tree.put("hot_sensors", report.table().hotSensors(nowMicros.getAsLong()));
    tree.put("bad_records", report.badRecords());
    return tree;
  }

  @Override
  public Map<String, Object> hotList() {
    PlanTable table = report().table();
    long now = nowMicros.getAsLong();
    List<Object> sensors = new ArrayList<>();
    for (SensorId sensor : table.sensors()) {
      Optional<ShardPlan> inForce = table.inForce(sensor, now);
      Optional<ShardPlan> next =
          table.of(sensor).stream().filter(plan -> plan.effectiveFromMicros() > now).findFirst();
      int shards = inForce.map(ShardPlan::shards).orElse(1);
      if (shards > 1 || next.isPresent()) {
        sensors.add(entry(sensor, shards, inForce, next));
      }
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("shard_plans", tree());
    tree.put("sensors", sensors);
    sharding.get().ifPresent(deciding -> putSharding(deciding, tree));
    return tree;
  }

  private static void putSharding(AutoSharding deciding, Map<String, Object> tree) {
    Sharding settings = deciding.settings();
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("mode", settings.mode().name().toLowerCase(Locale.ROOT));
    entry.put("shard_rate", settings.shardRate());
    entry.put("cool_down_seconds", settings.coolDown().toMillis() / 1000.0);
    tree.put("sharding", entry);
    List<Object> advised = new ArrayList<>();
    for (ShardAdvice advice : deciding.advised()) {
      Map<String, Object> each = new LinkedHashMap<>();
      each.put("sensor_id", advice.sensor().toString());
      each.put("shards", advice.shards());
      each.put("shards_before", advice.shardsBefore());
      each.put("reason", advice.reason());
      advised.add(each);
    }
    tree.put("advised", advised);
  }

  private static Map<String, Object> entry(
      SensorId sensor, int shards, Optional<ShardPlan> inForce, Optional<ShardPlan> next) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("sensor_id", sensor.toString());
    entry.put("shards", shards);
    inForce.ifPresent(plan -> entry.put("from", Rfc3339.format(plan.effectiveFromMicros())));
    next.ifPresent(
        plan -> {
          entry.put("next_shards", plan.shards());
          entry.put("next_from", Rfc3339.format(plan.effectiveFromMicros()));
        });
    inForce.or(() -> next).ifPresent(plan -> entry.put("reason", plan.reason()));
    return entry;
  }

  @Override
  public Map<String, Object> history(SensorId sensor) {
    List<Object> entries = new ArrayList<>();
    for (ShardPlan plan : report().table().of(sensor)) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("from", Rfc3339.format(plan.effectiveFromMicros()));
      entry.put("shards", plan.shards());
      entry.put("revision", plan.revision());
      entry.put("decided_at", Rfc3339.format(plan.decidedAtMicros()));
      entry.put("reason", plan.reason());
      entries.add(entry);
    }
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("sensor_id", sensor.toString());
    tree.put("plans", entries);
    return tree;
  }

  @Override
  public Map<String, Object> set(
      SensorId sensor, int shards, OptionalLong fromMicros, boolean dryRun)
      throws RefusedException, NotNowException {
    Optional<ShardPlans> there = plans.get();
    if (there.isEmpty() || report().state() != PlanReport.State.FOLLOWING) {
      throw notNow("The plans that there are have not been read to their end.", Optional.empty());
    }
    PlanProposal proposal = new PlanProposal(sensor, shards, fromMicros, ShardPlan.BY_HAND);
    PlanDecision decision = there.get().decide(proposal);
    if (decision.changes() && decision.inThePast()) {
      refuseBesideRows(sensor, decision.plan().effectiveFromMicros());
    }
    if (dryRun || !decision.changes()) {
      return tree(decision, false);
    }
    try {
      return tree(there.get().write(proposal), true);
    } catch (PlanNotWrittenException e) {
      throw notNow(e.getMessage() + " ./varve shards history shows what holds.", Optional.of(e));
    }
  }

  private static NotNowException notNow(String why, Optional<Exception> cause) {
    return new NotNowException(why, cause.orElseGet(() -> new IllegalStateException(why)));
  }

  /** Refuses a plan that rows would contradict which are stored already. */
  private void refuseBesideRows(SensorId sensor, long fromMicros) throws RefusedException {
    ServingStores serving = ServingStores.of(stores);
    TimeRange after = new TimeRange(fromMicros, UtcDay.END_TIMESTAMP_MICROS);
    try (RowWalk rows =
        new RowWalk(
            serving,
            sensor,
            after,
            Order.OLDEST_FIRST,
            Optional.empty(),
            1,
            new ReadFacts(serving.all()))) {
      if (rows.next()) {
        throw new RefusedException(
            "is not ahead of now by the lead of shard plans, and the sensor has rows from then on,"
                + " the first at "
                + Rfc3339.format(rows.timestampMicros())
                + "; leave it out, or name a later time");
      }
    }
  }

  private static Map<String, Object> tree(PlanDecision decision, boolean written) {
    ShardPlan plan = decision.plan();
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("sensor_id", plan.sensor().toString());
    tree.put("from", Rfc3339.format(plan.effectiveFromMicros()));
    tree.put("shards", plan.shards());
    tree.put("shards_before", decision.shardsBefore());
    decision.until().ifPresent(until -> tree.put("until", Rfc3339.format(until)));
    tree.put("changes", decision.changes());
    tree.put("written", written);
    if (written) {
      tree.put("revision", plan.revision());
    }
    return tree;
  }
}
