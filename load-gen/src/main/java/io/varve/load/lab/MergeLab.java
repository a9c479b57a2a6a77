package io.varve.load.lab;

import io.varve.load.measure.Latency;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Asks a target for the latest rows of sensors that differ in shards, days and density, judges each
 * answer, and counts what it cost. One question at a time: what is measured is an answer, not what
 * load does to it.
 */
public final class MergeLab {
  private static final int BATCH = 100;
  private static final int WARM_UP = 30;

  /** With so many rows a shard, one without any is as good as impossible. */
  private static final int ROWS_IN_EACH_SHARD = 40;

  /** Gives a sensor without rows so many shards from an instant on. */
  @FunctionalInterface
  public interface Splitting {
    /** Splits; returns when rows that are sent from now on are placed so. */
    void split(String sensor, int shards, long fromMicros) throws QueryException;
  }

  private final MergePlan plan;
  private final Target target;
  private final Splitting splitting;
  private final BooleanSupplier stopped;
  private final Consumer<String> progress;

  /**
   * @param stopped whether to end before the end
   * @param progress takes what is being done
   */
  public MergeLab(
      MergePlan plan,
      Target target,
      Splitting splitting,
      BooleanSupplier stopped,
      Consumer<String> progress) {
    this.plan = plan;
    this.target = target;
    this.splitting = splitting;
    this.stopped = stopped;
    this.progress = progress;
  }

  /**
   * Splits the sensors, stores their rows, and asks; the sparse ones first, so that they share
   * their days with nobody.
   *
   * @throws TargetException if the target can't be fed, or a stop was wished
   */
  public List<MergeCell> run() throws TargetException, QueryException {
    List<MergeCell> cells = new ArrayList<>();
    for (MergeSensor.Density density : MergeSensor.Density.values()) {
      List<MergeSensor> sensors = plan.sensors(density);
      for (MergeSensor sensor : sensors) {
        goOn("shard plan of " + sensor.id());
        if (sensor.shards() > 1) {
          splitting.split(sensor.id(), sensor.shards(), sensor.fromMicros());
        }
      }
      fill(sensors);
      cells.addAll(ask(sensors));
    }
    return cells;
  }

  private void goOn(String what) throws TargetException {
    if (stopped.getAsBoolean()) {
      throw new TargetException(TargetException.Kind.STOPPED, "stopped before the end");
    }
    progress.accept(what);
  }

  /** Day by day, so that a store has few days open at a time; in order within a sensor. */
  private void fill(List<MergeSensor> sensors) throws TargetException, QueryException {
    int oldest = sensors.stream().mapToInt(MergeSensor::days).max().orElse(0) - 1;
    long rows = sensors.stream().mapToLong(MergeSensor::rows).sum();
    try (RowFeed feed = new RowFeed(target)) {
      for (int age = oldest; age >= 0; age--) {
        goOn(String.format(Locale.ROOT, "rows sent %,d of %,d", feed.sent(), rows));
        for (MergeSensor sensor : sensors) {
          if (age < sensor.days()) {
            send(sensor, sensor.rowsOfDay(age), feed);
          }
        }
      }
      progress.accept("waiting until all rows are stored");
      feed.awaitStored();
    }
  }

  private static void send(MergeSensor sensor, List<MergeSensor.Row> rows, RowFeed feed) {
    for (MergeSensor.Row row : rows) {
      feed.add(sensor.id(), row.timestampMicros(), row.sequence(), row.value());
      if (feed.waiting() == BATCH) {
        feed.send(sensor.id());
      }
    }
    if (feed.waiting() > 0) {
      feed.send(sensor.id());
    }
  }

  private List<MergeCell> ask(List<MergeSensor> sensors) throws TargetException, QueryException {
    try (Queries queries = target.openQueries()) {
      for (MergeSensor sensor : sensors) {
        goOn("warming up with " + sensor.id());
        ask(sensor, WARM_UP, queries);
      }
      List<MergeCell> cells = new ArrayList<>();
      for (MergeSensor sensor : sensors) {
        goOn("asking " + sensor.id());
        cells.add(ask(sensor, plan.repetitions(), queries));
      }
      return cells;
    }
  }

  private MergeCell ask(MergeSensor sensor, int times, Queries queries) throws QueryException {
    List<MergeSensor.Row> expected = sensor.latest(plan.latest());
    RowsQuery query = RowsQuery.all(sensor.id(), true, plan.latest());
    RowPage page = new RowPage();
    Latency latency = new Latency("latest", 0);
    Optional<String> fault = Optional.empty();
    long fragments = 0;
    long blocks = 0;
    long decoded = 0;
    for (int i = 0; i < times; i++) {
      long asked = System.nanoTime();
      queries.rows(query, Optional.empty(), page);
      latency.record(0, System.nanoTime() - asked);
      fragments += page.fragments();
      blocks += page.blocks();
      decoded += page.rowsDecoded();
      fault = fault.isPresent() ? fault : fault(sensor, expected, page);
    }
    return new MergeCell(
        sensor.density().text(),
        sensor.shards(),
        sensor.days(),
        sensor.rows(),
        page.size(),
        (double) fragments / times,
        (double) blocks / times,
        (double) decoded / times,
        latency.turnOver(),
        fault);
  }

  /** What is wrong with an answer. */
  private static Optional<String> fault(
      MergeSensor sensor, List<MergeSensor.Row> expected, RowPage page) {
    String of = " sensor=" + sensor.id();
    if (!page.complete()) {
      return Optional.of("the answer is partial:" + of);
    }
    for (int i = 0; i < Math.min(page.size(), expected.size()); i++) {
      MergeSensor.Row row = expected.get(i);
      if (page.timestampMicros(i) != row.timestampMicros()
          || page.sequence(i) != row.sequence()
          || page.valueBits(i) != Double.doubleToRawLongBits(row.value())) {
        return Optional.of(
            "wrong row:"
                + of
                + " place="
                + i
                + " expected="
                + row
                + " got="
                + new MergeSensor.Row(
                    page.timestampMicros(i),
                    page.sequence(i),
                    Double.longBitsToDouble(page.valueBits(i))));
      }
    }
    if (page.size() != expected.size()) {
      return Optional.of("wrong count:" + of + " rows=" + page.size() + " of=" + expected.size());
    }
    boolean inEachShard =
        sensor.density() == MergeSensor.Density.DENSE
            && sensor.newestRows() >= ROWS_IN_EACH_SHARD * sensor.shards();
    if (inEachShard && page.fragments() > 0 && page.fragments() < sensor.shards()) {
      return Optional.of("the plan does not hold:" + of + " fragments=" + page.fragments());
    }
    return Optional.empty();
  }
}
