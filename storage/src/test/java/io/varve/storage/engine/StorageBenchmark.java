package io.varve.storage.engine;

import io.varve.storage.Order;
import io.varve.storage.TimeRange;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The engine alone, in process: how fast it takes rows in a fleet's order of arrival, how fast it
 * answers, and what that takes of memory and disk.
 *
 * <p>Run {@code main} with the test class path and the flags of the property {@code test.jvm}; or
 * {@code storage/benchmark}, which does so. The arguments name the parts to run; none runs all but
 * {@code depth}, which takes a hundred million rows.
 */
public final class StorageBenchmark {
  static final int ROWS_PER_RECORD = 1_000;

  /** Records that are packed before the clock runs, so that packing them is not measured. */
  private static final int RECORDS_AHEAD = 500;

  private static final long SLOW_NANOS = 20_000_000;
  private static final int TURNS = 12;
  private static final long COMMIT_NANOS = 1_000_000_000;
  private static final long DAY_MICROS = 86_400_000_000L;

  private StorageBenchmark() {}

  /** Prints one line for each figure. */
  public static void main(String[] args) throws Exception {
    List<String> parts =
        args.length > 0
            ? List.of(args)
            : List.of("append", "reads", "whole-days", "shapes", "late", "beside", "growth");
    Path folder = Files.createTempDirectory("varve-storage-benchmark");
    PartitionStore.warmUp(folder);
    try {
      for (String part : parts) {
        System.out.printf("%n%s%n", part);
        run(part, folder.resolve(part));
      }
    } finally {
      delete(folder);
    }
  }

  private static void run(String part, Path folder) throws Exception {
    switch (part) {
      case "append" -> append(folder, 10_000_000, 10_000);
      case "reads" -> reads(folder, 10_000_000, 10_000);
      case "whole-days" -> wholeDays(folder);
      case "shapes" -> shapes(folder);
      case "late" -> late(folder);
      case "beside" -> beside(folder);
      case "growth" -> growth(folder);
      case "depth" -> depth(folder);
      default -> throw new IllegalArgumentException("no such part: " + part);
    }
  }

  /** The same 10 million rows three times, into an empty store each; the first with cold code. */
  private static void append(Path folder, long rows, int sensors) throws Exception {
    for (int round = 1; round <= 3; round++) {
      Path store = folder.resolve("round-" + round);
      try (PartitionStore opened = open(store)) {
        Load load = new Load(opened);
        load.apply(new ArrivalOrder(rows, sensors), rows);
        line("disk bytes a row", (double) opened.totals().bytes() / opened.totals().stored());
        load.close();
        load.print();
      }
      delete(store);
    }
  }

  private static void reads(Path folder, long rows, int sensors) throws Exception {
    try (PartitionStore store = open(folder)) {
      new Load(store).apply(new ArrivalOrder(rows, sensors), rows);
      Ask ask = new Ask(store, sensors);
      ask.latest("live, latest 100", 100);
      ask.latestTwenty();
      ask.latest("live, last value", 1);
      ask.range("live, one hour", Duration.ofHours(1), Order.NEWEST_FIRST);
      compact(store);
      ask.latest("tight, latest 100", 100);
      ask.latestTwenty();
      ask.latest("tight, last value", 1);
      ask.range("tight, one hour", Duration.ofHours(1), Order.NEWEST_FIRST);
      ask.range("tight, one hour, oldest first", Duration.ofHours(1), Order.OLDEST_FIRST);
      long closing = System.nanoTime();
      store.close();
      line("close ms", (System.nanoTime() - closing) / 1e6);
    }
    long before = System.nanoTime();
    try (PartitionStore store = open(folder)) {
      new Ask(store, sensors).once();
      line("first answer after reopening ms", (System.nanoTime() - before) / 1e6);
    }
  }

  /** 550 sensors that fill two days: 8 640 rows a sensor and day. */
  private static void wholeDays(Path folder) throws Exception {
    int sensors = 550;
    try (PartitionStore store = open(folder)) {
      new Load(store).apply(new ArrivalOrder(10_000_000, sensors), 10_000_000);
      Ask ask = new Ask(store, sensors);
      ask.averages("live, 24 h to averages of 5 min");
      compact(store);
      ask.averages("tight, 24 h to averages of 5 min");
      ask.range("tight, 24 h", Duration.ofHours(24), Order.NEWEST_FIRST);
      ask.range("tight, 24 h, oldest first", Duration.ofHours(24), Order.OLDEST_FIRST);
      ask.everything();
    }
  }

  /** Bytes a row of fleets of other shapes, in tight form. */
  private static void shapes(Path folder) throws Exception {
    shape(folder.resolve("hourly"), "10 000 sensors, 24 rows a day", 10_000, 3_600, 1);
    shape(folder.resolve("regular"), "1 000 sensors, each 10 s, no jitter", 1_000, 10, 1);
    shape(folder.resolve("fast"), "2 sensors at 100 Hz", 2, 0, 100);
  }

  private static void shape(Path folder, String what, int sensors, int everySeconds, int hertz)
      throws Exception {
    long step = everySeconds > 0 ? everySeconds * 1_000_000L : 1_000_000L / hertz;
    long rows = Math.min(10_000_000, sensors * (DAY_MICROS / step));
    try (PartitionStore store = open(folder)) {
      Load load = new Load(store);
      load.apply(new RegularOrder(sensors, step), rows);
      line(what + ": rows/s", load.rowsPerSecond());
      line(what + ": live B/row", (double) store.totals().bytes() / rows);
      store.compact();
      line(what + ": tight B/row", (double) store.totals().bytes() / rows);
    }
  }

  /** The curve of late rows, spread over the whole day, and of what they make the engine move. */
  private static void late(Path folder) throws Exception {
    for (int percent : new int[] {0, 1, 10, 50}) {
      Path store = folder.resolve(percent + "");
      try (PartitionStore opened = open(store)) {
        Load load = new Load(opened);
        load.apply(new LateOrder(percent, 2_000), 5_000_000);
        line(percent + " % late: rows/s", load.rowsPerSecond());
        line(percent + " % late: CPU ns a row", load.cpuNanosPerRow());
        long[] rewritten = opened.rewrittenBytes();
        line(percent + " % late: bytes moved a row", rewritten[0] / 5e6);
        line(percent + " % late: bytes sealed a row", rewritten[1] / 5e6);
        line(percent + " % late: disk B/row", (double) opened.totals().bytes() / 5_000_000);
        opened.compact();
        line(percent + " % late: tight B/row", (double) opened.totals().bytes() / 5_000_000);
      }
      delete(store);
    }
  }

  /**
   * The writer's rate alone and beside two readers that ask 10 000 times a second together, turn
   * about, so that what else a store does at times falls on both.
   */
  private static void beside(Path folder) throws Exception {
    int sensors = 10_000;
    try (PartitionStore store = open(folder)) {
      ArrivalOrder arrivals = new ArrivalOrder(30_000_000, sensors);
      new Load(store).apply(arrivals, 4_000_000);
      Load alone = new Load(store);
      Load watched = new Load(store);
      Ask ask = new Ask(store, sensors);
      double reads = 0;
      for (int turn = 1; turn <= TURNS; turn++) {
        alone.apply(arrivals, turn * 1_000_000L);
        try (Ask.Readers readers = ask.startReaders(2, 10_000)) {
          watched.apply(arrivals, turn * 1_000_000L);
          reads += readers.stop() / TURNS;
        }
      }
      line("reads/s meanwhile", reads);
      line("writer alone, rows/s", alone.rowsPerSecond());
      line("writer beside readers, rows/s", watched.rowsPerSecond());
      line("ratio", watched.rowsPerSecond() / alone.rowsPerSecond());
    }
  }

  /** A day that begins with few rows and then gets a hundred times as many. */
  private static void growth(Path folder) throws Exception {
    try (PartitionStore store = open(folder)) {
      new Load(store).apply(new RegularOrder(1_000, 60_000_000), 100_000);
      Load load = new Load(store);
      load.apply(new RegularOrder(20_000, 8_000_000), 10_000_000);
      load.print();
    }
  }

  /** Whether answers take as long at 1, 10 and 100 million rows. */
  private static void depth(Path folder) throws Exception {
    int sensors = 10_000;
    try (PartitionStore store = open(folder)) {
      ArrivalOrder arrivals = new ArrivalOrder(100_000_000, sensors);
      long loaded = 0;
      for (long rows : new long[] {1_000_000, 10_000_000, 100_000_000}) {
        new Load(store).apply(arrivals, rows - loaded);
        loaded = rows;
        Ask ask = new Ask(store, sensors);
        String at = "at " + rows / 1_000_000 + " million rows, ";
        ask.latest(at + "latest 100", 100);
        ask.latest(at + "last value", 1);
      }
    }
  }

  private static void compact(PartitionStore store) throws IOException {
    long before = System.nanoTime();
    store.compact();
    line("rewriting ms", (System.nanoTime() - before) / 1e6);
    line("tight, disk bytes a row", (double) store.totals().bytes() / store.totals().stored());
  }

  static PartitionStore open(Path folder) throws IOException {
    StoreSettings settings =
        new StoreSettings(1, OptionalLong.empty(), 512, StoreSettings.CLOSE_AFTER);
    PartitionStore store = PartitionStore.open(folder, 0, settings);
    store.restoreFinished();
    return store;
  }

  /** Packs what arrives next into a record of the {@code rows} topic. */
  interface Arrivals {
    byte[] record(int rows);
  }

  /** A load under way and what it took. */
  static final class Load {
    private final PartitionStore store;
    private final com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    private long rows;
    private long nanos;
    private long cpuNanos;
    private long allocated;
    private long allocatedLate;
    private long rowsLate;
    private long slowest;
    private long slowestAt;
    private long records;
    private long slow;

    Load(PartitionStore store) {
      this.store = store;
    }

    void apply(Arrivals arrivals, long wanted) {
      byte[][] ahead = new byte[RECORDS_AHEAD][];
      long offset = Math.max(0, store.freshness().appliedOffset().orElse(-1) + 1);
      long lastCommit = System.nanoTime();
      while (rows < wanted) {
        for (int i = 0; i < ahead.length; i++) {
          ahead[i] = arrivals.record(ROWS_PER_RECORD);
        }
        long bytes = threads.getCurrentThreadAllocatedBytes();
        long cpu = threads.getCurrentThreadCpuTime();
        long start = System.nanoTime();
        long before = start;
        for (byte[] record : ahead) {
          store.apply(offset, record);
          long now = System.nanoTime();
          if (now - before > slowest) {
            slowest = now - before;
            slowestAt = records;
          }
          slow += now - before > SLOW_NANOS ? 1 : 0;
          records++;
          before = now;
          if (now - lastCommit > COMMIT_NANOS) {
            store.commit(offset);
            lastCommit = now;
          }
          offset++;
        }
        nanos += before - start;
        cpuNanos += threads.getCurrentThreadCpuTime() - cpu;
        long more = threads.getCurrentThreadAllocatedBytes() - bytes;
        allocated += more;
        if (rows >= wanted - wanted / 4) {
          allocatedLate += more;
          rowsLate += (long) ahead.length * ROWS_PER_RECORD;
        }
        rows += (long) ahead.length * ROWS_PER_RECORD;
      }
    }

    /** Closes the store, which brings all of it to the disk, and counts that in. */
    void close() {
      long before = System.nanoTime();
      store.close();
      nanos += System.nanoTime() - before;
    }

    double rowsPerSecond() {
      return rows / (nanos / 1e9);
    }

    double cpuNanosPerRow() {
      return (double) cpuNanos / rows;
    }

    void print() {
      line("rows/s", rowsPerSecond());
      line("ns a row", (double) nanos / rows);
      line("ns of the writer's CPU a row", cpuNanosPerRow());
      line("bytes of heap a row", (double) allocated / rows);
      line("the same in the last quarter", (double) allocatedLate / rowsLate);
      line("slowest record of 1 000 rows, ms", slowest / 1e6);
      line("which record that was", slowestAt);
      line("records of more than 20 ms", slow);
    }
  }

  static void line(String what, double figure) {
    System.out.printf(Locale.ROOT, "%-44s %,16.2f%n", what, figure);
  }

  static TimeRange range(long from, Duration length) {
    return new TimeRange(from, from + length.toNanos() / 1_000);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
