package io.varve.load.fleet;

import io.varve.schemas.ReadingEncoder;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Readings a second that one thread makes, by its own processor time: into a sink that only adds
 * up, and encoded to Avro, one reading a record and a hundred.
 */
final class GeneratorBenchmark {
  private static final int ROUNDS = 5;
  private static final int READINGS = 4_000_000;

  private GeneratorBenchmark() {}

  /** What is done with the readings. */
  private enum Work {
    NOTHING,
    ENCODED_SINGLY,
    ENCODED_BY_HUNDREDS
  }

  private static final class Sink implements FleetSink {
    private final Fleet fleet;
    private final Work work;
    private final ReadingEncoder encoder = new ReadingEncoder();
    long sum;

    Sink(Fleet fleet, Work work) {
      this.fleet = fleet;
      this.work = work;
    }

    @Override
    public void reading(
        long due,
        int sensor,
        long tick,
        int version,
        long timestamp,
        long sequence,
        long value,
        ReadingKind kind) {
      switch (work) {
        case NOTHING -> sum += due + timestamp + sequence + value;
        case ENCODED_SINGLY ->
            sum +=
                encoder.encode(
                        fleet.nameBytes(sensor),
                        timestamp,
                        Double.longBitsToDouble(value),
                        sequence)
                    .length;
        case ENCODED_BY_HUNDREDS -> {
          encoder.add(fleet.nameBytes(sensor), timestamp, Double.longBitsToDouble(value), sequence);
          if (encoder.memberCount() == 100) {
            sum += encoder.takeBatch().length;
          }
        }
      }
    }

    @Override
    public void poison(long due, int sensor, Poison form) {
      sum++;
    }
  }

  public static void main(String[] args) throws InvalidProfileException {
    var threads = ManagementFactory.getThreadMXBean();
    for (String profile : Profiles.NAMES) {
      for (Work work : Work.values()) {
        Fleet fleet = new Fleet(Profiles.find(profile), 1, 1_717_200_000_000_000L, "load-x");
        Workload workload = new Workload(fleet);
        Sink sink = new Sink(fleet, work);
        double best = 0;
        for (int round = 0; round < ROUNDS; round++) {
          long start = threads.getCurrentThreadCpuTime();
          long end = workload.readings() + READINGS;
          while (workload.readings() < end) {
            workload.step(sink);
          }
          best = Math.max(best, READINGS * 1e9 / (threads.getCurrentThreadCpuTime() - start));
        }
        System.out.printf(
            Locale.ROOT,
            "%-16s %-20s %,12.0f readings/s  (check %x)%n",
            profile,
            work,
            best,
            sink.sum);
      }
    }
  }
}
