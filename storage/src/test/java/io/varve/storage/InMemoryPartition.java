package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/**
 * The model of a partition store: every row in sorted maps on the heap, the plainest code that
 * keeps the contract of {@link PartitionReader}. Thread-safe.
 *
 * <p>Tests of readers use it as their store; tests of the off-heap store compare with it. It is
 * stricter than the contract asks where that finds faults: an accessor without a row, a cursor
 * closed twice and a step after close throw.
 *
 * <p>Read statistics: a walk counts one fragment ({@link ReadStats#shards}), one block for the
 * whole fragment unless it has no rows in the scan, and each row that it steps onto as decoded.
 * {@link ReadStats#days} stays with the caller, who alone knows which days are distinct.
 */
public final class InMemoryPartition implements PartitionReader {
  /** A fragment's place among those of its sensor: newest day first, then the higher shard. */
  private record Place(int day, int shard) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byDay = Integer.compare(other.day, day);
      return byDay != 0 ? byDay : Integer.compare(other.shard, shard);
    }
  }

  private final int topicPartition;
  private final TreeMap<SensorId, TreeMap<Place, TreeMap<ClusteringKey, Row>>> sensors =
      new TreeMap<>();
  private StoreState state = StoreState.SERVING;
  private OptionalLong appliedOffset = OptionalLong.empty();
  private OptionalLong eventTimeMicros = OptionalLong.empty();
  private int floorDay = Integer.MIN_VALUE;
  private long stored;
  private long expired;
  private long overwritten;
  private long duplicates;
  private long expiredOnArrival;
  private int openCursors;

  /** Makes an empty store of one topic partition that serves. */
  public InMemoryPartition(int topicPartition) {
    this.topicPartition = topicPartition;
  }

  /** Applies one row as the next of the log; the row is visible when this returns. */
  public synchronized void put(SensorId sensor, int shard, Row row, long offset) {
    appliedOffset = OptionalLong.of(offset);
    int day = UtcDay.of(row.timestampMicros());
    if (day < floorDay) {
      expiredOnArrival++;
      return;
    }
    eventTimeMicros =
        OptionalLong.of(Math.max(eventTimeMicros.orElse(Long.MIN_VALUE), row.timestampMicros()));
    Row before =
        sensors
            .computeIfAbsent(sensor, absent -> new TreeMap<>())
            .computeIfAbsent(new Place(day, shard), absent -> new TreeMap<>())
            .put(row.key(), row);
    if (before == null) {
      stored++;
    } else if (before.equals(row)) {
      duplicates++;
    } else {
      overwritten++;
    }
  }

  /** Drops every day before a floor; the floor only rises. */
  public synchronized void expire(int newFloorDay) {
    floorDay = Math.max(floorDay, newFloorDay);
    for (Iterator<TreeMap<Place, TreeMap<ClusteringKey, Row>>> each = sensors.values().iterator();
        each.hasNext(); ) {
      TreeMap<Place, TreeMap<ClusteringKey, Row>> fragments = each.next();
      NavigableMap<Place, TreeMap<ClusteringKey, Row>> old =
          fragments.tailMap(new Place(floorDay, -1), false);
      for (TreeMap<ClusteringKey, Row> rows : old.values()) {
        stored -= rows.size();
        expired += rows.size();
      }
      old.clear();
      if (fragments.isEmpty()) {
        each.remove();
      }
    }
  }

  /** Moves to another state; {@link StoreState#CLOSED} also ends the walks that are open. */
  public synchronized void state(StoreState newState) {
    state = newState;
  }

  /** Counts cursors handed out and not closed. */
  public synchronized int openCursors() {
    return openCursors;
  }

  /** Fails the test when a cursor was left open. */
  public void assertNoOpenCursors() {
    assertThat(openCursors())
        .as("cursors left open on topic partition %s", topicPartition)
        .isZero();
  }

  @Override
  public int topicPartition() {
    return topicPartition;
  }

  @Override
  public synchronized StoreState state() {
    return state;
  }

  @Override
  public synchronized List<Fragment> fragments(SensorId sensor, TimeRange range) {
    requireServing();
    List<Fragment> found = new ArrayList<>();
    for (Map.Entry<Place, TreeMap<ClusteringKey, Row>> each : placesOf(sensor).entrySet()) {
      if (range.touches(each.getKey().day())) {
        found.add(fragment(each));
      }
    }
    return found;
  }

  @Override
  public synchronized List<Fragment> newest(SensorId sensor) {
    requireServing();
    List<Fragment> found = new ArrayList<>();
    for (Map.Entry<Place, TreeMap<ClusteringKey, Row>> each : placesOf(sensor).entrySet()) {
      if (!found.isEmpty() && found.get(0).day() != each.getKey().day()) {
        break;
      }
      found.add(fragment(each));
    }
    return found;
  }

  @Override
  public NewestRows newestRows() {
    return new ModelNewest();
  }

  @Override
  public synchronized RowCursor read(
      SensorId sensor, Fragment fragment, Scan scan, ReadStats stats) {
    requireServing();
    openCursors++;
    stats.shards++;
    return new ModelCursor(sensor, new Place(fragment.day(), fragment.shard()), scan, stats);
  }

  @Override
  public synchronized Optional<SensorSummary> sensor(SensorId sensor) {
    requireServing();
    TreeMap<Place, TreeMap<ClusteringKey, Row>> fragments = placesOf(sensor);
    return fragments.isEmpty() ? Optional.empty() : Optional.of(summary(sensor, fragments));
  }

  @Override
  public synchronized List<SensorSummary> sensors(
      byte[] prefix, Optional<SensorId> after, int limit) {
    requireServing();
    List<SensorSummary> found = new ArrayList<>();
    for (Map.Entry<SensorId, TreeMap<Place, TreeMap<ClusteringKey, Row>>> each :
        sensors.entrySet()) {
      boolean listed = after.isPresent() && each.getKey().compareTo(after.get()) <= 0;
      if (found.size() < limit && !listed && each.getKey().startsWith(prefix)) {
        found.add(summary(each.getKey(), each.getValue()));
      }
    }
    return found;
  }

  @Override
  public synchronized Freshness freshness() {
    return new Freshness(topicPartition, appliedOffset, eventTimeMicros);
  }

  @Override
  public synchronized StoreTotals totals() {
    long days =
        sensors.values().stream()
            .flatMap(fragments -> fragments.keySet().stream())
            .map(Place::day)
            .distinct()
            .count();
    return new StoreTotals(
        stored,
        expired,
        0,
        Set.of(),
        0,
        overwritten,
        duplicates,
        expiredOnArrival,
        0,
        (int) days,
        (int) days,
        stored * Long.BYTES * 3,
        0,
        0);
  }

  private void requireServing() {
    if (state != StoreState.SERVING) {
      throw new StoreUnavailableException(
          "store does not serve: topicPartition=" + topicPartition + " state=" + state);
    }
  }

  private TreeMap<Place, TreeMap<ClusteringKey, Row>> placesOf(SensorId sensor) {
    return sensors.getOrDefault(sensor, new TreeMap<>());
  }

  private static Fragment fragment(Map.Entry<Place, TreeMap<ClusteringKey, Row>> each) {
    return new Fragment(each.getKey().day(), each.getKey().shard(), each.getValue().size());
  }

  private static SensorSummary summary(
      SensorId sensor, TreeMap<Place, TreeMap<ClusteringKey, Row>> fragments) {
    int lastDay = fragments.firstKey().day();
    Optional<Row> last = Optional.empty();
    long rows = 0;
    for (Map.Entry<Place, TreeMap<ClusteringKey, Row>> each : fragments.entrySet()) {
      rows += each.getValue().size();
      Row newest = each.getValue().firstEntry().getValue();
      if (last.isEmpty() || newest.key().compareTo(last.get().key()) < 0) {
        last = Optional.of(newest);
      }
    }
    return new SensorSummary(sensor, fragments.lastKey().day(), lastDay, rows, last.orElseThrow());
  }

  /** By walks over the fragments of the newest days. */
  private final class ModelNewest implements NewestRows {
    private static final Scan FIRST =
        new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 1);

    private List<SensorId> sensors = List.of();
    private List<List<Fragment>> fragments = List.of();
    private final Map<Integer, Row> rows = new TreeMap<>();

    @Override
    public void find(List<SensorId> batch) {
      assertThat(batch).hasSizeLessThanOrEqualTo(MAX_SENSORS);
      rows.clear();
      sensors = List.copyOf(batch);
      fragments = sensors.stream().map(InMemoryPartition.this::newest).toList();
    }

    @Override
    public int day(int sensor) {
      return fragments.get(sensor).isEmpty() ? NO_DAY : fragments.get(sensor).get(0).day();
    }

    @Override
    public long read(long wanted, ReadStats stats) {
      long found = 0;
      for (int sensor = 0; sensor < sensors.size(); sensor++) {
        if ((wanted >>> sensor & 1) != 0) {
          for (Fragment fragment : fragments.get(sensor)) {
            readFirst(sensor, fragment, stats);
          }
          found |= rows.containsKey(sensor) ? 1L << sensor : 0;
        }
      }
      return found;
    }

    private void readFirst(int sensor, Fragment fragment, ReadStats stats) {
      try (RowCursor cursor =
          InMemoryPartition.this.read(sensors.get(sensor), fragment, FIRST, stats)) {
        if (cursor.next()) {
          rows.merge(
              sensor,
              new Row(cursor.timestampMicros(), cursor.sequence(), cursor.value()),
              (before, read) -> before.key().compareTo(read.key()) <= 0 ? before : read);
        }
      }
    }

    private Row row(int sensor) {
      return Optional.ofNullable(rows.get(sensor)).orElseThrow();
    }

    @Override
    public long timestampMicros(int sensor) {
      return row(sensor).timestampMicros();
    }

    @Override
    public long sequence(int sensor) {
      return row(sensor).sequence();
    }

    @Override
    public double value(int sensor) {
      return row(sensor).value();
    }
  }

  /** A walk that finds its next row afresh at every step, so writes in between are no matter. */
  private final class ModelCursor implements RowCursor {
    private final SensorId sensor;
    private final Place place;
    private final Scan scan;
    private final ReadStats stats;
    private Optional<ClusteringKey> passed;
    private Optional<Row> row = Optional.empty();
    private boolean stepped;
    private boolean exhausted;
    private boolean closed;

    ModelCursor(SensorId sensor, Place place, Scan scan, ReadStats stats) {
      this.sensor = sensor;
      this.place = place;
      this.scan = scan;
      this.stats = stats;
      this.passed = scan.after();
    }

    @Override
    public boolean next() {
      synchronized (InMemoryPartition.this) {
        if (closed) {
          throw new IllegalStateException("step of a closed cursor");
        }
        if (state == StoreState.CLOSED) {
          throw new StoreUnavailableException("store closed under the walk");
        }
        row = exhausted ? Optional.empty() : following();
        exhausted = row.isEmpty();
        if (row.isPresent()) {
          passed = row.map(Row::key);
          stats.blocks += stepped ? 0 : 1;
          stats.rowsDecoded++;
          stepped = true;
        }
        return !exhausted;
      }
    }

    private Optional<Row> following() {
      NavigableMap<ClusteringKey, Row> rows = placesOf(sensor).getOrDefault(place, new TreeMap<>());
      NavigableMap<ClusteringKey, Row> ordered =
          scan.order() == Order.NEWEST_FIRST ? rows : rows.descendingMap();
      NavigableMap<ClusteringKey, Row> ahead =
          passed.isPresent() ? ordered.tailMap(passed.get(), false) : ordered;
      // A plain loop, since a stream of a map's tail counts the tail first.
      for (Row each : ahead.values()) {
        if (scan.range().contains(each.timestampMicros())) {
          return Optional.of(each);
        }
      }
      return Optional.empty();
    }

    private Row current() {
      return row.orElseThrow(() -> new IllegalStateException("the cursor stands on no row"));
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
      synchronized (InMemoryPartition.this) {
        if (closed) {
          throw new IllegalStateException("cursor closed twice");
        }
        closed = true;
        row = Optional.empty();
        openCursors--;
      }
    }
  }
}
