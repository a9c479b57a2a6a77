package io.varve.query.plan;

import io.varve.storage.NewestRows;
import io.varve.storage.Order;
import io.varve.storage.RowCursor;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the newest rows of one batch of sensors after another, each by its newest day alone.
 * Single-threaded; after {@link #find} the accessors speak of the rows found, by the sensors'
 * indexes in the batch.
 */
public final class LatestRows {
  /** Most sensors of a batch. */
  public static final int MAX_SENSORS = NewestRows.MAX_SENSORS;

  private final ServingStores stores;
  private final NewestRows[] newest;
  private final ReadFacts facts;
  private final Set<Integer> days = new HashSet<>();
  private int previousDay = NewestRows.NO_DAY;

  /** Newest day of each sensor over all stores. */
  private final int[] daysOf = new int[MAX_SENSORS];

  private final boolean[] found = new boolean[MAX_SENSORS];

  /** Sensors of which two stores, or two shards of one, may hold the same key: walked instead. */
  private final boolean[] walked = new boolean[MAX_SENSORS];

  private final long[] timestampsMicros = new long[MAX_SENSORS];
  private final long[] sequences = new long[MAX_SENSORS];
  private final double[] values = new double[MAX_SENSORS];

  public LatestRows(ServingStores stores, ReadFacts facts) {
    this.stores = stores;
    this.newest = new NewestRows[stores.all().size()];
    this.facts = facts;
    facts.readsAll();
    for (int s = 0; s < newest.length; s++) {
      newest[s] = stores.all().get(s).newestRows();
    }
  }

  /** Finds the newest rows of some sensors. */
  public void find(List<SensorId> sensors) {
    Arrays.fill(daysOf, NewestRows.NO_DAY);
    Arrays.fill(found, false);
    for (NewestRows store : newest) {
      store.find(sensors);
      for (int i = 0; i < sensors.size(); i++) {
        daysOf[i] = Math.max(daysOf[i], store.day(i));
      }
    }
    for (int i = 0; i < sensors.size(); i++) {
      count(daysOf[i]);
      SensorId sensor = sensors.get(i);
      walked[i] = stores.shardCounts().planned(sensor.utf8(), 0, sensor.length());
    }
    for (NewestRows store : newest) {
      read(store, sensors.size());
    }
    for (int i = 0; i < sensors.size(); i++) {
      boolean expired = !found[i]; // its newest day, between being found and being read
      if (daysOf[i] != NewestRows.NO_DAY && (walked[i] || expired)) {
        walk(i, sensors.get(i));
        facts.stats().days = days.size(); // the walk does not know which of its days is new
      }
    }
  }

  private void count(int day) {
    if (day != NewestRows.NO_DAY && day != previousDay) {
      previousDay = day;
      days.add(day);
      facts.stats().days = days.size();
    }
  }

  private void read(NewestRows store, int sensors) {
    long wanted = 0;
    for (int i = 0; i < sensors; i++) {
      if (daysOf[i] != NewestRows.NO_DAY && store.day(i) == daysOf[i] && !walked[i]) {
        wanted |= 1L << i;
      }
    }
    for (long read = store.read(wanted, facts.stats()); read != 0; read &= read - 1) {
      int i = Long.numberOfTrailingZeros(read);
      take(i, store.timestampMicros(i), store.sequence(i), store.value(i));
    }
  }

  private void walk(int index, SensorId sensor) {
    found[index] = false;
    try (RowCursor rows =
        new RowWalk(
            stores, sensor, TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 1, facts)) {
      if (rows.next()) {
        take(index, rows.timestampMicros(), rows.sequence(), rows.value());
      }
    }
  }

  /** Takes a row unless a newer one is there; which of two of one key it is, a walk finds out. */
  private void take(int index, long timestampMicros, long sequence, double value) {
    int order =
        found[index]
            ? Order.NEWEST_FIRST.compare(
                timestampMicros, sequence, timestampsMicros[index], sequences[index])
            : -1;
    walked[index] |= order == 0;
    if (order < 0) {
      found[index] = true;
      timestampsMicros[index] = timestampMicros;
      sequences[index] = sequence;
      values[index] = value;
    }
  }

  /** Whether a sensor has a row. */
  public boolean found(int index) {
    return found[index];
  }

  public long timestampMicros(int index) {
    return timestampsMicros[index];
  }

  public long sequence(int index) {
    return sequences[index];
  }

  public double value(int index) {
    return values[index];
  }
}
