package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.fleet.Workload;
import io.varve.load.measure.Latency;
import io.varve.load.measure.Summary;
import io.varve.load.target.Delivery;
import io.varve.load.target.InstantSink;
import io.varve.load.target.RecordSink;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * How well the schedule is kept into a sink that does nothing, with the time that the sending
 * thread waited for a processor although it could have run. Waits that end in a spin and such that
 * do not take turns. Not part of any build: {@code java -cp … PacerBenchmark RATE SECONDS TURNS}.
 */
final class PacerBenchmark {
  private static final long SPIN_NANOS = 80_000;

  private PacerBenchmark() {}

  /** Takes all, at once. */
  private static final class NullSink implements InstantSink {
    private long bytes;

    @Override
    public void send(byte[] key, byte[] record, Delivery delivery) {
      bytes += record.length;
      delivery.acknowledged();
    }
  }

  /** Parks for most of a wait and spins for the rest. */
  private static final class SpinningClock implements Clock {
    @Override
    public long nanos() {
      return System.nanoTime();
    }

    @Override
    public void await(long nanos) {
      long left = nanos - System.nanoTime();
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      }
      while (System.nanoTime() < nanos) {
        Thread.onSpinWait();
      }
    }
  }

  public static void main(String[] args) throws Exception {
    long rate = Long.parseLong(args[0]);
    long nanos = Long.parseLong(args[1]) * 1_000_000_000;
    for (int turn = 0; turn < Integer.parseInt(args[2]); turn++) {
      run(turn == 0 ? "warming up" : "parks", Clock.SYSTEM, rate, nanos);
      run(turn == 0 ? "warming up" : "spins at the end", new SpinningClock(), rate, nanos);
    }
  }

  private static void run(String name, Clock clock, long rate, long nanos) throws Exception {
    Fleet fleet = new Fleet(Profiles.find("uniform").with(Map.of(Knob.RATE, "" + rate)), 1, 0, "p");
    Workload workload = new Workload(fleet);
    RecordSink sink = new NullSink();
    Tally tally = new Tally();
    Latency error = new Latency("schedule-error", 0);
    long start = clock.nanos();
    Dispatch dispatch =
        new Dispatch(fleet, sink, clock, start, false, tally, new Latency("acknowledged", 0));
    Pacer pacer =
        new Pacer(
            clock,
            start,
            workload,
            dispatch,
            new Markers(fleet, sink, 0),
            sink,
            error,
            tally,
            false);
    long waited = waitedNanos();
    long collected = collectedMillis();
    long busy = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long unused = pacer.run(nanos, Long.MAX_VALUE);
    busy = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - busy;
    error.turnOver();
    Summary s = error.total();
    System.out.printf(
        "%-18s p50 %s, p90 %s, p99 %s, p99.9 %s, max %s; processor %.0f %%, waited for one %.1f %%,"
            + " collecting %d ms%n",
        name,
        Summary.text(s.p50()),
        Summary.text(s.p90()),
        Summary.text(s.p99()),
        Summary.text(s.p999()),
        Summary.text(s.max()),
        100.0 * busy / nanos,
        100.0 * (waitedNanos() - waited) / nanos,
        collectedMillis() - collected);
  }

  /** Time in the run queue of this thread, as Linux counts it. */
  private static long waitedNanos() throws IOException {
    return Long.parseLong(Files.readString(Path.of("/proc/thread-self/schedstat")).split(" ")[1]);
  }

  private static long collectedMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(gc -> gc.getCollectionTime())
        .sum();
  }
}
