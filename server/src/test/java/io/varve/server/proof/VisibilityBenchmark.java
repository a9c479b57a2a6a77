package io.varve.server.proof;

import io.varve.storage.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Time from producing a reading until an answer shows it, at 1 000 readings/s, from the moment at
 * which each reading was due and not from when it was sent.
 *
 * <p>Run its main method with seconds and readings per second (default 10 and 1 000). One client
 * asks in turn four sensors for what is newer than it has seen, so its own asking is part of the
 * figure.
 */
public final class VisibilityBenchmark {
  private static final int SENSORS = 4;

  private VisibilityBenchmark() {}

  /** Starts a node, loads it, prints the percentiles. */
  public static void main(String[] arguments) throws Exception {
    int seconds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10;
    int perSecond = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000;
    Path folder = Files.createTempDirectory("varve-visibility");
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"), "--threads", "2");
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap(), java.util.Map.of("linger.ms", "0"))) {
      report("warm-up", measure(node, feed, "warm/", perSecond * 5, perSecond));
      report("measured", measure(node, feed, "visible/", perSecond * seconds, perSecond));
    } finally {
      try (var files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
      }
    }
  }

  /** Returns the delay of each reading in nanoseconds, sorted. */
  private static long[] measure(
      NodeProcess node, Feed feed, String prefix, int count, int perSecond)
      throws InterruptedException {
    long baseMicros = Instant.now().toEpochMilli() * 1_000;
    long stepNanos = 1_000_000_000L / perSecond;
    long start = System.nanoTime() + 100_000_000;
    Thread producer =
        new Thread(
            () -> {
              for (int i = 0; i < count; i++) {
                for (long due = start + i * stepNanos; System.nanoTime() < due; ) {
                  LockSupport.parkNanos(due - System.nanoTime());
                }
                feed.reading(prefix + i % SENSORS, baseMicros + i, i, 0);
              }
              feed.flush();
            },
            "producer");
    producer.start();
    long[] delays = new long[count];
    long[] seen = new long[SENSORS];
    Arrays.fill(seen, baseMicros - 1);
    int shown = 0;
    long deadline = start + count * stepNanos + 30_000_000_000L;
    for (int turn = 0; shown < count && System.nanoTime() < deadline; turn++) {
      int sensor = turn % SENSORS;
      List<Row> rows =
          NodeClient.rows(
              node.client.readings(
                  prefix + sensor, "&order=asc&limit=1000&from=" + (seen[sensor] + 1)));
      long now = System.nanoTime();
      for (Row row : rows) {
        int index = (int) (row.timestampMicros() - baseMicros);
        delays[index] = now - (start + index * stepNanos);
        seen[sensor] = row.timestampMicros();
        shown++;
      }
    }
    producer.join();
    if (shown < count) {
      throw new AssertionError("shown " + shown + " of " + count);
    }
    Arrays.sort(delays);
    return delays;
  }

  private static void report(String name, long[] sorted) {
    System.out.printf(
        "visibility %s: readings=%d p50=%.1fms p90=%.1fms p99=%.1fms p99.9=%.1fms max=%.1fms%n",
        name,
        sorted.length,
        sorted[sorted.length / 2] / 1e6,
        sorted[sorted.length * 9 / 10] / 1e6,
        sorted[(int) (sorted.length * 0.99)] / 1e6,
        sorted[(int) (sorted.length * 0.999)] / 1e6,
        sorted[sorted.length - 1] / 1e6);
  }
}
