package io.varve.ingest.sharder;

import io.varve.ingest.shards.PlanDecision;
import io.varve.ingest.shards.PlanNotWrittenException;
import io.varve.ingest.shards.PlanProposal;
import io.varve.ingest.shards.PlanTable;
import io.varve.ingest.shards.ShardPlan;
import io.varve.ingest.shards.ShardPlans;
import io.varve.ingest.traffic.SensorRate;
import io.varve.ingest.traffic.Traffic;
import io.varve.storage.SensorId;
import io.varve.storage.ShardSize;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node's sharder at work: once a second it has {@link Sharder} look at the sensors whose shard
 * 0 of today is here, so that of all nodes exactly one decides on a sensor. Thread-safe.
 */
public final class AutoSharding implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AutoSharding.class);

  /** A look at sizes goes over every partition of the day. */
  private static final int SIZES_EVERY_SECONDS = 10;

  private static final long SAY_AGAIN_MICROS = TimeUnit.MINUTES.toMicros(1);

  /** The stores that this node serves from. A port; thread-safe. */
  public interface ServingStores {
    /** Whether the store of a topic partition is here and has caught up. */
    boolean serves(int topicPartition);

    /** The shards of a day that take more than some bytes, of all stores here. */
    List<ShardSize> shardsLargerThan(long bytes, int day);
  }

  private final Sharding settings;
  private final int topicPartitions;
  private final Traffic traffic;
  private final ShardPlans plans;
  private final ServingStores stores;
  private final BooleanSupplier keepsUp;
  private final InstantSource clock;
  private final Sharder sharder;
  private final ScheduledExecutorService thread;

  private List<ShardSize> sizes = List.of();
  private int looks;
  private final Map<SensorId, ShardAdvice> told = new HashMap<>();
  private long saidNotWritten = Long.MIN_VALUE;
  private volatile List<ShardAdvice> advised = List.of();
  private volatile boolean closed;

  /**
   * @param traffic says what sensors send
   * @param keepsUp whether rows reach the stores soon after they were sent
   * @param plans says how many shards they have, and takes new plans
   */
  public AutoSharding(
      Sharding settings,
      int topicPartitions,
      Traffic traffic,
      ShardPlans plans,
      ServingStores stores,
      BooleanSupplier keepsUp,
      InstantSource clock) {
    this.settings = settings;
    this.topicPartitions = topicPartitions;
    this.traffic = traffic;
    this.plans = plans;
    this.stores = stores;
    this.keepsUp = keepsUp;
    this.clock = clock;
    this.sharder = new Sharder(settings, topicPartitions);
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread daemon = new Thread(task, "varve-sharder");
              daemon.setDaemon(true);
              return daemon;
            });
  }

  /** Begins to look, unless sharding is off. */
  public void start() {
    if (settings.mode() != Sharding.Mode.OFF) {
      var unused = thread.scheduleWithFixedDelay(this::look, 1, 1, TimeUnit.SECONDS);
    }
  }

  public Sharding settings() {
    return settings;
  }

  /** What the last look came to and was not, or could not be, made a plan. */
  public List<ShardAdvice> advised() {
    return advised;
  }

  private void look() {
    try {
      long nowMicros = Math.multiplyExact(clock.millis(), 1_000L);
      if (!plans.live().isConfirmed()) {
        return;
      }
      List<ShardAdvice> left = new ArrayList<>();
      for (ShardAdvice advice :
          sharder.decide(nowMicros, keepsUp.getAsBoolean(), loads(nowMicros))) {
        if (!act(nowMicros, advice)) {
          left.add(advice);
        }
      }
      told.keySet().retainAll(left.stream().map(ShardAdvice::sensor).toList());
      advised = List.copyOf(left);
    } catch (RuntimeException | Error e) { // the edge of this thread, which must go on
      LOG.error("Sharder failed, trying again in a second", e);
    }
  }

  private List<SensorLoad> loads(long nowMicros) {
    int today = UtcDay.of(nowMicros);
    if (looks++ % SIZES_EVERY_SECONDS == 0) {
      sizes = stores.shardsLargerThan(0, today).stream().filter(s -> s.shard() == 0).toList();
    }
    long horizon = nowMicros + plans.leadMicros();
    PlanTable table = plans.live().table();
    Map<SensorId, SensorRate> rates = new HashMap<>();
    Map<SensorId, ShardSize> watched = new HashMap<>();
    for (SensorId sensor : table.sensors()) {
      if (table.inForce(sensor, horizon).map(ShardPlan::shards).orElse(1) > 1) {
        rates.put(sensor, SensorRate.none(sensor));
      }
    }
    double large = Sharding.MOST_SHARD_BYTES * Sharder.LARGE;
    for (ShardSize size : sizes) {
      boolean several = rates.containsKey(size.sensor());
      if (size.day() == today && (several || size.bytes() >= large)) {
        watched.put(size.sensor(), size);
        rates.putIfAbsent(size.sensor(), SensorRate.none(size.sensor()));
      }
    }
    traffic.rates().forEach(rate -> rates.put(rate.sensor(), rate));
    List<SensorLoad> loads = new ArrayList<>();
    rates.forEach(
        (sensor, rate) -> {
          if (stores.serves(Placement.topicPartitionOf(sensor, today, 0, topicPartitions))) {
            loads.add(load(table, horizon, rate, Optional.ofNullable(watched.get(sensor))));
          }
        });
    return loads;
  }

  private static SensorLoad load(
      PlanTable table, long horizon, SensorRate rate, Optional<ShardSize> size) {
    int shards = 1;
    int byHand = 1;
    long since = Long.MIN_VALUE;
    for (ShardPlan plan : table.of(rate.sensor())) {
      if (plan.effectiveFromMicros() <= horizon) {
        shards = plan.shards();
        byHand = plan.isByHand() ? plan.shards() : byHand;
        since = plan.effectiveFromMicros();
      }
    }
    return new SensorLoad(shards, since, byHand, rate, size);
  }

  /** Has a decision written, or told; true if it is done with. */
  private boolean act(long nowMicros, ShardAdvice advice) {
    boolean changes = advice.shards() != advice.shardsBefore();
    if (changes && settings.mode() == Sharding.Mode.AUTO) {
      return write(nowMicros, advice);
    }
    ShardAdvice before = told.put(advice.sensor(), advice);
    if (before == null || before.shards() != advice.shards()) {
      if (changes) {
        LOG.info(
            "A sensor should have other shards: sensor={} shards_before={} shards={} why={}; do:"
                + " ./varve shards set {} {}",
            advice.sensor().quoted(),
            advice.shardsBefore(),
            advice.shards(),
            advice.reason(),
            advice.sensor().quoted(),
            advice.shards());
      } else {
        LOG.warn(
            "A sensor outgrows the most shards there are: sensor={} shards={} why={}; do: give what"
                + " sends its rows several sensor ids",
            advice.sensor().quoted(),
            advice.shards(),
            advice.reason());
      }
    }
    return false;
  }

  private boolean write(long nowMicros, ShardAdvice advice) {
    PlanProposal proposal =
        new PlanProposal(
            advice.sensor(),
            advice.shards(),
            OptionalLong.empty(),
            ShardPlan.BY_ITSELF + advice.reason());
    try {
      PlanDecision decision = plans.write(proposal, OptionalInt.of(advice.shardsBefore()));
      if (decision.shardsBefore() != advice.shardsBefore()) {
        return false; // somebody else was quicker: look again
      }
      LOG.info(
          "Sensor gets other shards: sensor={} shards_before={} shards={} from_in={}ms why={}",
          advice.sensor().quoted(),
          advice.shardsBefore(),
          advice.shards(),
          (decision.plan().effectiveFromMicros() - nowMicros) / 1_000,
          advice.reason());
      return true;
    } catch (PlanNotWrittenException e) {
      if (!closed && nowMicros - SAY_AGAIN_MICROS > saidNotWritten) {
        saidNotWritten = nowMicros;
        LOG.warn(
            "A shard plan was not written, trying again: sensor={} shards={} cause={}",
            advice.sensor().quoted(),
            advice.shards(),
            e.getMessage());
      }
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.shutdownNow();
  }
}
