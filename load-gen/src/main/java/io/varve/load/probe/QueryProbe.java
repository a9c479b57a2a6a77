package io.varve.load.probe;

import io.varve.load.fleet.Fleet;
import io.varve.load.measure.Latency;
import io.varve.load.oracle.AnswerCheck;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * Asks the {@link QueryKind}s in turn at even intervals, of sensors chosen by a seed, and measures
 * each answer from when its question was due. Answers are judged where a judge is given. One thread
 * asks; counters may be read by others.
 */
public final class QueryProbe {
  private static final int LATEST_ROWS = 100;
  private static final int MANY = 100;
  private static final int RANGE_ROWS = 1_000;
  private static final int WALK_ROWS = 100;
  private static final int WALK_PAGES = 10;
  private static final long MINUTE_MICROS = 60_000_000;
  private static final long STEP_MICROS = 5_000_000;
  private static final QueryKind[] KINDS = QueryKind.values();

  private final Fleet fleet;
  private final long speed;
  private final Queries queries;
  private final long intervalNanos;
  private final LongSupplier now;
  private final long fromNanos;
  private final Optional<AnswerCheck> judge;
  private final SplittableRandom random;
  private final RowPage page = new RowPage();
  private final Map<QueryKind, Latency> latencies = new EnumMap<>(QueryKind.class);
  private final Map<QueryKind, Touched> touched = new EnumMap<>(QueryKind.class);
  private long rowsOfAnswer;
  private long blocksOfAnswer;
  private long decodedOfAnswer;
  private volatile long asked;
  private volatile long unanswered;
  private volatile long failed;
  private volatile Optional<String> firstFailure = Optional.empty();

  /**
   * @param intervalNanos time between two questions
   * @param now nanoseconds since the start of the load
   * @param fromNanos what is due before is warming up and not measured
   */
  public QueryProbe(
      Fleet fleet,
      Queries queries,
      long intervalNanos,
      LongSupplier now,
      long fromNanos,
      Optional<AnswerCheck> judge) {
    this.fleet = fleet;
    this.speed = fleet.profile().count(io.varve.load.fleet.Knob.SPEED);
    this.queries = queries;
    this.intervalNanos = intervalNanos;
    this.now = now;
    this.judge = judge;
    this.fromNanos = fromNanos;
    this.random = new SplittableRandom(fleet.seed());
    for (QueryKind kind : KINDS) {
      latencies.put(kind, new Latency(kind.text(), fromNanos));
    }
  }

  /** What was measured, a kind each. */
  public List<Latency> latencies() {
    return List.copyOf(latencies.values());
  }

  /** What measured answers cost, by kind; to be read when nothing is asked any more. */
  public Map<QueryKind, Touched> touched() {
    return new EnumMap<>(touched);
  }

  /** Questions asked. */
  public long asked() {
    return asked;
  }

  /** Questions that got no answer for a while: nobody there, not ready, overloaded. */
  public long unanswered() {
    return unanswered;
  }

  /** Questions that got an answer that must never be given. */
  public long failed() {
    return failed;
  }

  /** What the first such answer was. */
  public Optional<String> firstFailure() {
    return firstFailure;
  }

  /** When the next question is due, in nanoseconds since the start. */
  public long nextDueNanos() {
    return asked * intervalNanos;
  }

  /** Asks the next question; to be called when it is due. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread asks
  public void ask() {
    long due = nextDueNanos();
    QueryKind kind = KINDS[(int) (asked % KINDS.length)];
    asked++;
    int sensor = random.nextInt(fleet.sensors());
    rowsOfAnswer = 0;
    blocksOfAnswer = 0;
    decodedOfAnswer = 0;
    try {
      switch (kind) {
        case LATEST -> latest(sensor);
        case LATEST_OF_MANY -> latestOfMany(sensor);
        case RANGE -> range(sensor);
        case DOWNSAMPLED -> downsampled(sensor);
        case WALK -> walk(sensor);
      }
      Latency latency = latencies.get(kind);
      if (latency != null) {
        latency.record(due, now.getAsLong() - due);
      }
      if (due >= fromNanos) {
        Touched before = touched.getOrDefault(kind, Touched.NOTHING);
        touched.put(kind, before.plus(rowsOfAnswer, blocksOfAnswer, decodedOfAnswer));
      }
    } catch (QueryException e) {
      if (e.passing()) {
        unanswered++;
      } else {
        failed++;
        String why = String.valueOf(e.getMessage());
        firstFailure = firstFailure.or(() -> Optional.of(why));
        judge.ifPresent(j -> j.unreadable(fleet.nameOf(sensor), why));
      }
    }
  }

  /** The present on the sensors' clocks, a second ahead so that nothing sent is beyond it. */
  private long presentMicros() {
    return fleet.startMicros() + now.getAsLong() / 1_000 * speed + 1_000_000;
  }

  private void noteCost() {
    rowsOfAnswer += page.size();
    blocksOfAnswer += page.blocks();
    decodedOfAnswer += page.rowsDecoded();
  }

  private void rows(int sensor, RowsQuery query, Optional<String> token) throws QueryException {
    queries.rows(query, token, page);
    noteCost();
    judge.ifPresent(j -> j.rows(sensor, query, token.isEmpty(), page, now.getAsLong()));
  }

  private void latest(int sensor) throws QueryException {
    rows(sensor, RowsQuery.all(fleet.nameOf(sensor), true, LATEST_ROWS), Optional.empty());
  }

  private void latestOfMany(int first) throws QueryException {
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < Math.min(MANY, fleet.sensors()); i++) {
      chosen.add((first + i) % fleet.sensors());
    }
    queries.latest(chosen.stream().map(fleet::nameOf).toList(), page);
    noteCost();
    long at = now.getAsLong();
    judge.ifPresent(
        j -> {
          for (int i = 0; i < chosen.size(); i++) {
            j.latestRow(chosen.get(i), page, i, at);
          }
        });
  }

  private void range(int sensor) throws QueryException {
    long to = presentMicros();
    OptionalLong from = OptionalLong.of(to - MINUTE_MICROS);
    rows(
        sensor,
        new RowsQuery(fleet.nameOf(sensor), from, OptionalLong.of(to), true, RANGE_ROWS),
        Optional.empty());
  }

  private void downsampled(int sensor) throws QueryException {
    long to = presentMicros();
    queries.buckets(fleet.nameOf(sensor), to - 10 * MINUTE_MICROS, to, STEP_MICROS, page);
    noteCost();
  }

  private void walk(int sensor) throws QueryException {
    RowsQuery query = RowsQuery.all(fleet.nameOf(sensor), false, WALK_ROWS);
    Optional<String> token = Optional.empty();
    for (int i = 0; i < WALK_PAGES; i++) {
      rows(sensor, query, token);
      token = page.next();
      if (token.isEmpty()) {
        return;
      }
    }
  }
}
