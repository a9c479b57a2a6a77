package io.varve.load.oracle;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts of faults by kind, and the first ten of them. Thread-safe. */
public final class Faults {
  private static final int SHOWN = 10;

  private final Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
  private final List<Fault> first = new ArrayList<>();

  synchronized void add(FaultKind kind, String where, String detail) {
    counts.merge(kind, 1L, Long::sum);
    if (first.size() < SHOWN) {
      first.add(new Fault(kind, where, detail));
    }
  }

  synchronized void addAll(Faults others) {
    others.counts().forEach((kind, count) -> counts.merge(kind, count, Long::sum));
    for (Fault fault : others.first()) {
      if (first.size() < SHOWN) {
        first.add(fault);
      }
    }
  }

  /** How many of each kind; kinds without any are left out. */
  public synchronized Map<FaultKind, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** The first ten. */
  public synchronized List<Fault> first() {
    return List.copyOf(first);
  }

  /** Whether there is none. */
  public synchronized boolean none() {
    return counts.isEmpty();
  }

  /** Whether time may cure all of them: what is acknowledged may become visible yet. */
  synchronized boolean mayPass() {
    return counts.keySet().stream()
        .allMatch(
            kind ->
                kind == FaultKind.LOST
                    || kind == FaultKind.REVERTED
                    || kind == FaultKind.STALE_LATEST
                    || kind == FaultKind.UNACCOUNTED);
  }
}
