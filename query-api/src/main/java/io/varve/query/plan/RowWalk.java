package io.varve.query.plan;

import io.varve.storage.ClusteringKey;
import io.varve.storage.Fragment;
import io.varve.storage.MergeCursor;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.RowCursor;
import io.varve.storage.RowRun;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.SpeakingShard;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The walk over one sensor's rows in all stores: days in order, one after another, the shards of a
 * day merged.
 *
 * <p>Which shards a day has, the stores say; shard plans are asked only which of two rows of one
 * key is shown.
 *
 * <p>A day is opened only when the walk gets there, so the latest rows of a sensor touch the
 * fragments of its newest day alone. Which days exist is asked of the stores' index: a year-long
 * range over two days of data reads two days, and the newest day is found without listing the
 * others.
 */
public final class RowWalk implements RowCursor {
  /** A fragment and the store that holds it. */
  private record Place(PartitionReader store, Fragment fragment) {}

  private final ServingStores stores;
  private final SensorId sensor;
  private final Order order;
  private final Optional<ClusteringKey> after;
  private final int rowsWanted;
  private final ReadFacts facts;

  private final TimeRange range;

  /** The part of the range that is not planned yet; shrinks to nothing. */
  private TimeRange unplanned;

  private List<Place> places = List.of();
  private int nextPlace;
  private @Nullable RowCursor day;
  private boolean found;
  private boolean closed;

  /**
   * @param range event time, half-open
   * @param after resume strictly after this key in {@code order}; empty to start at the edge
   * @param rowsWanted most rows that the caller will step over: a hint
   */
  public RowWalk(
      ServingStores stores,
      SensorId sensor,
      TimeRange range,
      Order order,
      Optional<ClusteringKey> after,
      int rowsWanted,
      ReadFacts facts) {
    this.stores = stores;
    this.sensor = sensor;
    this.order = order;
    this.after = after;
    this.rowsWanted = rowsWanted;
    this.facts = facts;
    this.range = after.map(key -> beyond(range, order, key)).orElse(range);
    this.unplanned = this.range;
  }

  /** What of a range can hold rows at or after a key. */
  private static TimeRange beyond(TimeRange range, Order order, ClusteringKey key) {
    long at = key.timestampMicros();
    if (!range.contains(at)) {
      throw new IllegalArgumentException("range " + range + " does not hold " + key);
    }
    return order == Order.NEWEST_FIRST
        ? new TimeRange(range.fromMicros(), at + 1)
        : new TimeRange(at, range.toMicros());
  }

  @Override
  public boolean next() {
    for (RowCursor open = openDay(); open != null; open = nextDay()) {
      if (open.next()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean nextRun(RowRun into) {
    into.clear();
    for (RowCursor open = openDay(); open != null; open = nextDay()) {
      if (open.nextRun(into)) {
        return true;
      }
    }
    return false;
  }

  /** Tells whether the sensor has any row in the stores, in the range or not. */
  public boolean known() {
    if (!found) {
      plan();
    }
    for (int i = 0; i < stores.all().size() && !found; i++) {
      found = !stores.all().get(i).newest(sensor).isEmpty();
    }
    return found;
  }

  /** Finds more fragments to read; false when there are none. */
  private boolean plan() {
    while (unplanned.fromMicros() < unplanned.toMicros()) {
      boolean openEnded = unplanned.toMicros() == UtcDay.END_TIMESTAMP_MICROS;
      places = order == Order.NEWEST_FIRST && openEnded ? newestDay() : remaining();
      nextPlace = 0;
      if (!places.isEmpty()) {
        found = true;
        return true;
      }
    }
    return false;
  }

  /** Plans the sensor's newest day alone. */
  private List<Place> newestDay() {
    List<Place> newest = new ArrayList<>(1);
    int newestDay = Integer.MIN_VALUE;
    for (PartitionReader store : stores.all()) {
      for (Fragment fragment : store.newest(sensor)) {
        if (fragment.day() > newestDay) {
          newest.clear();
          newestDay = fragment.day();
        }
        if (fragment.day() == newestDay) {
          newest.add(new Place(store, fragment));
        }
      }
    }
    found |= !newest.isEmpty();
    if (newest.isEmpty() || !range.touches(newestDay)) {
      unplanned = new TimeRange(range.fromMicros(), range.fromMicros());
      return List.of();
    }
    long dayStart = UtcDay.startMicros(newestDay);
    unplanned = new TimeRange(range.fromMicros(), Math.max(range.fromMicros(), dayStart));
    newest.sort(byOrder());
    return newest;
  }

  /** Plans every day that is left. */
  private List<Place> remaining() {
    TimeRange rest = unplanned;
    unplanned = new TimeRange(range.fromMicros(), range.fromMicros());
    List<Place> all = new ArrayList<>();
    for (PartitionReader store : stores.all()) {
      for (Fragment fragment : store.fragments(sensor, rest)) {
        all.add(new Place(store, fragment));
      }
    }
    all.sort(byOrder());
    return all;
  }

  private Comparator<Place> byOrder() {
    Comparator<Place> byDay = Comparator.comparingInt(place -> place.fragment().day());
    return (order == Order.NEWEST_FIRST ? byDay.reversed() : byDay)
        .thenComparingInt(place -> place.fragment().shard())
        .thenComparingInt(place -> place.store().topicPartition());
  }

  private RowCursor mergeDay() {
    int dayNumber = places.get(nextPlace).fragment().day();
    Optional<ClusteringKey> resume =
        after.filter(key -> UtcDay.of(key.timestampMicros()) == dayNumber);
    int end = nextPlace + 1;
    while (end < places.size() && places.get(end).fragment().day() == dayNumber) {
      end++;
    }
    List<Place> shards = places.subList(nextPlace, end);
    nextPlace = end;
    facts.stats().days++;
    return merge(shards, new Scan(range, order, resume, wantedOf(shards.size())));
  }

  /** How many rows of one of so many shards are hardly ever exceeded. */
  private int wantedOf(int shards) {
    int each = rowsWanted / shards;
    return shards == 1 ? rowsWanted : each + 4 * (int) Math.sqrt(each) + 4;
  }

  private RowCursor merge(List<Place> shards, Scan scan) {
    List<RowCursor> walks = new ArrayList<>(shards.size());
    try {
      for (Place place : shards) {
        facts.reads(place.store());
        walks.add(place.store().read(sensor, place.fragment(), scan, facts.stats()));
      }
    } catch (RuntimeException e) {
      walks.forEach(RowCursor::close);
      throw e;
    }
    SpeakingShard speaking = new SpeakingShard(stores.shardCounts(), sensor);
    return MergeCursor.of(
        walks,
        order,
        (timestampMicros, sequence, a, b) ->
            speaking.prefers(
                timestampMicros,
                sequence,
                shards.get(a).fragment().shard(),
                shards.get(b).fragment().shard()));
  }

  /** The day that the walk is in, the next one if it is in none; null at the end. */
  private @Nullable RowCursor openDay() {
    if (closed) {
      throw new IllegalStateException("step of a closed cursor");
    }
    return day != null ? day : nextDay();
  }

  private @Nullable RowCursor nextDay() {
    closeDay();
    if (nextPlace < places.size() || plan()) {
      day = mergeDay();
    }
    return day;
  }

  private void closeDay() {
    RowCursor open = day;
    day = null;
    if (open != null) {
      open.close();
    }
  }

  private RowCursor current() {
    if (day == null) {
      throw new IllegalStateException("the cursor stands on no row");
    }
    return day;
  }

  @Override
  public long timestampMicros() {
    return current().timestampMicros();
  }

  @Override
  public long sequence() {
    return current().sequence();
  }

  @Override
  public double value() {
    return current().value();
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("cursor closed twice");
    }
    closed = true;
    closeDay();
  }
}
