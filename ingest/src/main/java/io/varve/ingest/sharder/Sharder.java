package io.varve.ingest.sharder;

import io.varve.ingest.shards.PlanLead;
import io.varve.ingest.traffic.SensorRate;
import io.varve.storage.SensorId;
import io.varve.storage.ShardSize;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.ShardCounts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many shards sensors should have. Pure but for what it remembers of each: no clock, no
 * I/O. Not thread-safe.
 *
 * <p>More shards at once when a sensor sends more than its shards may take, for five seconds and on
 * average over ten; more for the day's size when its shard 0 is large already and will outgrow its
 * share by midnight. Fewer, after a cool-down, when half of what fewer may take would do. Between
 * these two it never moves, so it does not flap.
 */
public final class Sharder {
  /** Faster than an ordinary sensor, which is never split for its size. */
  private static final double ORDINARY_ROWS_A_SECOND = 150;

  /** A shard is looked at for its size from this part of the most on. */
  static final double LARGE = 0.25;

  /** What a new count is chosen for, so that the next look does not find it wanting. */
  private static final double AIM = 0.8;

  /** What a count may take for a sensor to be cool enough for it. */
  private static final double COOL = 0.5;

  /** After a plan took hold, how long its effect is waited for: rates look back 22 s. */
  private static final long SETTLES_MICROS = 30_000_000;

  /** At the beginning of a cool-down, how long a rate may take to fall to where it stays. */
  private static final long FALLS_MICROS = 60_000_000;

  /** What is remembered of a sensor. */
  private static final class Memory {
    @Nullable ShardGrowth growth;

    /** Since when half the shards would have done; -1 while they would not. */
    long coolSinceMicros = -1;

    /** The most that it sent since, but for the beginning. */
    double busiest;
  }

  private final Sharding settings;
  private final int topicPartitions;
  private final Map<SensorId, Memory> memories = new HashMap<>();

  public Sharder(Sharding settings, int topicPartitions) {
    this.settings = settings;
    this.topicPartitions = topicPartitions;
  }

  /**
   * Decides on the sensors that are seen; meant to be called once a second.
   *
   * @param nowMicros the time, in microseconds since 1970
   * @param current whether what is measured is of now: not while ingest is paused, or behind
   * @param loads every sensor whose shard 0 of today is here and which is hot, large, or has shards
   * @return those that should have another count, again and again until they have it; and those
   *     that send too much for the most shards there are, with as many as they have
   */
  public List<ShardAdvice> decide(long nowMicros, boolean current, List<SensorLoad> loads) {
    List<ShardAdvice> decided = new ArrayList<>();
    Set<SensorId> seen = new HashSet<>();
    for (SensorLoad load : loads) {
      seen.add(load.sensor());
      Memory memory = memories.computeIfAbsent(load.sensor(), absent -> new Memory());
      decide(nowMicros, current, load, memory).ifPresent(decided::add);
    }
    memories.keySet().retainAll(seen);
    return decided;
  }

  private Optional<ShardAdvice> decide(
      long nowMicros, boolean current, SensorLoad load, Memory memory) {
    boolean settled = nowMicros >= load.sinceMicros() + SETTLES_MICROS;
    observe(nowMicros, load, settled, memory);
    if (!settled) {
      memory.coolSinceMicros = -1;
      return Optional.empty();
    }
    if (load.shards() < load.byHand()) {
      return advice(load, load.byHand(), "a person gave it " + load.byHand());
    }
    Optional<ShardAdvice> more = forRate(nowMicros, load);
    if (more.isEmpty()) {
      more = forSize(nowMicros, load, memory);
    }
    if (!current) {
      memory.coolSinceMicros = -1; // nothing came, or what came is old: that is no cooling
    }
    return more.isPresent() || !current ? more : cooled(nowMicros, load, memory);
  }

  private static void observe(long nowMicros, SensorLoad load, boolean settled, Memory memory) {
    if (load.size().isPresent()) {
      ShardSize size = load.size().get();
      if (memory.growth == null) {
        memory.growth = new ShardGrowth(size, nowMicros);
      }
      memory.growth.observe(size, settled ? load.shards() : 0, nowMicros);
    }
  }

  private Optional<ShardAdvice> forRate(long nowMicros, SensorLoad load) {
    SensorRate rate = load.rate();
    double budget = (double) settings.shardRate() * load.shards();
    if (Math.min(rate.tenSeconds(), rate.arriving()) <= budget || rate.sustained() <= budget / 2) {
      return Optional.empty();
    }
    double rows = Math.max(rate.tenSeconds(), rate.ofThose());
    int wanted = countFor(rows / settings.shardRate());
    int shards =
        Math.max(
            load.shards(),
            Spread.better(load.sensor(), dayOfPlan(nowMicros), wanted, topicPartitions));
    boolean tooMuch = rows / shards > settings.shardRate();
    return advice(
        load,
        shards,
        String.format(
            Locale.ROOT,
            "it sends %,.0f rows/s, and a shard may take %,d%s%s",
            rows,
            settings.shardRate(),
            tooMuch
                ? String.format(
                    Locale.ROOT,
                    "; %d shards are the most there are, each will take %,.0f",
                    shards,
                    rows / shards)
                : "",
            where(nowMicros, load.sensor(), shards)));
  }

  /** The day in which a plan of now begins. */
  private static int dayOfPlan(long nowMicros) {
    return UtcDay.of(nowMicros + PlanLead.USUAL.micros());
  }

  private String where(long nowMicros, SensorId sensor, int shards) {
    double share = Spread.busiestShare(sensor, dayOfPlan(nowMicros), shards, topicPartitions);
    return String.format(
        Locale.ROOT, "; the busiest topic partition of the day gets %.0f %% of them", share * 100);
  }

  private Optional<ShardAdvice> forSize(long nowMicros, SensorLoad load, Memory memory) {
    ShardGrowth growth = memory.growth;
    if (load.size().isEmpty()
        || growth == null
        || !growth.known()
        || isOrdinary(nowMicros, load, growth)) {
      return Optional.empty();
    }
    ShardSize size = load.size().get();
    double most = Sharding.MOST_SHARD_BYTES;
    double toCome = toCome(nowMicros, size, growth);
    double room = room(size);
    if (size.bytes() < most * LARGE || toCome / load.shards() <= room) {
      return Optional.empty();
    }
    int shards = Math.max(load.shards(), countFor(toCome / (room * AIM)));
    if (shards == load.shards() && shards < ShardCounts.MAX) {
      return Optional.empty();
    }
    return advice(
        load,
        shards,
        String.format(
            Locale.ROOT,
            "shard 0 of the day takes %,.1f MB and grows by %,.1f MB an hour: %,.0f MB by midnight,"
                + " and %,.0f MB is the most%s",
            size.bytes() / 1e6,
            growth.bytesASecond() / load.shards() * 3_600 / 1e6,
            (size.bytes() + toCome / load.shards()) / 1e6,
            most / 1e6,
            shards == load.shards() ? "; " + shards + " shards are the most there are" : ""));
  }

  /**
   * Whether it sends so few rows that its size is no matter: by what came of late, and while it has
   * one shard by all of today, since a device may send half an hour's rows at once.
   */
  private static boolean isOrdinary(long nowMicros, SensorLoad load, ShardGrowth growth) {
    ShardSize size = load.size().orElseThrow();
    double today = Math.max(1, (nowMicros - UtcDay.startMicros(size.day())) / 1e6);
    return growth.rowsASecond() <= ORDINARY_ROWS_A_SECOND
        || (load.shards() == 1 && size.rows() / today <= ORDINARY_ROWS_A_SECOND);
  }

  /** What all shards of a day will grow by until midnight, in bytes. */
  private static double toCome(long nowMicros, ShardSize size, ShardGrowth growth) {
    double left = (UtcDay.startMicros(size.day() + 1) - nowMicros) / 1e6;
    return growth.bytesASecond() * Math.max(0, left);
  }

  /** What a shard may grow by; one that is over already, by as much again. */
  private static double room(ShardSize size) {
    double most = Sharding.MOST_SHARD_BYTES;
    return size.bytes() < most ? most - size.bytes() : most;
  }

  private Optional<ShardAdvice> cooled(long nowMicros, SensorLoad load, Memory memory) {
    double rows = load.rate().tenSeconds();
    int half = load.shards() / 2;
    if (half < load.byHand()
        || half < 1
        || !suffices(half, rows, settings.shardRate(), nowMicros, load, memory)) {
      memory.coolSinceMicros = -1;
      return Optional.empty();
    }
    if (memory.coolSinceMicros < 0) {
      memory.coolSinceMicros = nowMicros;
      memory.busiest = 0;
    }
    long coolDownMicros = settings.coolDown().toNanos() / 1_000;
    long coolMicros = nowMicros - memory.coolSinceMicros;
    if (coolMicros >= Math.min(FALLS_MICROS, coolDownMicros / 2)) {
      memory.busiest = Math.max(memory.busiest, rows);
    }
    if (coolMicros < coolDownMicros) {
      return Optional.empty();
    }
    int shards = half;
    while (shards / 2 >= load.byHand()
        && suffices(shards / 2, memory.busiest, settings.shardRate(), nowMicros, load, memory)) {
      shards /= 2;
    }
    return advice(
        load,
        shards,
        String.format(
            Locale.ROOT,
            "it has sent no more than %,.0f rows/s for %s, and a shard may take %,d",
            memory.busiest,
            settings.coolDown().toString().substring(2).toLowerCase(Locale.ROOT),
            settings.shardRate()));
  }

  /** Whether so many shards would be well below what they may take: by rate, a day, and today. */
  private static boolean suffices(
      int shards, double rows, int shardRate, long nowMicros, SensorLoad load, Memory memory) {
    if (shards < 1 || rows > COOL * shardRate * shards) {
      return false;
    }
    if (rows <= ORDINARY_ROWS_A_SECOND) {
      return true;
    }
    ShardGrowth growth = memory.growth;
    if (growth == null || !growth.known()) {
      return false; // after a restart, or on a node that took over: it will be known soon
    }
    double bytesADay = rows * growth.bytesARow() * 86_400;
    boolean aDay = bytesADay <= COOL * Sharding.MOST_SHARD_BYTES * shards;
    boolean today =
        load.size().isEmpty()
            || toCome(nowMicros, load.size().get(), growth) / shards
                <= COOL * room(load.size().get());
    return aDay && today;
  }

  private static int countFor(double shares) {
    int shards = 1;
    while (shards < shares && shards < ShardCounts.MAX) {
      shards *= 2;
    }
    return shards;
  }

  private static Optional<ShardAdvice> advice(SensorLoad load, int shards, String reason) {
    return Optional.of(new ShardAdvice(load.sensor(), shards, load.shards(), reason));
  }
}
