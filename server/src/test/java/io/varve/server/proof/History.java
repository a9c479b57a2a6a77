package io.varve.server.proof;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What was sent of one sensor, and what an answer about it may look like: an oracle.
 *
 * <p>Each key has versions, sent one after another, and a value says which key and version it is. A
 * version is settled once it is known to be visible: then no later answer may show an older one, or
 * leave the key out. One thread writes; any number check answers.
 */
final class History {
  /** What can be wrong with an answer. */
  enum Kind {
    /** A key that must be there is not. */
    LOST,
    /** A key comes twice. */
    REPEATED,
    /** A key that was never sent. */
    UNKNOWN,
    /** A row comes before one that it must follow, or lies outside of what was asked for. */
    MISORDERED,
    /** A version older than one that was visible before. */
    OUTDATED,
    /** A value that was never sent for the key. */
    WRONG_VALUE,
    /** A count of rows that no moment of the answer had. */
    MISCOUNTED,
    /** An answer that ends early, or with a page that is not full, and does not say why. */
    SILENT_PARTIAL
  }

  /**
   * A wrong answer.
   *
   * @param where the key at fault, or the answer's end
   * @param expected what is right there
   * @param got what was shown instead
   */
  record Fault(Kind kind, String sensor, String where, String expected, String got) {}

  /** What was asked for: rows of [from, to), in an order. */
  record Question(long fromMicros, long toMicros, boolean newestFirst) {
    static final Question ALL = new Question(Long.MIN_VALUE, Long.MAX_VALUE, true);

    boolean covers(ClusteringKey key) {
      return key.timestampMicros() >= fromMicros && key.timestampMicros() < toMicros;
    }
  }

  /**
   * A key that was visible for certain at a moment.
   *
   * @param version the version that it then had, or a newer one
   * @param afterCrash the version that it has at least while a crash is made good
   */
  private record Known(ClusteringKey key, int version, int afterCrash) {}

  /** Keys that were visible for certain at a moment, newest first, and crashes until then. */
  static final class Before {
    private final List<Known> known;
    private final int crashes;

    private Before(List<Known> known, int crashes) {
      this.known = known;
      this.crashes = crashes;
    }

    int size() {
      return known.size();
    }

    /** A key by its rank, newest first. */
    ClusteringKey key(int rank) {
      return known.get(rank).key();
    }
  }

  private static final int VERSIONS = 1_000;

  private static final class Versions {
    volatile int sent;

    /** Known to be visible. */
    volatile int settled;

    /** Known to be visible, and read from the source for the last time. */
    volatile int committed;

    int afterCrash() {
      return Math.max(committed, Math.min(1, settled));
    }
  }

  final String sensor;
  private final ConcurrentNavigableMap<ClusteringKey, Versions> keys =
      new ConcurrentSkipListMap<>();

  /** Judging is shared; what changes the rules of it is not. */
  private final ReadWriteLock rules = new ReentrantReadWriteLock();

  private int crashes;

  /** Whether former values may come again. */
  private boolean settling;

  History(String sensor) {
    this.sensor = sensor;
  }

  // ---- what was sent

  /** Makes the next version of a key, to be sent. */
  Row next(long timestampMicros, long sequence) {
    ClusteringKey key = new ClusteringKey(timestampMicros, sequence);
    Versions versions = keys.computeIfAbsent(key, absent -> new Versions());
    versions.sent = versions.sent + 1;
    return new Row(timestampMicros, sequence, value(key, versions.sent));
  }

  /** Returns the newest version of a key that was sent, to be sent again. */
  Row last(ClusteringKey key) {
    Versions versions = keys.get(key);
    if (versions == null) {
      throw new IllegalArgumentException("never sent: " + key);
    }
    return new Row(key.timestampMicros(), key.sequence(), value(key, versions.sent));
  }

  /** Notes that all that was sent is visible, and read from the source for the last time. */
  void settle() {
    rules.writeLock().lock();
    try {
      keys.values()
          .forEach(
              versions -> {
                versions.committed = versions.sent;
                versions.settled = versions.sent;
              });
      settling = false;
    } finally {
      rules.writeLock().unlock();
    }
  }

  /**
   * Notes that the node was killed: what it routed since its last commit is routed again, in order,
   * so a key that was corrected since the last {@link #settle} may show the values that it had from
   * then on once more, until the next. No older ones, and no key may be gone.
   */
  void crash() {
    rules.writeLock().lock();
    try {
      crashes++;
      settling = true;
      keys.values().forEach(versions -> versions.settled = versions.afterCrash());
    } finally {
      rules.writeLock().unlock();
    }
  }

  int size() {
    return keys.size();
  }

  /** All rows, newest first, each in its newest version. */
  List<Row> rows() {
    return keys.keySet().stream().map(this::last).toList();
  }

  private double value(ClusteringKey key, int version) {
    return base(key) * (double) VERSIONS + version;
  }

  private int base(ClusteringKey key) {
    long mixed = (key.timestampMicros() * 31 + key.sequence()) * 0x9e3779b97f4a7c15L;
    return (int) Math.floorMod(mixed ^ mixed >>> 29 ^ sensor.hashCode(), 1_000_000L);
  }

  // ---- what answers may look like

  /** Notes what must be in every answer to a question that is asked from now on. */
  Before before() {
    return before(Integer.MAX_VALUE);
  }

  /** Notes no more than the newest keys, for a question that is about so many rows at most. */
  Before before(int newest) {
    rules.readLock().lock();
    try {
      List<Known> known = new ArrayList<>();
      for (Map.Entry<ClusteringKey, Versions> each : keys.entrySet()) {
        Versions versions = each.getValue();
        int settled = versions.settled;
        if (settled > 0) {
          known.add(new Known(each.getKey(), settled, Math.min(settled, versions.afterCrash())));
          if (known.size() >= newest) {
            break;
          }
        }
      }
      return new Before(known, crashes);
    } finally {
      rules.readLock().unlock();
    }
  }

  /**
   * Judges rows, and takes note of the versions that they show.
   *
   * @param toTheEnd whether the answer says that there are no more
   */
  Optional<Fault> check(List<Row> rows, Question question, boolean toTheEnd, Before before) {
    rules.readLock().lock();
    try {
      return judge(rows, question, toTheEnd, before);
    } finally {
      rules.readLock().unlock();
    }
  }

  private Optional<Fault> judge(
      List<Row> rows, Question question, boolean toTheEnd, Before before) {
    List<Known> must = new ArrayList<>();
    for (Known known : before.known) {
      if (question.covers(known.key())) {
        must.add(known);
      }
    }
    if (!question.newestFirst()) {
      Collections.reverse(must);
    }
    boolean mayGoBack = settling || before.crashes != crashes;
    int expected = 0;
    ClusteringKey last = null;
    for (Row row : rows) {
      ClusteringKey key = row.key();
      if (!keys.containsKey(key)) {
        return fault(Kind.UNKNOWN, key, "nothing, it was never sent", "value=" + row.value());
      }
      if (!question.covers(key)) {
        return fault(Kind.MISORDERED, key, question.toString(), "a row outside of it");
      }
      if (last != null && !follows(last, key, question)) {
        return times(rows, key) > 1
            ? fault(Kind.REPEATED, key, "once", "more than once")
            : fault(Kind.MISORDERED, key, "before " + last, "after it");
      }
      last = key;
      if (expected < must.size() && follows(must.get(expected).key(), key, question)) {
        ClusteringKey missing = must.get(expected).key();
        return times(rows, missing) > 0
            ? fault(Kind.MISORDERED, missing, "before " + key, "after it")
            : lost(must.get(expected), "the rows around it");
      }
      boolean met = expected < must.size() && must.get(expected).key().equals(key);
      Optional<Fault> wrong =
          checkVersion(row, met ? Optional.of(must.get(expected)) : Optional.empty(), mayGoBack);
      if (wrong.isPresent()) {
        return wrong;
      }
      expected += met ? 1 : 0;
    }
    return toTheEnd && expected < must.size()
        ? lost(must.get(expected), "an end after " + rows.size() + " rows")
        : Optional.empty();
  }

  private static boolean follows(ClusteringKey one, ClusteringKey other, Question question) {
    int order = one.compareTo(other);
    return question.newestFirst() ? order < 0 : order > 0;
  }

  private static long times(List<Row> rows, ClusteringKey key) {
    return rows.stream().filter(row -> row.key().equals(key)).count();
  }

  private Optional<Fault> checkVersion(Row row, Optional<Known> known, boolean mayGoBack) {
    ClusteringKey key = row.key();
    Versions versions = Objects.requireNonNull(keys.get(key));
    int version = (int) (row.value() % VERSIONS);
    int sent = versions.sent;
    if (version < 1 || version > sent || row.value() != value(key, version)) {
      return fault(
          Kind.WRONG_VALUE,
          key,
          "value=" + value(key, sent) + " or one of its " + (sent - 1) + " former versions",
          "value=" + row.value());
    }
    int atLeast = known.map(each -> mayGoBack ? each.afterCrash() : each.version()).orElse(0);
    if (version < atLeast) {
      return fault(Kind.OUTDATED, key, "version " + atLeast + " or newer", "version " + version);
    }
    synchronized (versions) {
      versions.settled = Math.max(versions.settled, mayGoBack ? 1 : version);
    }
    return Optional.empty();
  }

  /** Judges a count of all rows of a range: between what must have been there and what can be. */
  Optional<Fault> checkCount(long count, Question question, Before before) {
    long least = before.known.stream().filter(known -> question.covers(known.key())).count();
    long most = keys.keySet().stream().filter(question::covers).count();
    return count >= least && count <= most
        ? Optional.empty()
        : Optional.of(
            new Fault(
                Kind.MISCOUNTED,
                sensor,
                question.toString(),
                least + " to " + most + " rows",
                count + " rows"));
  }

  /** An answer that holds less than was asked for, and does not say so. */
  Fault silentPartial(String expected, String got) {
    return new Fault(Kind.SILENT_PARTIAL, sensor, "the end of the answer", expected, got);
  }

  private Optional<Fault> lost(Known known, String got) {
    return fault(Kind.LOST, known.key(), "version " + known.version() + " or newer", got);
  }

  private Optional<Fault> fault(Kind kind, ClusteringKey key, String expected, String got) {
    return Optional.of(new Fault(kind, sensor, key.toString(), expected, got));
  }
}
