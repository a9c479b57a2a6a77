package io.varve.storage.engine;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Fragment;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.Order;
import io.varve.storage.Row;
import io.varve.storage.Scan;
import io.varve.storage.Seeded;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.Placement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;

/** Random histories of a store, each step of which the in-memory model takes too. */
class PartitionStoreProperties {
  private static final int STEPS = 500;
  private static final int JUNE_DAY = UtcDay.of(RecordStream.JUNE);

  @Seeded(runs = 50, fullRuns = 2_000)
  void storeAnswersAsTheModelDoes(RandomGenerator random, @TempDir Path folder) {
    try (History history = new History(random, folder)) {
      for (int i = 0; i < STEPS; i++) {
        history.step();
      }
      history.compareAll();
    }
  }

  /** One run: the store, its log, and the model beside them. */
  private static final class History implements AutoCloseable {
    private final RandomGenerator random;
    private final Path folder;
    private final Log log = new Log();
    private final InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    private final DrivenStore driven;
    private final List<SensorId> sensors = new ArrayList<>();

    /** How far apart timestamps can be: small ones make ties and corrections, large ones days. */
    private final long spanMicros;

    private final int shards;
    private int floorDay = JUNE_DAY - 10;
    private int kills;

    History(RandomGenerator random, Path folder) {
      this.random = random;
      this.folder = folder;
      driven = new DrivenStore(folder.resolve("store"), log);
      int count = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        String filler = random.nextBoolean() ? "" : "ü/".repeat(1 + random.nextInt(80));
        sensors.add(SensorId.of(filler + "s" + i));
      }
      long[] spans = {200, 1_000_000, UtcDay.MICROS / 4, 3 * UtcDay.MICROS, 9 * UtcDay.MICROS};
      spanMicros = spans[random.nextInt(spans.length)];
      shards = random.nextBoolean() ? 1 : 1 << random.nextInt(4);
    }

    void step() {
      int dice = random.nextInt(100);
      if (dice < 45) {
        put(batch());
      } else if (dice < 55) {
        sendAgain();
      } else if (dice < 90) {
        ask();
      } else if (dice < 94) {
        driven.store().commit(log.end() - 1);
      } else if (dice < 96) {
        expire();
      } else if (dice < 97) {
        driven.compact();
      } else if (dice < 98) {
        driven.reopen();
        driven.expire(floorDay);
      } else {
        driven.killAndReopen(folder.resolve("killed-" + kills++));
        driven.expire(floorDay);
      }
    }

    private byte[] batch() {
      SensorId sensor = anySensor();
      int rows = 1 + random.nextInt(random.nextInt(5) == 0 ? 400 : 10);
      long run = anyTime();
      long stride = 1 + random.nextLong(Math.max(1, spanMicros / 500));
      boolean inOrder = random.nextInt(3) > 0;
      int n = sensor.hashCode() % 2 == 0 ? shards : 1;
      long sequence = random.nextInt(3) == 0 ? random.nextLong() : 0;
      int shard = Placement.shardOf(run, sequence, n);
      List<Row> batch = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        long time = inOrder ? run + i * stride : anyTime();
        // A row's shard follows from its key, so a record of one shard takes only some rows.
        if (Placement.shardOf(time, sequence, n) == shard) {
          batch.add(new Row(time, sequence, anyValue()));
        }
      }
      return batch.isEmpty() ? batch() : Log.record(sensor, shard, batch);
    }

    private void put(byte[] record) {
      driven.append(record);
      Log.put(model, record, log.end() - 1);
    }

    private void sendAgain() {
      if (log.end() > 0) {
        put(log.at(random.nextLong(log.end())));
      }
    }

    private void expire() {
      long newest = model.freshness().eventTimeMicros().orElse(Long.MIN_VALUE);
      int wanted = Math.min(JUNE_DAY - 5 + random.nextInt(6), UtcDay.of(newest));
      floorDay = Math.max(floorDay, wanted);
      driven.expire(floorDay);
      model.expire(floorDay);
    }

    private void ask() {
      SensorId sensor = anySensor();
      List<Fragment> fragments = model.fragments(sensor, TimeRange.ALL);
      if (fragments.isEmpty()) {
        return;
      }
      long from = anyTime();
      TimeRange range =
          random.nextInt(3) == 0
              ? TimeRange.ALL
              : new TimeRange(from, from + random.nextLong(spanMicros + 1));
      Optional<ClusteringKey> after =
          random.nextBoolean()
              ? Optional.empty()
              : Optional.of(new ClusteringKey(anyTime(), random.nextInt(3) - 1));
      int[] limits = {1, 7, 100, 1_000, Integer.MAX_VALUE};
      int limit = limits[random.nextInt(limits.length)];
      Order order = Order.values()[random.nextInt(2)];
      Fragment fragment = fragments.get(random.nextInt(fragments.size()));
      Sameness.assertSameWalk(
          driven.reader(), model, sensor, fragment, new Scan(range, order, after, limit));
    }

    void compareAll() {
      Sameness.assertSame(driven.reader(), model);
      driven.compact();
      Sameness.assertSame(driven.reader(), model);
      driven.reopen();
      driven.expire(floorDay);
      Sameness.assertSame(driven.reader(), model);
    }

    private SensorId anySensor() {
      return sensors.get(random.nextInt(sensors.size()));
    }

    private long anyTime() {
      return RecordStream.JUNE - spanMicros / 2 + random.nextLong(spanMicros + 1);
    }

    private double anyValue() {
      return switch (random.nextInt(4)) {
        case 0 -> Double.longBitsToDouble(random.nextLong());
        case 1 -> random.nextInt(3);
        default -> random.nextInt(10_000) / 100.0;
      };
    }

    @Override
    public void close() {
      driven.close();
    }
  }
}
