package io.varve.storage.engine;

import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The engine alone, in process: how fast it applies rows in a fleet's order of arrival, how fast it
 * answers "latest 100" and "last value", and what that takes of memory and disk.
 *
 * <p>Run {@code main} with the test class path, the flags of the property {@code test.jvm}, and
 * optionally the number of rows (10 million), the number of sensors (10 000) and a folder.
 */
public final class StorageBenchmark {
  private static final int ROWS_PER_RECORD = 1_000;
  private static final long COMMIT_NANOS = 1_000_000_000;

  private StorageBenchmark() {}

  /** Prints one line for each figure. */
  public static void main(String[] args) throws IOException {
    long rows = args.length > 0 ? Long.parseLong(args[0]) : 10_000_000;
    int sensors = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
    Path folder =
        args.length > 2 ? Path.of(args[2]) : Files.createTempDirectory("varve-storage-benchmark");
    PartitionStore.warmUp(folder);
    StoreSettings settings =
        new StoreSettings(1, OptionalLong.empty(), 512, StoreSettings.CLOSE_AFTER);
    try (PartitionStore store = PartitionStore.open(folder, 0, settings)) {
      store.restoreFinished();
      load(store, rows, sensors);
      line("stored rows", store.totals().stored());
      line("duplicates", store.totals().duplicates());
      line("disk bytes a row", (double) store.totals().bytes() / store.totals().stored());
      line("resident MiB", residentKib() / 1_024);
      ask(store, sensors, 100, "latest 100");
      ask(store, sensors, 1, "last value");
      long compacting = System.nanoTime();
      line("days rewritten", store.compact());
      line("rewriting ms", (System.nanoTime() - compacting) / 1e6);
      line(
          "disk bytes a row, rewritten", (double) store.totals().bytes() / store.totals().stored());
      ask(store, sensors, 100, "latest 100, rewritten");
      long before = System.nanoTime();
      store.close();
      line("close ms", (System.nanoTime() - before) / 1e6);
    }
    reopen(folder, settings, sensors);
    if (args.length <= 2) {
      delete(folder);
    }
  }

  private static void load(PartitionStore store, long rows, int sensors) {
    ArrivalOrder arrivals = new ArrivalOrder(rows, sensors);
    long records = rows / ROWS_PER_RECORD;
    long applying = 0;
    long slowest = 0;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long cpu = 0;
    long lastCommit = System.nanoTime();
    for (long offset = 0; offset < records; offset++) {
      byte[] record = arrivals.record(ROWS_PER_RECORD);
      long cpuBefore = threads.getCurrentThreadCpuTime();
      long before = System.nanoTime();
      store.apply(offset, record);
      long now = System.nanoTime();
      cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
      applying += now - before;
      slowest = Math.max(slowest, now - before);
      if (now - lastCommit > COMMIT_NANOS) {
        store.commit(offset);
        lastCommit = now;
      }
      if (offset == records / 2) {
        line("rows/s of the first half", (offset + 1.0) * ROWS_PER_RECORD / (applying / 1e9));
      }
    }
    line("rows/s", (double) records * ROWS_PER_RECORD / (applying / 1e9));
    line("ns a row", (double) applying / (records * ROWS_PER_RECORD));
    line("ns of the writer's CPU a row", (double) cpu / (records * ROWS_PER_RECORD));
    line("slowest record of 1 000 rows, ms", slowest / 1e6);
  }

  private static void ask(PartitionStore store, int sensors, int wanted, String what) {
    SplittableRandom random = new SplittableRandom(7);
    SensorId[] ids = new SensorId[sensors];
    for (int i = 0; i < sensors; i++) {
      byte[] id = ArrivalOrder.id(i);
      ids[i] = SensorId.of(id, 0, id.length);
    }
    Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), wanted);
    long[] nanos = new long[200_000];
    ReadStats stats = new ReadStats();
    double sum = 0;
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < nanos.length; i++) {
        SensorId id = ids[random.nextInt(sensors)];
        long before = System.nanoTime();
        sum += latest(store, id, scan, stats);
        nanos[i] = System.nanoTime() - before;
      }
    }
    Arrays.sort(nanos);
    line(what + " p50 µs", nanos[nanos.length / 2] / 1e3);
    line(what + " p99 µs", nanos[nanos.length / 100 * 99] / 1e3);
    line(what + " blocks a query", (double) stats.blocks / nanos.length / 2);
    line(what + " rows decoded a query", (double) stats.rowsDecoded / nanos.length / 2);
    if (sum == 0) {
      throw new AssertionError("no row was read");
    }
  }

  private static double latest(PartitionStore store, SensorId id, Scan scan, ReadStats stats) {
    double sum = 0;
    int left = scan.rowsWanted();
    List<Fragment> fragments = store.fragments(id, scan.range());
    for (int i = 0; i < fragments.size() && left > 0; i++) {
      try (RowCursor cursor = store.read(id, fragments.get(i), scan, stats)) {
        while (left > 0 && cursor.next()) {
          sum += cursor.value() + cursor.timestampMicros();
          left--;
        }
      }
    }
    return sum;
  }

  private static void reopen(Path folder, StoreSettings settings, int sensors) throws IOException {
    long before = System.nanoTime();
    try (PartitionStore store = PartitionStore.open(folder, 0, settings)) {
      store.restoreFinished();
      line("reopen ms", (System.nanoTime() - before) / 1e6);
      byte[] id = ArrivalOrder.id(sensors / 2);
      SensorId sensor = SensorId.of(id, 0, id.length);
      Scan scan = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 100);
      latest(store, sensor, scan, new ReadStats());
      line("first answer after reopening ms", (System.nanoTime() - before) / 1e6);
    }
  }

  private static long residentKib() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }

  private static void line(String what, double figure) {
    System.out.printf("%-36s %,16.2f%n", what, figure);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
