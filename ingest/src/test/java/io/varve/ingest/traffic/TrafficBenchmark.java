package io.varve.ingest.traffic;

import io.varve.storage.SensorId;
import io.varve.storage.TrafficWatch;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.placement.ShardCounts;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What measuring traffic costs a store at full speed: the same records applied with and without it,
 * turn about, each turn to an empty store in the folder that is named; and which part of the time
 * the writer spends in the watch. Prints rows a second of each turn, and the median over the turns
 * of the ratio of its two. Run with the module's test class path.
 */
public final class TrafficBenchmark {
  private static final int SENSORS = 10_000;
  private static final int RECORDS = 6_000;
  private static final int ROWS_A_RECORD = 1_000;
  private static final int TURNS = 15;

  private TrafficBenchmark() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    List<byte[]> records = records();
    apply(folder, records, TrafficWatch.NONE);
    TrafficWatch measured = new Traffic(5_000, ShardCounts.ONE, InstantSource.system()).ofStore();
    apply(folder, records, measured);
    List<Double> ratios = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      boolean offFirst = turn % 2 == 0;
      Timed timed = new Timed(measured);
      double first = apply(folder, records, offFirst ? TrafficWatch.NONE : timed);
      double second = apply(folder, records, offFirst ? timed : TrafficWatch.NONE);
      double off = offFirst ? first : second;
      double on = offFirst ? second : first;
      ratios.add(off / on);
      shares.add(timed.nanos / 1e9 * on / (RECORDS * ROWS_A_RECORD));
      System.out.printf(Locale.ROOT, "turn %d: off %,.0f rows/s, on %,.0f rows/s%n", turn, off, on);
    }
    System.out.printf(
        Locale.ROOT,
        "median: off is %.2f %% faster; %.2f %% of the writer's time is spent in the watch%n",
        (median(ratios) - 1) * 100,
        median(shares) * 100);
  }

  /** Counts the time that a watch takes of the writer. */
  private static final class Timed implements TrafficWatch {
    private final TrafficWatch watch;
    private long nanos;

    Timed(TrafficWatch watch) {
      this.watch = watch;
    }

    @Override
    public int rowsUntilShown() {
      return watch.rowsUntilShown();
    }

    @Override
    public void written(SensorId sensor, int day, int shard, long timestampMicros, int standsFor) {
      long start = System.nanoTime();
      watch.written(sensor, day, shard, timestampMicros, standsFor);
      nanos += System.nanoTime() - start;
    }

    @Override
    public void read(SensorId sensor, int day, long rows, long blocks) {
      watch.read(sensor, day, rows, blocks);
    }
  }

  private static double median(List<Double> all) {
    return all.stream().sorted().skip(all.size() / 2).findFirst().orElseThrow();
  }

  /** Rows of now: one in ten of a hot sensor, the others of a crowd. */
  private static List<byte[]> records() {
    byte[][] ids = new byte[SENSORS][];
    for (int i = 0; i < SENSORS; i++) {
      ids[i] = SensorId.of("plant-" + i % 7 + "/sensor-" + i).toBytes();
    }
    Random random = new Random(1);
    long at = Math.floorDiv(System.currentTimeMillis(), 86_400_000L) * 86_400_000_000L;
    List<byte[]> records = new ArrayList<>();
    RowPack.Writer writer = new RowPack.Writer();
    for (int r = 0; r < RECORDS; r++) {
      writer.clear();
      for (int i = 0; i < ROWS_A_RECORD; i++) {
        byte[] id = ids[random.nextInt(10) == 0 ? 0 : random.nextInt(SENSORS)];
        at += 10;
        writer.add(id, 0, id.length, 0, at, 0, Double.doubleToRawLongBits(i % 50 * 0.25));
      }
      records.add(writer.toBytes());
    }
    return records;
  }

  private static double apply(Path folder, List<byte[]> records, TrafficWatch watch)
      throws IOException {
    delete(folder);
    try (PartitionStore store = PartitionStore.open(folder, 0, StoreSettings.defaults(8))) {
      store.watch(watch);
      store.logBounds(0, 0);
      store.restoreFinished();
      long start = System.nanoTime();
      for (int i = 0; i < records.size(); i++) {
        store.apply(i, records.get(i));
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      return (double) records.size() * ROWS_A_RECORD / seconds;
    }
  }

  private static void delete(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> found = Files.walk(folder)) {
      for (Path each : found.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
