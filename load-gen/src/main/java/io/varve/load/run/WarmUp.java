package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.FleetSink;
import io.varve.load.fleet.Poison;
import io.varve.load.fleet.ReadingKind;
import io.varve.load.fleet.Workload;
import io.varve.load.measure.Summary;
import io.varve.load.target.Delivery;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RecordSink;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.TargetException;
import io.varve.schemas.ReadingEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * What happens before a run: the sending code is run without sending, one reading of a sensor of
 * its own goes through the sink, and a few questions are asked. So the run does not measure how the
 * load generator is loaded, compiled and connected.
 */
final class WarmUp {
  private static final int STEPS = 200_000;
  private static final int QUESTIONS = 50;

  /** The one sensor that a warm-up leaves in the target. */
  static final String SENSOR = "load-warm-up";

  private WarmUp() {}

  /**
   * Warms up.
   *
   * @throws TargetException if the target takes in nothing
   */
  static void run(LoadPlan plan, RecordSink sink, Queries queries)
      throws TargetException, InterruptedException {
    Fleet fleet = new Fleet(plan.profile(), plan.seed(), 0, "warm-up");
    Workload workload = new Workload(fleet);
    Encoding encoding = new Encoding(new RecordEncoder(fleet));
    for (int i = 0; i < STEPS; i++) {
      workload.step(encoding);
    }
    byte[] key = SENSOR.getBytes(StandardCharsets.UTF_8);
    long nowMicros = Instant.now().toEpochMilli() * 1_000;
    Answer answer = new Answer();
    sink.send(key, new ReadingEncoder().encode(key, nowMicros, (double) encoding.bytes, 0), answer);
    if (!answer.came.await(plan.silenceNanos(), TimeUnit.NANOSECONDS)) {
      sink.giveUp();
      throw new TargetException(
          TargetException.Kind.UNREACHABLE,
          "the target took in no reading within " + Summary.text(plan.silenceNanos()));
    }
    RowPage page = new RowPage();
    try {
      for (int i = 0; i < QUESTIONS; i++) {
        queries.latest(List.of(SENSOR), page);
        queries.rows(RowsQuery.all(SENSOR, true, 100), Optional.empty(), page);
        queries.buckets(SENSOR, nowMicros - 60_000_000, nowMicros, 1_000_000, page);
      }
    } catch (QueryException e) {
      // The run will meet it again, and count it.
    }
  }

  /** Tells that something became of the one reading. */
  private static final class Answer implements Delivery {
    final CountDownLatch came = new CountDownLatch(1);

    @Override
    public void acknowledged() {
      came.countDown();
    }

    @Override
    public void failed(Exception cause) {
      came.countDown(); // the run's own records will fail too
    }
  }

  /** Encodes and forgets. */
  private static final class Encoding implements FleetSink {
    private final RecordEncoder encoder;
    private long bytes;

    Encoding(RecordEncoder encoder) {
      this.encoder = encoder;
    }

    @Override
    public void reading(
        long dueNanos,
        int sensor,
        long tick,
        int version,
        long timestampMicros,
        long sequence,
        long valueBits,
        ReadingKind kind) {
      bytes += encoder.reading(sensor, dueNanos, timestampMicros, sequence, valueBits).length;
    }

    @Override
    public void poison(long dueNanos, int sensor, Poison form) {
      bytes += encoder.poison(sensor, dueNanos, form).length;
    }
  }
}
