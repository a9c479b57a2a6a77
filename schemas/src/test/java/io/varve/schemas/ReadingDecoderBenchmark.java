package io.varve.schemas;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/**
 * Readings a second that one thread decodes, for each form of record. Run its main; outside the
 * gate.
 */
final class ReadingDecoderBenchmark {
  private static final int RECORDS = 10_000;
  private static final int ROUNDS = 5;
  private static final long ROUND_NANOS = 1_000_000_000L;

  /** Keeps the decoded fields from being optimised away. */
  static volatile long blackhole;

  private ReadingDecoderBenchmark() {}

  private static final class Sum implements ReadingSink {
    long readings;
    long sum;

    @Override
    public void reading(
        byte[] id, int o, int n, boolean t, long micros, boolean v, double value, long sequence) {
      readings++;
      sum += micros + n + (long) value + sequence;
    }

    @Override
    public void unusable(Undecodable fault) {
      throw new AssertionError(fault);
    }
  }

  public static void main(String[] args) {
    ReadingEncoder encoder = new ReadingEncoder();
    SplittableRandom random = new SplittableRandom(1);
    byte[][] single = new byte[RECORDS][];
    byte[][] batch = new byte[RECORDS / 100][];
    byte[][] json = new byte[RECORDS][];
    for (int i = 0; i < RECORDS; i++) {
      String id = "plant-" + i % 7 + "/sensor-" + i;
      long micros = 1_717_200_000_000_000L + random.nextInt();
      double value = random.nextInt(10_000) / 100.0;
      single[i] = encoder.encode(id, micros, value, 0);
      encoder.add(id, micros, value, 0);
      if (i % 100 == 99) {
        batch[i / 100] = encoder.takeBatch();
      }
      json[i] =
          ("{\"sensor_id\":\"" + id + "\",\"timestamp\":" + micros + ",\"value\":" + value + "}")
              .getBytes(StandardCharsets.UTF_8);
    }
    measure("avro single", single);
    measure("avro batch of 100", batch);
    measure("json", json);
  }

  private static void measure(String name, byte[][] records) {
    ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sum sum = new Sum();
      long start = cpuNanos();
      long end = start;
      while (end - start < ROUND_NANOS) {
        for (byte[] record : records) {
          if (decoder.decode(record, sum).isPresent()) {
            throw new AssertionError(name);
          }
        }
        end = cpuNanos();
      }
      blackhole = sum.sum;
      best = Math.max(best, sum.readings * 1e9 / (end - start));
    }
    System.out.printf(
        "%-20s %6.2f M readings/s of CPU time (best of %d)%n", name, best / 1e6, ROUNDS);
  }

  /** Time of this thread alone, so that a busy machine does not count. */
  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
