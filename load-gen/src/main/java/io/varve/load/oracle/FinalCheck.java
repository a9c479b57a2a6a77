package io.varve.load.oracle;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.KeySet;
import io.varve.load.fleet.Sent;
import io.varve.load.measure.Summary;
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
 * for again until that while is over. A target that gives no answer for too long is asked nothing
 * more, and what was not checked is said. One thread checks.
 */
public final class FinalCheck {
  private static final int MOST_ROWS = 10_000;
  private static final int LATEST_AT_ONCE = 500;
  private static final long RETRY_NANOS = 100_000_000;

  /** The time that the check takes, so that a test need not take it; and its early end. */
  public interface Pace {
    /** Nanoseconds since some fixed moment. */
    long nanos();

    /** Waits about so long. */
    void rest(long nanos);

    /** Why the check is to end now; empty as long as it is not. */
    Optional<String> stopped();
  }

  /**
   * How long to wait for a target.
   *
   * @param settleNanos how long what is acknowledged may stay invisible
   * @param silenceNanos how long questions may be without an answer, all such times together
   */
  public record Limits(long settleNanos, long silenceNanos) {}

  private final Fleet fleet;
  private final Expected expected;
  private final Queries queries;
  private final Pace pace;
  private final Limits limits;
  private final long settled;
  private final Faults faults;
  private final RowPage page = new RowPage();
  private int unread;
  private int latestUnchecked;
  private boolean ledgerUnchecked;
  private volatile long answered;
  private long silentNanos;
  private long rows;

  /** Rows of the last walk that reached its end. */
  private long lastRows;

  public FinalCheck(
      Fleet fleet,
      Sent sent,
      KeySet uncertain,
      Queries queries,
      Pace pace,
      Limits limits,
      Faults faults) {
    this.fleet = fleet;
    this.expected = new Expected(fleet, sent, uncertain);
    this.queries = queries;
    this.pace = pace;
    this.limits = limits;
    this.settled = pace.nanos() + limits.settleNanos();
    this.faults = faults;
  }

  /** Asks something; faults go to the given place. */
  private interface Question {
    void ask(Faults found) throws QueryException;
  }

  /** Answers so far. Any thread may ask. */
  public long answered() {
    return answered;
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
    for (int i = 0; i < count; i++) {
      int sensor = chosen.get(i);
      lastRows = 0;
      if (!settle(found -> walk(sensor, found), fleet.nameOf(sensor))) {
        unread++;
      }
      rows += lastRows;
      progress.accept(i + 1);
    }
    for (int from = 0; from < count; from += LATEST_AT_ONCE) {
      List<Integer> some = chosen.subList(from, Math.min(count, from + LATEST_AT_ONCE));
      if (!settle(found -> latest(some, found), "latest of " + some.size() + " sensors")) {
        latestUnchecked += some.size();
      }
    }
    return new Verdict(
        answers,
        count - unread,
        sensors,
        rows,
        unread,
        notVerified(),
        faults.counts(),
        faults.first());
  }

  private Optional<String> notVerified() {
    List<String> what = new ArrayList<>();
    if (unread > 0) {
      what.add("the rows of " + unread + " sensors");
    }
    if (latestUnchecked > 0) {
      what.add("the latest row of " + latestUnchecked + " sensors");
    }
    if (ledgerUnchecked) {
      what.add("the ledger");
    }
    if (what.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "not checked: "
            + String.join(", ", what)
            + "; "
            + over().orElse("no answer, though others were answered"));
  }

  /** Why nothing more is to be asked; empty as long as something is. */
  private Optional<String> over() {
    return pace.stopped()
        .or(
            () ->
                silentNanos < limits.silenceNanos()
                    ? Optional.empty()
                    : Optional.of(
                        "the target gave no answer for "
                            + Summary.text(limits.silenceNanos())
                            + " in all"));
  }

  /** Asks until it is answered without a fault that may pass, or patience ends. */
  private boolean settle(Question question, String where) {
    while (over().isEmpty()) {
      Faults found = new Faults();
      long asked = pace.nanos();
      try {
        question.ask(found);
        noteAnswer();
        if (found.none() || !found.mayPass() || pace.nanos() >= settled) {
          faults.addAll(found);
          return true;
        }
        pace.rest(RETRY_NANOS);
      } catch (QueryException e) {
        if (!e.passing()) {
          faults.add(FaultKind.UNREADABLE, where, String.valueOf(e.getMessage()));
          return true;
        }
        boolean again = pace.nanos() < settled;
        if (again) {
          pace.rest(RETRY_NANOS);
        }
        silentNanos += pace.nanos() - asked;
        if (!again) {
          return false;
        }
      }
    }
    return false;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread asks
  private void noteAnswer() {
    answered++;
  }

  private void walk(int sensor, Faults found) throws QueryException {
    boolean newestFirst = sensor % 2 == 0;
    SensorWalk walk = new SensorWalk(expected, sensor, newestFirst, found);
    RowsQuery query = RowsQuery.all(fleet.nameOf(sensor), newestFirst, limit(sensor));
    Optional<String> token = Optional.empty();
    do {
      queries.rows(query, token, page);
      noteAnswer();
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
    ledgerUnchecked =
        !settle(
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
