package io.varve.query.plan;

import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the newest row of one sensor after another, each by its newest day alone. Single-threaded;
 * after {@link #find} the accessors speak of the row found.
 */
public final class LatestRow {
  private static final Scan FIRST =
      new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 1);

  private final List<PartitionReader> stores;
  private final ReadFacts facts;

  /** Fragments of the current sensor's newest day, and the stores that hold them. */
  private final List<Fragment> fragments = new ArrayList<>();

  private final List<PartitionReader> owners = new ArrayList<>();
  private final Set<Integer> days = new HashSet<>();
  private int previousDay = Integer.MIN_VALUE;
  private boolean found;
  private long timestampMicros;
  private long sequence;
  private double value;

  /**
   * @param stores serving stores, by topic partition
   */
  public LatestRow(List<PartitionReader> stores, ReadFacts facts) {
    this.stores = stores;
    this.facts = facts;
    facts.readsAll();
  }

  /** Finds a sensor's newest row; false when it has none. */
  public boolean find(SensorId sensor) {
    found = false;
    planNewestDay(sensor);
    for (int i = 0; i < fragments.size(); i++) {
      takeFirst(owners.get(i).read(sensor, fragments.get(i), FIRST, facts.stats()));
    }
    if (!found && !fragments.isEmpty()) {
      findPastExpiredDay(sensor);
    }
    return found;
  }

  private void planNewestDay(SensorId sensor) {
    fragments.clear();
    owners.clear();
    for (int s = 0; s < stores.size(); s++) {
      List<Fragment> newest = stores.get(s).newest(sensor);
      for (int i = 0; i < newest.size(); i++) {
        plan(stores.get(s), newest.get(i));
      }
    }
    if (!fragments.isEmpty() && fragments.get(0).day() != previousDay) {
      previousDay = fragments.get(0).day();
      days.add(previousDay);
      facts.stats().days = days.size();
    }
  }

  private void plan(PartitionReader store, Fragment fragment) {
    int day = fragments.isEmpty() ? Integer.MIN_VALUE : fragments.get(0).day();
    if (fragment.day() > day) {
      fragments.clear();
      owners.clear();
    }
    if (fragment.day() >= day) {
      fragments.add(fragment);
      owners.add(store);
    }
  }

  /** The newest day expired between being listed and being read; whatever is left is older. */
  private void findPastExpiredDay(SensorId sensor) {
    takeFirst(
        new RowWalk(stores, sensor, TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 1, facts));
  }

  private void takeFirst(RowCursor rows) {
    try (rows) {
      if (rows.next() && (!found || isNewer(rows))) {
        found = true;
        timestampMicros = rows.timestampMicros();
        sequence = rows.sequence();
        value = rows.value();
      }
    }
  }

  private boolean isNewer(RowCursor rows) {
    return Order.NEWEST_FIRST.compare(
            rows.timestampMicros(), rows.sequence(), timestampMicros, sequence)
        < 0;
  }

  public long timestampMicros() {
    return timestampMicros;
  }

  public long sequence() {
    return sequence;
  }

  public double value() {
    return value;
  }
}
