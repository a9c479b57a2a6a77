package io.varve.storage.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The process that simulations kill: it opens a store, replays, and applies a {@link RecordStream}
 * as fast as it can until it dies.
 *
 * <p>It says {@code running} once it writes what is new. Before it applies a record it notes the
 * record's offset in a mapped file, which outlives it: up to there the log reaches.
 */
final class KilledWriter {
  private static final int SENSORS = 40;
  private static final int RECORDS_PER_DAY = 5_000;

  /** New records after which the process says that it is running. */
  private static final int WARM_RECORDS = 200;

  private KilledWriter() {}

  static RecordStream stream(long seed) {
    return new RecordStream(seed, SENSORS, RECORDS_PER_DAY);
  }

  /**
   * Starts the process; its stdout is the caller's to read.
   *
   * @param rewriting whether it rewrites its days all the while
   */
  static Process start(Path store, Path logEnd, long seed, boolean rewriting) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String each : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (each.startsWith("--add-") || each.startsWith("-Dchronicle")) {
        command.add(each);
      }
    }
    command.add("-Xmx256m");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(KilledWriter.class.getName());
    command.add(store.toString());
    command.add(logEnd.toString());
    command.add(Long.toString(seed));
    command.add(Boolean.toString(rewriting));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Offset past the newest record that the process may have applied. */
  static long readEnd(Path logEnd) throws IOException {
    if (!Files.exists(logEnd)) {
      return 0;
    }
    try (RandomAccessFile file = new RandomAccessFile(logEnd.toFile(), "r")) {
      return file.length() < Long.BYTES ? 0 : file.readLong();
    }
  }

  /** Takes the store's folder, the file of the log's end, the seed, and whether to rewrite. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    RecordStream stream = stream(Long.parseLong(args[2]));
    try (RandomAccessFile file = new RandomAccessFile(args[1], "rw")) {
      MappedByteBuffer logEnd = file.getChannel().map(MapMode.READ_WRITE, 0, Long.BYTES);
      write(folder, logEnd, stream, Boolean.parseBoolean(args[3]));
    }
  }

  private static void write(
      Path folder, MappedByteBuffer logEnd, RecordStream stream, boolean rewriting) {
    long end = logEnd.getLong(0);
    PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings());
    store.logBounds(0, end);
    OptionalLong committed = store.committedOffset();
    long next = committed.isPresent() ? committed.getAsLong() + 1 : 0;
    long restoreEnd = next + (end - next) / 2;
    while (next < restoreEnd) {
      store.restore(stream.at(next++));
    }
    store.restoredThrough(restoreEnd - 1);
    store.restoreFinished();
    tellStalls(store);
    if (rewriting) {
      compactAlways(store);
    }
    long running = end + WARM_RECORDS;
    while (true) {
      logEnd.putLong(0, Math.max(end, next + 1));
      store.apply(next, stream.at(next));
      if (next % 200 == 0) {
        store.commit(next);
      }
      if (++next == running) {
        System.out.println("running");
      }
    }
  }

  /** Rewrites the days into tight form, over and over. */
  private static void compactAlways(PartitionStore store) {
    Thread compactor =
        new Thread(
            () -> {
              while (true) {
                try {
                  store.compact();
                } catch (IOException e) {
                  System.err.println("compaction failed: " + e);
                }
                LockSupport.parkNanos(5_000_000);
              }
            },
            "compactor");
    compactor.setDaemon(true);
    compactor.start();
  }

  /** Says {@code stalled} and why when the writer begins to wait for the disk, then {@code on}. */
  private static void tellStalls(PartitionStore store) {
    Thread watch =
        new Thread(
            () -> {
              boolean waiting = false;
              while (true) {
                Optional<String> stalled = store.stalled();
                if (stalled.isPresent() != waiting) {
                  waiting = stalled.isPresent();
                  System.out.println(stalled.map(why -> "stalled " + why).orElse("on"));
                }
                LockSupport.parkNanos(1_000_000);
              }
            },
            "stalls");
    watch.setDaemon(true);
    watch.start();
  }
}
