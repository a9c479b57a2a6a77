package io.varve.server.proof;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;

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
    MISCOUNTED
  }

  /**
   * A wrong answer.
   *
   * @param where what of it is wrong
   */
  record Fault(Kind kind, String sensor, String where) {}

  /** What was asked for: rows of [from, to), in an order. */
  record Question(long fromMicros, long toMicros, boolean newestFirst) {
    static final Question ALL = new Question(Long.MIN_VALUE, Long.MAX_VALUE, true);

    boolean covers(ClusteringKey key) {
      return key.timestampMicros() >= fromMicros && key.timestampMicros() < toMicros;
    }
  }

  /**
   * Versions that were visible for certain at a moment, of the keys that had any.
   *
   * @param crashes crashes until then
   */
  record Before(ConcurrentNavigableMap<ClusteringKey, Integer> settled, int crashes) {}

  private static final int VERSIONS = 1_000;

  private static final class Versions {
    volatile int sent;
    volatile int settled;
  }

  final String sensor;
  private final ConcurrentNavigableMap<ClusteringKey, Versions> keys =
      new ConcurrentSkipListMap<>();
  private volatile int crashes;

  /** Whether former values may come again. */
  private volatile boolean settling;

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
    keys.values().forEach(versions -> versions.settled = versions.sent);
    settling = false;
  }

  /**
   * Notes that the node was killed: what it routed since its last commit is routed again, in order,
   * so a key that was corrected then may show its former values once more, until the next {@link
   * #settle}. No key may be gone.
   */
  void crash() {
    crashes++;
    settling = true;
    keys.values().forEach(versions -> versions.settled = Math.min(1, versions.settled));
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
    int until = crashes;
    ConcurrentNavigableMap<ClusteringKey, Integer> settled = new ConcurrentSkipListMap<>();
    keys.forEach(
        (key, versions) -> {
          int version = versions.settled;
          if (version > 0) {
            settled.put(key, version);
          }
        });
    return new Before(settled, until);
  }

  /**
   * Judges rows, and takes note of the versions that they show.
   *
   * @param toTheEnd whether the answer says that there are no more
   */
  Optional<Fault> check(List<Row> rows, Question question, boolean toTheEnd, Before before) {
    List<ClusteringKey> must = new ArrayList<>();
    for (ClusteringKey key :
        question.newestFirst() ? before.settled().keySet() : before.settled().descendingKeySet()) {
      if (question.covers(key)) {
        must.add(key);
      }
    }
    int expected = 0;
    ClusteringKey last = null;
    for (Row row : rows) {
      ClusteringKey key = row.key();
      if (last != null && key.equals(last)) {
        return fault(Kind.REPEATED, key);
      }
      if (!question.covers(key) || (last != null && !follows(last, key, question))) {
        return fault(Kind.MISORDERED, key);
      }
      last = key;
      Optional<Fault> wrong = checkVersion(row, before);
      if (wrong.isPresent()) {
        return wrong;
      }
      if (expected < must.size() && follows(must.get(expected), key, question)) {
        return fault(Kind.LOST, must.get(expected));
      }
      expected += expected < must.size() && must.get(expected).equals(key) ? 1 : 0;
    }
    return toTheEnd && expected < must.size()
        ? fault(Kind.LOST, must.get(expected))
        : Optional.empty();
  }

  private static boolean follows(ClusteringKey one, ClusteringKey other, Question question) {
    int order = one.compareTo(other);
    return question.newestFirst() ? order < 0 : order > 0;
  }

  private Optional<Fault> checkVersion(Row row, Before before) {
    ClusteringKey key = row.key();
    Versions versions = keys.get(key);
    if (versions == null) {
      return fault(Kind.UNKNOWN, key);
    }
    int version = (int) (row.value() % VERSIONS);
    if (version < 1 || version > versions.sent || row.value() != value(key, version)) {
      return Optional.of(new Fault(Kind.WRONG_VALUE, sensor, key + " value=" + row.value()));
    }
    int atLeast = before.settled().getOrDefault(key, 0);
    boolean mayGoBack = settling || before.crashes() != crashes;
    if (version < atLeast && !mayGoBack) {
      return Optional.of(
          new Fault(
              Kind.OUTDATED, sensor, key + " version=" + version + " after version " + atLeast));
    }
    synchronized (versions) {
      versions.settled = Math.max(versions.settled, mayGoBack ? 1 : version);
    }
    return Optional.empty();
  }

  /** Judges a count of all rows of a range: between what must have been there and what can be. */
  Optional<Fault> checkCount(long count, Question question, Before before) {
    long least = before.settled().keySet().stream().filter(question::covers).count();
    long most = keys.keySet().stream().filter(question::covers).count();
    return count >= least && count <= most
        ? Optional.empty()
        : Optional.of(
            new Fault(
                Kind.MISCOUNTED, sensor, count + " rows, where " + least + " to " + most + " are"));
  }

  private Optional<Fault> fault(Kind kind, ClusteringKey key) {
    return Optional.of(new Fault(kind, sensor, key.toString()));
  }

  /** A key that was sent, by its rank among them in the order of time. */
  Optional<ClusteringKey> keyNear(long timestampMicros) {
    Map.Entry<ClusteringKey, Versions> at =
        keys.ceilingEntry(new ClusteringKey(timestampMicros, 0));
    return Optional.ofNullable(at).map(Map.Entry::getKey);
  }
}
