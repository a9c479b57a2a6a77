package io.varve.ingest.sharder;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ingest.traffic.SensorRate;
import io.varve.storage.SensorId;
import io.varve.storage.ShardSize;
import io.varve.storage.UtcDay;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** The sharder against traces of rates, second by second: which plans it takes, and how soon. */
class SharderSimulation {
  private static final long LEAD_MICROS = 5_000_000;
  private static final int TOPIC_PARTITIONS = 8;
  private static final int HOUR = 3_600;
  private static final int DAY = 86_400;

  /** A plan as it was taken: at which second of the trace it holds, and for how many shards. */
  private record Taken(int second, int shards) {}

  /** One sensor, what it sends, and what that comes to. */
  private static class Trace {
    final SensorId sensor;
    final IntToDoubleFunction rows;
    final Deque<Double> last = new ArrayDeque<>();
    final List<Taken> taken = new ArrayList<>();
    final Random noise;
    double bytesARow;
    int shards = 1;
    int next = 1;
    long since = Long.MIN_VALUE;
    int byHand = 1;
    double shardBytes;
    double shardRows;
    int overSeconds;

    Trace(String id, IntToDoubleFunction rows) {
      this.sensor = SensorId.of(id);
      this.rows = rows;
      this.noise = new Random(id.hashCode());
    }

    Trace withBytes(double aRow) {
      bytesARow = aRow;
      return this;
    }

    /** Sends what a second brings, by a measurement that is off by some per cent. */
    void send(int second, long nowMicros) {
      if (next != shards && nowMicros >= since) {
        shards = next;
      }
      double now = rows.applyAsDouble(second);
      overSeconds += now / shards > 5_000 ? 1 : 0;
      last.addLast(now * (1 + noise.nextGaussian() * 0.03));
      if (last.size() > 20) {
        last.removeFirst();
      }
      if (second % DAY == 0) {
        shardBytes = 0;
        shardRows = 0;
      }
      shardBytes += now / shards * bytesARow;
      shardRows += now / shards;
    }

    SensorLoad load(long nowMicros) {
      double tenSeconds = 0;
      double sustained = 0;
      double ofThose = 0;
      List<Double> line = List.copyOf(last);
      for (int i = 0; i < line.size(); i++) {
        double sum = 0;
        double least = Double.MAX_VALUE;
        for (int k = 0; k < 10 && i + k < line.size(); k++) {
          sum += line.get(i + k);
          least = k < 5 ? Math.min(least, line.get(i + k)) : least;
          if (k == 4 && least > sustained) {
            sustained = least;
            ofThose = sum / 5;
          }
        }
        tenSeconds = Math.max(tenSeconds, sum / 10);
      }
      Optional<ShardSize> size =
          next == 1 && shardBytes < Sharding.MOST_SHARD_BYTES * Sharder.LARGE
              ? Optional.empty()
              : Optional.of(
                  new ShardSize(
                      sensor, UtcDay.of(nowMicros), 0, (long) shardBytes, (long) shardRows));
      return new SensorLoad(
          next,
          since,
          byHand,
          new SensorRate(sensor, tenSeconds, sustained, ofThose, tenSeconds),
          size);
    }
  }

  /** Runs traces from a midnight on, each sensor's plans being taken as they are decided. */
  private static void run(int seconds, List<Trace> traces) {
    long start =
        UtcDay.startMicros(UtcDay.of(Instant.parse("2024-06-01T00:00:00Z").toEpochMilli() * 1_000));
    Sharder sharder =
        new Sharder(new Sharding(Sharding.Mode.AUTO, 5_000, Duration.ofHours(1)), TOPIC_PARTITIONS);
    Map<SensorId, Trace> bySensor = new LinkedHashMap<>();
    traces.forEach(trace -> bySensor.put(trace.sensor, trace));
    for (int second = 0; second < seconds; second++) {
      long now = start + second * 1_000_000L;
      List<SensorLoad> loads = new ArrayList<>();
      for (Trace trace : traces) {
        trace.send(second, now);
        loads.add(trace.load(now));
      }
      for (ShardAdvice advice : sharder.decide(now, true, loads)) {
        Trace trace = bySensor.get(advice.sensor());
        if (trace != null && advice.shards() != advice.shardsBefore()) {
          trace.next = advice.shards();
          trace.since = now + LEAD_MICROS;
          trace.taken.add(new Taken(second + 5, advice.shards()));
        }
      }
    }
  }

  private static Trace alone(int seconds, IntToDoubleFunction rows) {
    return alone(seconds, new Trace("plant-3/temp", rows));
  }

  private static Trace alone(int seconds, Trace trace) {
    run(seconds, List.of(trace));
    return trace;
  }

  @Test
  void stepIsRelievedOnceAndSoon() {
    Trace trace = alone(2 * HOUR, second -> second < 600 ? 500 : 30_000);
    assertThat(trace.taken).hasSize(1);
    Taken plan = trace.taken.get(0);
    assertThat(plan.shards()).isBetween(8, 16);
    assertThat(plan.second()).isBetween(605, 615);
  }

  @Test
  void rampTakesAPlanForEachDoublingAtMost() {
    Trace trace = alone(2 * HOUR, second -> Math.min(30_000, second * 10.0));
    assertThat(trace.taken.size()).isBetween(2, 4);
    for (int i = 1; i < trace.taken.size(); i++) {
      assertThat(trace.taken.get(i).shards()).isGreaterThan(trace.taken.get(i - 1).shards());
    }
    assertThat(trace.overSeconds).as("seconds above what shards may take").isLessThan(120);
  }

  /** Whatever becomes of it, it costs one plan up and one down, not more. */
  @Test
  void spikeOfTenSecondsDoesNotFlap() {
    Trace trace = alone(4 * HOUR, second -> second >= 600 && second < 610 ? 30_000 : 500);
    assertThat(trace.taken.size()).isLessThanOrEqualTo(2);
    assertThat(trace.shards).isEqualTo(1);
  }

  @Test
  void spikeOfFourSecondsIsLeftAlone() {
    assertThat(alone(HOUR, second -> second % 600 < 4 ? 30_000 : 500).taken).isEmpty();
  }

  /** Up in the morning, back at night, and once each. */
  @Test
  void dailyCycleTakesAsManyPlansAsThereAreTurns() {
    Trace trace =
        alone(
            3 * DAY,
            second -> 6_000 - 5_500 * Math.cos(2 * Math.PI * (second % DAY) / (double) DAY));
    int ups = 0;
    for (int i = 0; i < trace.taken.size(); i++) {
      int before = i == 0 ? 1 : trace.taken.get(i - 1).shards();
      ups += trace.taken.get(i).shards() > before ? 1 : 0;
    }
    assertThat(ups).as("of " + trace.taken).isLessThanOrEqualTo(6);
    assertThat(trace.taken.size()).isLessThanOrEqualTo(12);
    for (int i = 1; i < trace.taken.size(); i++) {
      boolean up = trace.taken.get(i).shards() > trace.taken.get(i - 1).shards();
      int apart = trace.taken.get(i).second() - trace.taken.get(i - 1).second();
      assertThat(up || apart >= HOUR).as("down within an hour of " + trace.taken).isTrue();
    }
  }

  @Test
  void nextDayStartsAtTheLearntSize() {
    Trace trace = alone(2 * DAY, second -> 30_000);
    assertThat(trace.taken).hasSize(1);
    assertThat(trace.taken.get(0).second()).isLessThan(60);
  }

  @Test
  void flashCrowdOfManySensorsIsRelievedForEach() {
    List<Trace> traces = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      traces.add(new Trace("crowd-" + i, second -> second < 300 ? 10 : 12_000));
    }
    run(1_200, traces);
    for (Trace trace : traces) {
      assertThat(trace.taken).hasSize(1);
      assertThat(trace.taken.get(0).second()).isBetween(305, 316);
      assertThat(trace.shards).isBetween(4, 8);
    }
  }

  @Test
  void warmSensorsAreLeftAlone() {
    List<Trace> traces = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      int rows = 20 * i;
      traces.add(new Trace("warm-" + i, second -> rows));
    }
    run(1_200, traces);
    for (Trace trace : traces) {
      assertThat(trace.taken).as("%s", trace.sensor).isEmpty();
    }
  }

  /** Just below and just above what a shard may take, for a long time. */
  @Test
  void rateAtTheBorderDoesNotFlap() {
    Trace trace =
        alone(6 * HOUR, second -> 5_000 + 400 * Math.sin(second / 40.0) + second % 7 * 20);
    assertThat(trace.taken.size()).isLessThanOrEqualTo(1);
  }

  @Test
  void ordinarySensorIsNeverSplitHoweverItsValuesLook() {
    for (double rows : new double[] {1, 10, 100}) {
      Trace trace = new Trace("ordinary", second -> rows).withBytes(26);
      assertThat(alone(DAY, trace).taken).as(rows + " Hz").isEmpty();
    }
  }

  /** 600 rows a second of 9 bytes are 467 MB a day. */
  @Test
  void dayThatOutgrowsItsShardIsSplitInTime() {
    Trace trace = alone(3 * DAY, new Trace("large", second -> 600).withBytes(9));
    assertThat(trace.taken).hasSizeBetween(1, 2);
    assertThat(trace.shardBytes).isLessThan(100_000_000);
    assertThat(trace.shards).isBetween(8, 16);
    assertThat(trace.taken.get(0).second()).isLessThan(6 * HOUR);
  }

  /** What a restart, or another owner of shard 0, forgets must not undo what was learnt. */
  @Test
  void restartForgetsNothingThatMatters() {
    Trace trace = new Trace("large", second -> 600).withBytes(9);
    trace.shards = 8;
    trace.next = 8;
    for (int restart = 0; restart < 3; restart++) {
      run(5 * HOUR, List.of(trace));
    }
    assertThat(trace.taken).isEmpty();
  }

  /** Late in the day there is little room left: what is needed today is not merged today. */
  @Test
  void lateSplitIsNotMergedAndSplitAgain() {
    Trace trace =
        alone(DAY, new Trace("late", second -> second < 12 * HOUR ? 10 : 1_500).withBytes(9));
    assertThat(trace.taken.size()).as("of " + trace.taken).isLessThanOrEqualTo(2);
  }

  /** A device that sends half an hour of its 100 Hz at once. */
  @Test
  void uploadOfAnOrdinarySensorIsNoReasonForItsSize() {
    Trace trace =
        new Trace("upload", second -> second % 1_800 < 10 ? 18_000 : 0) {
          @Override
          SensorLoad load(long nowMicros) {
            SensorLoad load = super.load(nowMicros);
            SensorRate byEventTime = new SensorRate(sensor, 100, 100, 100, 18_000);
            return new SensorLoad(
                load.shards(), load.sinceMicros(), load.byHand(), byEventTime, load.size());
          }
        };
    assertThat(alone(DAY, trace.withBytes(26)).taken).isEmpty();
  }

  @Test
  void coolingIsMeasuredNotAssumed() {
    Sharder sharder =
        new Sharder(
            new Sharding(Sharding.Mode.AUTO, 5_000, Duration.ofMinutes(1)), TOPIC_PARTITIONS);
    SensorLoad silent =
        new SensorLoad(
            8, Long.MIN_VALUE, 1, SensorRate.none(SensorId.of("paused")), Optional.empty());
    long now = 1_717_200_000_000_000L;
    for (int second = 0; second < 600; second++) {
      assertThat(sharder.decide(now + second * 1_000_000L, false, List.of(silent))).isEmpty();
    }
    int merged = 0;
    for (int second = 600; second < 700; second++) {
      merged += sharder.decide(now + second * 1_000_000L, true, List.of(silent)).size();
    }
    assertThat(merged).isPositive();
  }

  @Test
  void lessThanAPersonGaveItIsGivenBack() {
    Sharder sharder = new Sharder(Sharding.DEFAULT, TOPIC_PARTITIONS);
    SensorLoad load =
        new SensorLoad(2, Long.MIN_VALUE, 64, SensorRate.none(SensorId.of("a")), Optional.empty());
    List<ShardAdvice> told = sharder.decide(1_717_200_000_000_000L, true, List.of(load));
    assertThat(told).hasSize(1);
    assertThat(told.get(0).shards()).isEqualTo(64);
  }

  @Test
  void coolSensorGoesBackToOneShardButNotBelowWhatAPersonSet() {
    IntToDoubleFunction rows = second -> second < 600 ? 30_000 : 100;
    Trace free = alone(4 * HOUR, rows);
    assertThat(free.shards).isEqualTo(1);
    assertThat(free.taken.get(free.taken.size() - 1).second()).isBetween(HOUR + 600, HOUR + 700);
    Trace set = new Trace("by-hand", rows);
    set.byHand = 4;
    set.shards = 4;
    set.next = 4;
    assertThat(alone(4 * HOUR, set).shards).isEqualTo(4);
  }

  @Test
  void moreThanTheMostShardsIsSaidAndLeft() {
    Trace trace = alone(600, second -> 1_000_000);
    assertThat(trace.taken).containsExactly(new Taken(trace.taken.get(0).second(), 64));
    Sharder sharder = new Sharder(Sharding.DEFAULT, TOPIC_PARTITIONS);
    SensorRate rate = new SensorRate(trace.sensor, 1e6, 1e6, 1e6, 1e6);
    List<ShardAdvice> told =
        sharder.decide(
            1_717_200_000_000_000L,
            true,
            List.of(new SensorLoad(64, Long.MIN_VALUE, 1, rate, Optional.empty())));
    assertThat(told).hasSize(1);
    assertThat(told.get(0).shards()).isEqualTo(64);
    assertThat(told.get(0).reason()).contains("64 shards are the most there are");
  }
}
