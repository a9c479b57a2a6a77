package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.DayUse;
import io.varve.storage.Fragment;
import io.varve.storage.Freshness;
import io.varve.storage.NewestRows;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import io.varve.storage.ShardSize;
import io.varve.storage.ShardSizes;
import io.varve.storage.StoreState;
import io.varve.storage.StoreTotals;
import io.varve.storage.StoreUnavailableException;
import io.varve.storage.TimeRange;
import io.varve.storage.TrafficWatch;
import io.varve.storage.UtcDay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What readers see of one store, and where they report the damage that they meet. */
final class StoreReads implements PartitionReader {
  private static final Logger LOG = LoggerFactory.getLogger(StoreReads.class);

  /** How often a day is opened again that others have closed meanwhile. */
  private static final int MAX_TRIES = 1_000;

  private final Contents contents;
  private final BlockCopies copies = new BlockCopies();
  private final IdleDays idle;
  private final NavigableSet<Integer> damagedDays = new ConcurrentSkipListSet<>();
  private volatile boolean serving;
  private volatile boolean closed;

  /** Whether any day is in {@link #damagedDays}: asked several times for each sensor of a query. */
  private volatile boolean damaged;

  StoreReads(Contents contents, IdleDays idle) {
    this.contents = contents;
    this.idle = idle;
  }

  /** Lets readers in. */
  void serve() {
    serving = true;
  }

  boolean serving() {
    return serving;
  }

  TrafficWatch watch() {
    return contents.watch;
  }

  BlockCopies copies() {
    return copies;
  }

  /** Turns readers away, those in the middle of a walk too. */
  void close() {
    closed = true;
  }

  /** Notes damage; false if it is known. */
  boolean markDamaged(int day) {
    boolean isNew = damagedDays.add(day);
    damaged = true;
    return isNew;
  }

  /** Days in which damage was met; not to be changed. */
  NavigableSet<Integer> damagedDays() {
    return damagedDays;
  }

  /** Reports damage; the exception is returned for the caller to throw. */
  CorruptBlockException damaged(int day, CorruptBlockException e) {
    if (markDamaged(day)) {
      LOG.error(
          "damage found, rebuilding the day from the log: topic_partition={} {}",
          contents.topicPartition,
          e.getMessage());
    }
    return e;
  }

  /** The partition of a fragment, its day opened if need be; null if there is none. */
  @Nullable Partition partition(SensorEntry sensor, int day, int shard) {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      if (closed) {
        throw new StoreUnavailableException(
            "topic partition " + contents.topicPartition + " has left this node");
      }
      Segment segment = contents.segment(day);
      boolean opens = segment != null && segment.mapped() == null;
      if (opens) {
        idle.keepRoom();
      }
      SegmentMap map = segment == null ? null : open(segment);
      if (opens) {
        idle.askRoom();
      }
      if (segment == null || map == null) {
        if (closed) {
          continue;
        }
        return null;
      }
      Partition current = sensor.current;
      if (current != null
          && current.is(day, shard)
          && !current.moved()
          && (current.map == map || current.map == segment.next())) {
        return current;
      }
      Partition found = segment.partition(sensor, shard);
      if (found != null || segment.mapped() == map) {
        return found;
      }
      // Closed since it was opened, to make room: what is not there then says nothing.
    }
    throw new StoreUnavailableException(
        "day " + day + " is closed as often as it is opened: too many files are in use");
  }

  private @Nullable SegmentMap open(Segment segment) {
    try {
      return segment.open();
    } catch (CorruptBlockException e) {
      throw damaged(segment.day, e);
    } catch (IOException e) {
      throw new StoreUnavailableException("can't open day " + segment.day + ": " + e.getMessage());
    }
  }

  @Override
  public int topicPartition() {
    return contents.topicPartition;
  }

  @Override
  public StoreState state() {
    if (closed) {
      return StoreState.CLOSED;
    }
    if (damaged) {
      return StoreState.REBUILDING;
    }
    return serving ? StoreState.SERVING : StoreState.RESTORING;
  }

  private void requireServing() {
    StoreState state = state();
    if (state != StoreState.SERVING) {
      throw new StoreUnavailableException(
          "topic partition " + contents.topicPartition + " is " + state);
    }
  }

  private @Nullable SensorEntry entry(SensorId sensor) {
    requireServing();
    return contents.sensors.find(sensor);
  }

  /** Looks up some sensors; null where one is not here. */
  void find(List<SensorId> sensors, @Nullable SensorEntry[] found) {
    requireServing();
    contents.sensors.find(sensors, found);
  }

  @Override
  public List<Fragment> fragments(SensorId sensor, TimeRange range) {
    SensorEntry entry = entry(sensor);
    if (entry == null || range.fromMicros() >= range.toMicros()) {
      return List.of();
    }
    SensorEntry.Fragments all = entry.fragments;
    List<Fragment> found = new ArrayList<>();
    int from = all.from(UtcDay.of(range.fromMicros()));
    for (int i = all.from(UtcDay.of(range.toMicros() - 1) + 1) - 1; i >= from; i--) {
      found.add(new Fragment(all.day(i), all.shard(i), rows(entry, all, i)));
    }
    return found;
  }

  private long rows(SensorEntry entry, SensorEntry.Fragments all, int index) {
    Partition current = entry.current;
    if (current != null && current.is(all.day(index), all.shard(index)) && !current.moved()) {
      return current.rows();
    }
    Segment segment = contents.segment(all.day(index));
    if (segment == null || segment.mapped() == null) {
      return all.idleRows()[index];
    }
    Partition partition = segment.partition(entry, all.shard(index));
    // Closed since it was looked at: then its rows have been noted.
    return partition == null ? all.idleRows()[index] : partition.rows();
  }

  @Override
  public List<Fragment> newest(SensorId sensor) {
    SensorEntry entry = entry(sensor);
    return entry == null ? List.of() : newest(entry);
  }

  @Override
  public NewestRows newestRows() {
    return new NewestReader(this);
  }

  private List<Fragment> newest(SensorEntry entry) {
    SensorEntry.Fragments all = entry.fragments;
    int last = all.size() - 1;
    if (last < 0) {
      return List.of();
    }
    Fragment newest = new Fragment(all.day(last), all.shard(last), rows(entry, all, last));
    if (last == 0 || all.day(last - 1) != newest.day()) {
      return List.of(newest);
    }
    List<Fragment> found = new ArrayList<>();
    found.add(newest);
    for (int i = last - 1; i >= 0 && all.day(i) == newest.day(); i--) {
      found.add(new Fragment(all.day(i), all.shard(i), rows(entry, all, i)));
    }
    return found;
  }

  @Override
  public RowCursor read(SensorId sensor, Fragment fragment, Scan scan, ReadStats stats) {
    SensorEntry entry = entry(sensor);
    if (entry == null) {
      return FragmentCursor.empty();
    }
    stats.shards++;
    return new FragmentCursor(this, entry, fragment.day(), fragment.shard(), scan, stats);
  }

  @Override
  public Optional<SensorSummary> sensor(SensorId sensor) {
    SensorEntry entry = entry(sensor);
    return entry == null ? Optional.empty() : summary(entry);
  }

  private Optional<SensorSummary> summary(SensorEntry entry) {
    SensorEntry.Fragments all = entry.fragments;
    NewestReader newest = new NewestReader(this);
    newest.find(entry);
    if (newest.read(1, new ReadStats()) == 0) {
      return Optional.empty();
    }
    Row last = new Row(newest.timestampMicros(0), newest.sequence(0), newest.value(0));
    long rows = 0;
    for (int i = 0; i < all.size(); i++) {
      rows += rows(entry, all, i);
    }
    return Optional.of(
        new SensorSummary(entry.id, all.day(0), all.day(all.size() - 1), rows, last));
  }

  @Override
  public List<SensorSummary> sensors(byte[] prefix, Optional<SensorId> after, int limit) {
    requireServing();
    List<SensorSummary> found = new ArrayList<>();
    NavigableMap<SensorId, SensorEntry> view = contents.sensors.sorted();
    if (after.isPresent()) {
      view = view.tailMap(after.get(), false);
    }
    if (prefix.length > 0) {
      SensorId first = SensorId.prefixBound(prefix);
      if (after.isEmpty() || after.get().compareTo(first) < 0) {
        view = view.tailMap(first, true);
      }
    }
    for (SensorEntry entry : view.values()) {
      if (found.size() == limit || !entry.id.startsWith(prefix)) {
        break;
      }
      summary(entry).ifPresent(found::add);
    }
    return found;
  }

  @Override
  public Freshness freshness() {
    long offset = contents.applied;
    long eventTime = contents.eventTimeMicros;
    return new Freshness(
        contents.topicPartition,
        offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset),
        eventTime == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(eventTime));
  }

  @Override
  public List<DayUse> days() {
    Map<Integer, Long> bytes = contents.files.bytesByDay();
    List<DayUse> days = new ArrayList<>();
    for (Segment segment : contents.segments.values()) {
      days.add(new DayUse(segment.day, segment.rows(), bytes.getOrDefault(segment.day, 0L)));
    }
    return days;
  }

  @Override
  public ShardSizes shardSizes() {
    return contents.segments.values().stream()
        .map(Segment::shardSizes)
        .reduce(ShardSizes.NONE, ShardSizes::plus);
  }

  /** The shards of a day in use that take more than some bytes. */
  List<ShardSize> shardsLargerThan(long bytes, int day) {
    Segment segment = contents.segment(day);
    return segment == null
        ? List.of()
        : segment.maps().stream()
            .flatMap(map -> contents.guardrail.largerThan(bytes, map).stream())
            .toList();
  }

  @Override
  public StoreTotals totals() {
    int open = 0;
    int incomplete = 0;
    for (Segment segment : contents.segments.values()) {
      open += segment.mapped() != null ? 1 : 0;
      incomplete += segment.incomplete() ? 1 : 0;
    }
    return new StoreTotals(
        contents.stored,
        contents.expired,
        contents.capped,
        contents.cappedDays,
        contents.late,
        contents.overwritten,
        contents.duplicates,
        contents.expiredOnArrival,
        contents.undecodable,
        contents.segments.size(),
        open,
        contents.files.bytes(),
        contents.damagedSegments + damagedDays.size(),
        incomplete);
  }
}
