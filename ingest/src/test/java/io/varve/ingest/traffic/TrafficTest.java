package io.varve.ingest.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.varve.storage.SensorId;
import io.varve.storage.TrafficWatch;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Traffic as it is measured from samples, with a clock that the test sets. */
class TrafficTest {
  private static final long NOON = Instant.parse("2024-06-02T12:00:00Z").toEpochMilli();
  private static final SensorId HOT = SensorId.of("hot");

  private final AtomicLong millis = new AtomicLong(NOON);
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());

  private Traffic traffic(ShardCounts plans) {
    return new Traffic(5_000, plans, clock);
  }

  /** Drives a watch as a store's writer does. */
  private static final class Writer {
    private final TrafficWatch watch;
    private int standsFor;
    private int left;

    Writer(TrafficWatch watch) {
      this.watch = watch;
      this.standsFor = watch.rowsUntilShown();
      this.left = standsFor;
    }

    void row(SensorId sensor, int shard, long timestampMicros) {
      if (--left == 0) {
        watch.written(sensor, UtcDay.of(timestampMicros), shard, timestampMicros, standsFor);
        standsFor = watch.rowsUntilShown();
        left = standsFor;
      }
    }
  }

  private static Map<String, Hit<PartitionKey>> bySensor(List<Hit<PartitionKey>> hits) {
    return hits.stream().collect(Collectors.toMap(hit -> hit.item().sensor().toString(), h -> h));
  }

  @Test
  void littleIsCountedExactly() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    for (int i = 0; i < 3_000; i++) {
      writer.row(SensorId.of("s-" + i % 3), 0, NOON * 1_000 + i);
    }
    assertThat(traffic.writes(10, 5).rows()).as("the second under way is left out").isZero();
    millis.addAndGet(1_000);
    Busiest busiest = traffic.writes(10, 2);
    assertThat(busiest.rows()).isEqualTo(3_000);
    assertThat(busiest.bytes()).isEqualTo(3_000 * 23);
    assertThat(busiest.byRows()).hasSize(2);
    assertThat(busiest.byRows().get(0))
        .satisfies(
            hit -> {
              assertThat(hit.estimate()).isEqualTo(1_000);
              assertThat(hit.atLeast()).isEqualTo(1_000);
              assertThat(hit.atMost()).isEqualTo(1_000);
              assertThat(hit.item().day()).isEqualTo(UtcDay.of(NOON * 1_000));
            });
    millis.addAndGet(60_000);
    assertThat(traffic.writes(60, 5).rows()).as("after a minute").isZero();
  }

  /** A busy store shows a few thousand rows a second, and the bounds say what that costs. */
  @Test
  void muchIsReckonedWithinItsBounds() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    Random random = new Random(7);
    SensorId[] crowd = new SensorId[2_000];
    for (int i = 0; i < crowd.length; i++) {
      crowd[i] = SensorId.of("crowd-" + i);
    }
    long hot = 0;
    int rows = 200_000;
    for (int second = 0; second < 10; second++) {
      for (int i = 0; i < rows; i++) {
        boolean isHot = random.nextInt(10) == 0;
        hot += isHot ? 1 : 0;
        long at = millis.get() * 1_000 + i * 5L;
        writer.row(isHot ? HOT : crowd[random.nextInt(crowd.length)], 0, at);
      }
      millis.addAndGet(1_000);
    }
    Busiest busiest = traffic.writes(10, 3);
    assertThat(busiest.rows()).isCloseTo(10L * rows, within(rows / 50L));
    Hit<PartitionKey> first = busiest.byRows().get(0);
    assertThat(first.item().sensor()).isEqualTo(HOT);
    assertThat(hot).isBetween(first.atLeast(), first.atMost());
    assertThat(first.atMost() - first.atLeast()).as("width of the bounds").isLessThan(hot / 2);
    assertThat(bySensor(busiest.byBytes())).containsKey("hot");
  }

  @Test
  void readsAreMeasuredApart() {
    Traffic traffic = traffic(ShardCounts.ONE);
    TrafficWatch watch = traffic.ofStore();
    for (int i = 0; i < 100; i++) {
      watch.read(HOT, 19_000, 20, 2);
    }
    watch.read(SensorId.of("empty"), 19_000, 0, 0);
    millis.addAndGet(1_000);
    Busiest reads = traffic.reads(1, 10);
    assertThat(reads.rows()).isEqualTo(2_000);
    assertThat(reads.bytes()).isEqualTo(200 * 4_096);
    assertThat(reads.byRows()).hasSize(1);
    assertThat(traffic.writes(1, 10).rows()).isZero();
  }

  /** Rows of a clock that is ahead count as of now, and hide nothing of those that are of now. */
  @Test
  void clockAheadHidesNoHotSensor() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    for (int second = 0; second < 30; second++) {
      for (int i = 0; i < 4_000; i++) {
        long at = millis.get() * 1_000 + i * 250L;
        writer.row(HOT, 0, i % 1_000 == 0 ? at + 600_000_000 : at);
      }
      millis.addAndGet(1_000);
    }
    assertThat(traffic.rates()).hasSize(1);
    assertThat(traffic.rates().get(0).tenSeconds()).isCloseTo(4_000, within(400.0));
  }

  /** A poll every two seconds, thousands of rows each. */
  @Test
  void sensorThatStampsInBatchesIsMeasured() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    for (int second = 0; second < 40; second++) {
      for (int i = 0; second % 2 == 0 && i < 8_000; i++) {
        writer.row(HOT, 0, millis.get() * 1_000);
      }
      millis.addAndGet(1_000);
    }
    SensorRate rate = traffic.rates().get(0);
    assertThat(rate.tenSeconds()).isCloseTo(4_000, within(1_000.0));
    assertThat(rate.sustained()).isGreaterThan(2_500);
  }

  /** Many sensors that catch up at once are followed, and let go of again. */
  @Test
  void placesAreNotKeptBySensorsThatWereBusyOnce() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    for (int s = 0; s < 3_000; s++) {
      SensorId sensor = SensorId.of("late-" + s);
      for (int i = 0; i < 700; i++) {
        writer.row(sensor, 0, (NOON - 600_000) * 1_000 + i * 800_000L);
      }
    }
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 6_000; i++) {
        writer.row(HOT, 0, millis.get() * 1_000 + i * 160L);
      }
      millis.addAndGet(1_000);
    }
    assertThat(traffic.rates()).hasSizeLessThan(50);
    assertThat(traffic.rates().stream().map(rate -> rate.sensor().toString())).contains("hot");
  }

  /** The rows of shard 0, times the shards that there were at their own time. */
  @Test
  void rateIsThatOfAllShardsThroughAChangeOfPlan() {
    long splitAt = (NOON + 20_000) * 1_000;
    ShardCounts plans = (id, offset, length, at) -> at < splitAt ? 1 : 8;
    Traffic traffic = traffic(plans);
    Writer writer = new Writer(traffic.ofStore());
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 16_000; i++) {
        long at = millis.get() * 1_000 + i * 62L;
        int shard = Placement.shardOf(at, 0, plans.at(new byte[1], 0, 1, at));
        if (shard == 0) {
          writer.row(HOT, shard, at);
        }
      }
      millis.addAndGet(1_000);
      if (second >= 12) {
        SensorRate rate = traffic.rates().get(0);
        assertThat(rate.tenSeconds()).as("second " + second).isCloseTo(16_000, within(2_000.0));
        assertThat(rate.sustained()).as("second " + second).isGreaterThan(12_000);
      }
    }
  }

  /** A backlog of half an hour that is read within seconds: what counts is when it was measured. */
  @Test
  void backlogIsNoHotSensor() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    long from = (NOON - 1_800_000) * 1_000;
    for (int i = 0; i < 1_800 * 50; i++) {
      writer.row(HOT, 0, from + i * 20_000L);
    }
    millis.addAndGet(1_000);
    for (SensorRate rate : traffic.rates()) {
      assertThat(rate.tenSeconds()).isLessThan(100);
    }
  }

  /** All of its rows bear one second; that few come tells what it is. */
  @Test
  void clockThatStandsStillIsNoHotSensor() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    for (int second = 0; second < 100; second++) {
      for (int i = 0; i < 700; i++) {
        writer.row(HOT, 0, NOON * 1_000);
      }
      millis.addAndGet(1_000);
    }
    assertThat(traffic.rates()).hasSize(1);
    SensorRate rate = traffic.rates().get(0);
    assertThat(rate.tenSeconds()).isGreaterThan(5_000);
    assertThat(rate.arriving()).isCloseTo(700, within(70.0));
  }

  /** A crowd of quiet sensors is not followed, and does not hide the one that is hot. */
  @Test
  void hotSensorIsFoundInACrowd() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    Random random = new Random(11);
    SensorId[] crowd = new SensorId[50_000];
    for (int i = 0; i < crowd.length; i++) {
      crowd[i] = SensorId.of("crowd-" + i);
    }
    int rows = 400_000;
    for (int second = 0; second < 12; second++) {
      for (int i = 0; i < rows; i++) {
        long at = millis.get() * 1_000 + i * 2L;
        writer.row(i % 40 == 0 ? HOT : crowd[random.nextInt(crowd.length)], 0, at);
      }
      millis.addAndGet(1_000);
    }
    assertThat(traffic.rates()).hasSizeLessThan(100);
    SensorRate rate =
        traffic.rates().stream().filter(r -> r.sensor().equals(HOT)).findFirst().orElseThrow();
    assertThat(traffic.rates())
        .allSatisfy(r -> assertThat(r.equals(rate) || r.tenSeconds() < 1_000).isTrue());
    assertThat(rate.tenSeconds()).isCloseTo(rows / 40.0, within(rows / 200.0));
    assertThat(rate.arriving()).isCloseTo(rows / 40.0, within(rows / 200.0));
  }

  @Test
  void rowsOlderThanAnHourTellNothingOfNow() {
    Traffic traffic = traffic(ShardCounts.ONE);
    Writer writer = new Writer(traffic.ofStore());
    long old = (NOON - 3_700_000) * 1_000;
    for (int i = 0; i < 50_000; i++) {
      writer.row(HOT, 0, old + i * 20L);
    }
    millis.addAndGet(1_000);
    assertThat(traffic.rates()).isEmpty();
    assertThat(traffic.writes(1, 1).rows()).isPositive();
  }
}
