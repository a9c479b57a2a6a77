package io.varve.query.plan;

import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.placement.ShardCounts;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A day of 8 640 rows, 10 s ± 2 s apart, to averages of five minutes, exact sums included, from the
 * off-heap store but for HTTP. Run {@code main} with the test class path and the flags of the
 * property {@code test.jvm}.
 */
public final class DownsampleBenchmark {
  private static final long START = 1_717_200_000_000_000L; // 2024-06-01
  private static final int SENSORS = 500;
  private static final int ROWS = 8_640;

  private DownsampleBenchmark() {}

  /** Prints p50 and p99 of the better of some rounds. */
  public static void main(String[] args) throws IOException {
    Path folder = Files.createTempDirectory("varve-downsample-benchmark");
    try (PartitionStore store = PartitionStore.open(folder, 0, StoreSettings.defaults(1))) {
      store.restoreFinished();
      load(store);
      store.compact();
      ask(store, EnumSet.of(Aggregate.AVG));
      ask(store, EnumSet.allOf(Aggregate.class));
    }
  }

  private static void load(PartitionStore store) {
    SplittableRandom random = new SplittableRandom(42);
    RowPack.Writer writer = new RowPack.Writer();
    double[] walk = new double[SENSORS];
    for (int row = 0; row < ROWS; row++) {
      writer.clear();
      for (int sensor = 0; sensor < SENSORS; sensor++) {
        long jitter = random.nextInt(4_000) * 1_000L;
        walk[sensor] += random.nextDouble() - 0.5;
        double value = Math.round(walk[sensor] * 100) / 100.0;
        byte[] id = id(sensor);
        long bits = Double.doubleToRawLongBits(value);
        writer.add(id, 0, id.length, 0, START + row * 10_000_000L + jitter, 0, bits);
      }
      store.apply(row, writer.toBytes());
    }
  }

  private static byte[] id(int sensor) {
    return "s%06d".formatted(sensor).getBytes(StandardCharsets.UTF_8);
  }

  private static void ask(PartitionReader store, EnumSet<Aggregate> aggregates) {
    TimeRange day = new TimeRange(START, START + Duration.ofDays(1).toNanos() / 1_000);
    SplittableRandom random = new SplittableRandom(7);
    long best = Long.MAX_VALUE;
    long bestHigh = Long.MAX_VALUE;
    double sum = 0;
    for (int round = 0; round < 6; round++) {
      long[] nanos = new long[2_000];
      for (int i = 0; i < nanos.length; i++) {
        byte[] id = id(random.nextInt(SENSORS));
        SensorId sensor = SensorId.of(id, 0, id.length);
        long before = System.nanoTime();
        sum += averages(store, sensor, day, aggregates);
        nanos[i] = System.nanoTime() - before;
      }
      Arrays.sort(nanos);
      best = Math.min(best, nanos[nanos.length / 2]);
      bestHigh = Math.min(bestHigh, nanos[nanos.length / 100 * 99]);
    }
    System.out.printf(
        "%s: p50 %.1f µs, p99 %.1f µs (%s)%n", aggregates, best / 1e3, bestHigh / 1e3, sum > 0);
  }

  private static double averages(
      PartitionReader store, SensorId sensor, TimeRange day, EnumSet<Aggregate> aggregates) {
    double[] sum = {0};
    List<PartitionReader> stores = List.of(store);
    try (RowWalk walk =
        new RowWalk(
            new ServingStores(stores, ShardCounts.ONE),
            sensor,
            day,
            Order.NEWEST_FIRST,
            Optional.empty(),
            Integer.MAX_VALUE,
            new ReadFacts(stores))) {
      new Downsampler(300_000_000, aggregates, Order.NEWEST_FIRST)
          .read(
              walk,
              10_000,
              Deadline.after(Duration.ofMinutes(1), System::nanoTime),
              (start, bucket) -> sum[0] += bucket.value(Aggregate.AVG));
    }
    return sum[0];
  }
}
