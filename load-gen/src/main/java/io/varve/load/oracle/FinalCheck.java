package io.varve.load.oracle;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.KeySet;
import io.varve.load.fleet.Sent;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.TargetStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Judges a target once all is sent and settled: every row of every sensor, or of evenly chosen
 * ones, in both orders and pages of several sizes; then the latest of each.
 *
 * <p>What is acknowledged may take a while to be visible, so a fault that time may cure is asked
 * for again until the patience is used up.
 */
public final class FinalCheck {
  private static final int MOST_ROWS = 10_000;
  private static final int LATEST_AT_ONCE = 500;
  private static final long RETRY_NANOS = 100_000_000;

  /** Waits, so that a test need not. */
  public interface Patience {
    /** Waits a while and tells whether to ask again. */
    boolean again(long nanos);
  }

  private final Fleet fleet;
  private final Expected expected;
  private final Queries queries;
  private final Patience patience;
  private final Faults faults;
  private final RowPage page = new RowPage();
  private int checked;
  private int unchecked;
  private long rows;

  /** Rows of the last walk that reached its end. */
  private long lastRows;

  public FinalCheck(
      Fleet fleet, Sent sent, KeySet uncertain, Queries queries, Patience patience, Faults faults) {
    this.fleet = fleet;
    this.expected = new Expected(fleet, sent, uncertain);
    this.queries = queries;
    this.patience = patience;
    this.faults = faults;
  }

  /** Asks something; faults go to the given place. */
  private interface Question {
    void ask(Faults found) throws QueryException;
  }

  /**
   * Reads and judges.
   *
   * @param sample how many sensors to read, evenly chosen; all if there are not more
   * @param answers answers that were judged before, for the verdict
   * @param progress is told the number of sensors done
   */
  public Verdict run(int sample, long answers, LongConsumer progress) {
    int sensors = fleet.sensors();
    int count = Math.min(sample, sensors);
    List<Integer> chosen = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      chosen.add((int) ((long) i * sensors / count));
    }
    for (int sensor : chosen) {
      lastRows = 0;
      checked += settle(found -> walk(sensor, found), fleet.nameOf(sensor)) ? 1 : 0;
      rows += lastRows;
      progress.accept(checked + unchecked);
    }
    for (int from = 0; from < count; from += LATEST_AT_ONCE) {
      List<Integer> some = chosen.subList(from, Math.min(count, from + LATEST_AT_ONCE));
      settle(found -> latest(some, found), "latest of " + some.size() + " sensors");
    }
    return new Verdict(answers, checked, sensors, rows, unchecked, faults.counts(), faults.first());
  }

  /** Asks until it is answered without a fault that may pass, or patience ends. */
  private boolean settle(Question question, String where) {
    while (true) {
      Faults found = new Faults();
      try {
        question.ask(found);
        if (found.none() || !found.mayPass() || !patience.again(RETRY_NANOS)) {
          faults.addAll(found);
          return true;
        }
      } catch (QueryException e) {
        if (!e.passing()) {
          faults.add(FaultKind.UNREADABLE, where, String.valueOf(e.getMessage()));
          return true;
        }
        if (!patience.again(RETRY_NANOS)) {
          unchecked++;
          return false;
        }
      }
    }
  }

  private void walk(int sensor, Faults found) throws QueryException {
    boolean newestFirst = sensor % 2 == 0;
    SensorWalk walk = new SensorWalk(expected, sensor, newestFirst, found);
    RowsQuery query = RowsQuery.all(fleet.nameOf(sensor), newestFirst, limit(sensor));
    Optional<String> token = Optional.empty();
    do {
      queries.rows(query, token, page);
      walk.page(page, query.limit());
      token = page.next();
    } while (token.isPresent() && !walk.isEndless());
    walk.end();
    lastRows = walk.rows();
  }

  /** Every fourth sensor is read in about three pages, the others in as few as there can be. */
  private int limit(int sensor) {
    long ticks = expected.sent().nextTick(sensor);
    return sensor % 4 == 3 ? (int) Math.min(MOST_ROWS, ticks / 3 + 1) : MOST_ROWS;
  }

  private void latest(List<Integer> sensors, Faults found) throws QueryException {
    queries.latest(sensors.stream().map(fleet::nameOf).toList(), page);
    for (int i = 0; i < sensors.size(); i++) {
      int sensor = sensors.get(i);
      long wanted = expected.latest(sensor);
      boolean any = page.timestampMicros(i) != Queries.NONE;
      long tick = any ? fleet.tickOf(sensor, page.timestampMicros(i), page.sequence(i)) : -1;
      if (any && (tick < 0 || expected.newest(sensor, tick) == 0)) {
        found.add(
            FaultKind.UNKNOWN,
            fleet.nameOf(sensor),
            Expected.row(page.timestampMicros(i), page.sequence(i), page.valueBits(i)));
      } else if (tick < wanted) {
        found.add(
            FaultKind.STALE_LATEST,
            fleet.nameOf(sensor),
            (any ? expected.row(sensor, tick, 1) : "no row")
                + ", right is "
                + expected.row(sensor, wanted, expected.oldest(sensor, wanted)));
      }
    }
  }

  /**
   * Judges whether every acknowledged bad record was counted as such. A target that others feed as
   * well counts more, which is no fault.
   */
  public void checkPoison(Optional<TargetStatus> before, long acknowledgedPoison) {
    if (before.isEmpty() || acknowledgedPoison == 0) {
      return;
    }
    long known = before.get().refused() + before.get().deadLettered();
    settle(
        found -> {
          TargetStatus now = queries.status().orElseThrow();
          long counted = now.refused() + now.deadLettered() - known;
          if (counted < acknowledgedPoison) {
            found.add(
                FaultKind.UNACCOUNTED,
                "ledger",
                "bad records sent=" + acknowledgedPoison + " counted=" + counted);
          }
        },
        "ledger");
  }
}
