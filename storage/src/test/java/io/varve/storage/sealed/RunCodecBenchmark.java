package io.varve.storage.sealed;

import io.varve.storage.RowRun;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The codec of sealed runs alone: bytes a row, nanoseconds to encode one, rows decoded a second,
 * time of a search, bytes allocated a run; for made rows and for the files of the Numenta Anomaly
 * Benchmark where they are.
 *
 * <p>Run {@code main} with the test class path and the flags of the property {@code test.jvm};
 * {@code -XX:TieredStopAtLevel=1} shows what the first compiler alone makes of it. The argument is
 * the time for each figure in milliseconds (300).
 */
public final class RunCodecBenchmark {
  private static final int TEN_SECONDS = 10_000_000;

  private final RunEncoder encoder = new RunEncoder();
  private final RunDecoder decoder = new RunDecoder();
  private final RowRun into = new RowRun(RunDecoder.MAX_ROWS);
  private final UnsafeBuffer target = new UnsafeBuffer(new byte[RunDecoder.MAX_ROWS * 32]);
  private final long nanosEach;
  private long runsDone;

  private RunCodecBenchmark(long nanosEach) {
    this.nanosEach = nanosEach;
  }

  /** Prints one line for each kind of data. */
  public static void main(String[] args) {
    long millis = args.length > 0 ? Long.parseLong(args[0]) : 300;
    RunCodecBenchmark benchmark = new RunCodecBenchmark(millis * 1_000_000);
    System.out.printf(
        "%-44s %7s %7s %9s %9s %9s %8s %s%n",
        "kind", "rows", "B/row", "enc ns", "dec M/s", "search ns", "alloc B", "encodings");
    for (int round = 0; round < 2; round++) {
      // The first round warms up.
      benchmark.made(round == 1);
    }
    TreeMap<String, RowRun> files = new TreeMap<>();
    for (Path file : Runs.nab()) {
      files.put(String.valueOf(file.getFileName()), Runs.read(file));
    }
    long bytes = 0;
    long rows = 0;
    for (var file : files.entrySet()) {
      List<RowRun> runs = split(file.getValue(), 500);
      bytes += benchmark.measure(file.getKey(), runs, true);
      rows += file.getValue().size;
    }
    System.out.printf("%-44s %7d %7.3f%n", "all files", rows, (double) bytes / Math.max(1, rows));
  }

  private void made(boolean print) {
    SplittableRandom random = new SplittableRandom(42);
    measure("10 s, jitter 2 s, 2 decimals, 400-600 rows", runs(random, 400, 601, 2_000), print);
    measure("the same, 96 rows", runs(random, 96, 97, 2_000), print);
    measure("10 s, no jitter, 2 decimals, 400-600 rows", runs(random, 400, 601, 0), print);
    List<RowRun> hourly = new ArrayList<>();
    List<RowRun> irregular = new ArrayList<>();
    List<RowRun> any = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      hourly.add(Runs.fleet(random, 24, 3_600 * Runs.SECOND, 0));
      irregular.add(Runs.irregular(random, 500));
      any.add(Runs.anyBits(random, 160));
    }
    measure("hourly, no jitter, 2 decimals, 24 rows", hourly, print);
    measure("irregular times, full precision, 500 rows", irregular, print);
    measure("any bits, 160 rows", any, print);
  }

  private static List<RowRun> runs(SplittableRandom random, int least, int limit, int jitter) {
    List<RowRun> runs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      runs.add(Runs.fleet(random, random.nextInt(least, limit), TEN_SECONDS, jitter));
    }
    return runs;
  }

  private static List<RowRun> split(RowRun run, int rows) {
    List<RowRun> parts = new ArrayList<>();
    for (int from = 0; from < run.size; from += rows) {
      parts.add(Runs.cut(run, from, Math.min(run.size, from + rows)));
    }
    return parts;
  }

  private long measure(String kind, List<RowRun> runs, boolean print) {
    List<byte[]> payloads = runs.stream().map(Runs::encode).toList();
    long bytes = payloads.stream().mapToLong(payload -> payload.length).sum();
    long rows = runs.stream().mapToLong(run -> run.size).sum();
    List<UnsafeBuffer> buffers = new ArrayList<>();
    TreeMap<String, Integer> encodings = new TreeMap<>();
    for (byte[] payload : payloads) {
      UnsafeBuffer buffer = new UnsafeBuffer(new byte[payload.length + RunDecoder.SLACK_BYTES]);
      buffer.putBytes(0, payload);
      buffers.add(buffer);
      decoder.wrap(buffer, 0, payload.length);
      encodings.merge(decoder.timeEncoding() + "+" + decoder.valueEncoding(), 1, Integer::sum);
    }
    runsDone = 0;
    long allocated = allocated();
    double encode = time(() -> encodeAll(runs)) / rows;
    double decode = time(() -> decodeAll(buffers)) / rows;
    double search = time(() -> searchAll(buffers, runs)) / runs.size();
    allocated = (allocated() - allocated) / runsDone;
    if (print) {
      System.out.printf(
          "%-44s %7d %7.3f %9.2f %9.1f %9.1f %8d %s%n",
          kind, rows, (double) bytes / rows, encode, 1e3 / decode, search, allocated, encodings);
    }
    return bytes;
  }

  /** Nanoseconds of the fastest of the passes. */
  private double time(Runnable pass) {
    long end = System.nanoTime() + nanosEach;
    long fastest = Long.MAX_VALUE;
    long now = System.nanoTime();
    while (now < end) {
      pass.run();
      long after = System.nanoTime();
      fastest = Math.min(fastest, after - now);
      now = after;
    }
    return fastest;
  }

  private void encodeAll(List<RowRun> runs) {
    for (int i = 0; i < runs.size(); i++) {
      runsDone++;
      RowRun run = runs.get(i);
      if (encoder.encode(run, 0, run.size, target, 0, target.capacity()) < 0) {
        throw new AssertionError("run did not fit");
      }
    }
  }

  private void decodeAll(List<UnsafeBuffer> buffers) {
    for (int i = 0; i < buffers.size(); i++) {
      runsDone++;
      UnsafeBuffer buffer = buffers.get(i);
      into.clear();
      decoder.wrap(buffer, 0, buffer.capacity() - RunDecoder.SLACK_BYTES);
      decoder.decode(0, decoder.size(), into);
    }
  }

  /** What a query of one row takes: point at the run, search, decode a row. */
  private void searchAll(List<UnsafeBuffer> buffers, List<RowRun> runs) {
    for (int i = 0; i < buffers.size(); i++) {
      runsDone++;
      UnsafeBuffer buffer = buffers.get(i);
      RowRun run = runs.get(i);
      into.clear();
      decoder.wrap(buffer, 0, buffer.capacity() - RunDecoder.SLACK_BYTES);
      int row = run.size * 5 / 7;
      if (decoder.lowerBound(run.timestamps[row], run.sequences[row]) != row) {
        throw new AssertionError("row was not found");
      }
      decoder.decode(row, row + 1, into);
    }
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getThreadAllocatedBytes(Thread.currentThread().getId());
  }
}
