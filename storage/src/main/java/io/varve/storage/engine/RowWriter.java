package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.TrafficWatch;
import io.varve.storage.UtcDay;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one function that puts rows of the log into the store, whether they come through processing
 * or through restore. Holds the store's lock for the length of a record.
 */
final class RowWriter implements RowPack.Sink {
  private static final Logger LOG = LoggerFactory.getLogger(RowWriter.class);
  private static final int MAX_SHARDS = 64;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long SAY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Contents contents;
  private final Upkeep upkeep;
  private final RowWindow window = new RowWindow();
  private @Nullable SegmentMap touchedMap;

  /** The segment of the mapping that was touched last, so that a record costs no look-up. */
  private @Nullable Segment touchedSegment;

  private final TrafficWatch watch;

  /** Rows until the next one is shown, and how many that one will stand for. */
  private int untilShown;

  private int standsFor;

  /** Whether the record is new rather than restored. */
  private boolean fresh;

  private long records;
  private long offset = -1;
  private long eventTime;
  private volatile @Nullable String stalled;

  RowWriter(Contents contents, Upkeep upkeep) {
    this.contents = contents;
    this.upkeep = upkeep;
    this.eventTime = contents.eventTimeMicros;
    this.watch = contents.watch;
    this.standsFor = watch.rowsUntilShown();
    this.untilShown = standsFor;
  }

  /**
   * Applies all rows of a record, in order.
   *
   * @param recordOffset offset in {@code rows}, or a lower bound of it
   * @param isFresh whether its rows are new; false while they are restored
   */
  void write(long recordOffset, byte @Nullable [] value, boolean isFresh) {
    contents.lock.lock();
    try {
      fresh = isFresh;
      offset = recordOffset;
      records++;
      window.size = 0;
      eventTime = Math.max(eventTime, contents.eventTimeMicros);
      if (value == null) {
        contents.undecodable++;
      } else {
        if (RowPack.read(value, this) >= 0) {
          contents.undecodable++;
        }
        drain(value);
      }
      contents.eventTimeMicros = eventTime;
      DiskStep.APPLY_RECORD.after();
    } finally {
      contents.lock.unlock();
    }
    upkeep.idle().keepRoom();
  }

  @Override
  public void row(
      byte[] bytes,
      int idOffset,
      int idLength,
      int shard,
      long timestampMicros,
      long sequence,
      long valueBits) {
    if (shard >= MAX_SHARDS
        || timestampMicros < UtcDay.MIN_TIMESTAMP_MICROS
        || timestampMicros >= UtcDay.END_TIMESTAMP_MICROS) {
      contents.undecodable++;
      return;
    }
    if (UtcDay.of(timestampMicros) < contents.floorDay) {
      contents.expiredOnArrival++;
      return;
    }
    if (window.size == RowWindow.ROWS) {
      drain(bytes);
    }
    window.add(idOffset, idLength, shard, timestampMicros, sequence, valueBits);
  }

  /** Puts the rows of the window where they belong, in order. */
  private void drain(byte[] bytes) {
    window.find(bytes, contents.sensors);
    for (int i = 0; i < window.size; i++) {
      put(
          window.sensors[i],
          window.shards[i],
          window.timestamps[i],
          window.sequences[i],
          window.valueBits[i]);
    }
    window.size = 0;
  }

  private void put(
      SensorEntry sensor, int shard, long timestampMicros, long sequence, long valueBits) {
    int day = UtcDay.of(timestampMicros);
    Partition partition = sensor.current;
    if (partition == null
        || partition.map.day != day
        || partition.shard != shard
        || partition.moved()
        || !partition.map.open) {
      partition = retried(() -> locate(sensor, day, shard));
      sensor.current = partition;
    }
    if (partition.map.touchedRecord != records) {
      touch(partition.map);
    }
    boolean first = partition.rows() == 0;
    switch (put(partition, timestampMicros, sequence, valueBits)) {
      case STORED -> {
        contents.stored++;
        partition.map.arrived++;
      }
      case LATE -> {
        contents.stored++;
        contents.late++;
        partition.map.arrived++;
      }
      case OVERWRITTEN -> {
        contents.overwritten++;
        partition.map.arrived++;
      }
      case DUPLICATE -> contents.duplicates++;
    }
    if (first) {
      sensor.list(day, shard, 1);
    }
    if (timestampMicros > eventTime) {
      eventTime = timestampMicros;
    }
    if (fresh && --untilShown == 0) {
      watch.written(sensor.id, day, shard, timestampMicros, standsFor);
      standsFor = watch.rowsUntilShown();
      untilShown = standsFor;
    }
  }

  private Partition.Outcome put(
      Partition partition, long timestamp, long sequence, long valueBits) {
    try {
      try {
        return partition.put(timestamp, sequence, valueBits);
      } catch (IOException e) {
        return retried(() -> partition.put(timestamp, sequence, valueBits));
      }
    } catch (CorruptBlockException e) {
      throw new DamagedDayException(partition.map.day, e);
    }
  }

  private Partition locate(SensorEntry sensor, int day, int shard) throws IOException {
    Segment segment = contents.segment(day);
    SegmentMap map = segment == null ? null : openOrRebuild(segment);
    if (segment == null || map == null) {
      map = contents.createSegment(day, Math.max(offset, 0));
      return map.partitionOrNew(sensor, shard);
    }
    return segment.partitionOrNew(sensor, shard, map);
  }

  /** Opens a day to write to; a damaged one is set aside, to come again from the log. */
  private @Nullable SegmentMap openOrRebuild(Segment segment) throws IOException {
    try {
      return segment.open();
    } catch (CorruptBlockException e) {
      throw new DamagedDayException(segment.day, e);
    }
  }

  private void touch(SegmentMap map) {
    if (map != touchedMap) {
      touchedMap = map;
      touchedSegment = contents.segment(map.day);
    }
    Segment segment = touchedSegment;
    if (segment != null) {
      if (segment.indexed()) {
        retried(
            () -> {
              segment.beforeChange();
              return segment;
            });
      }
      segment.lastUsedNanos = System.nanoTime();
    }
    map.touchedRecord = records;
    map.touches++;
    map.dirty = true;
    if (offset > map.header.lastOffset()) {
      map.header.noteLastOffset(offset);
    }
  }

  /** An action on files that may find the disk full. */
  private interface FileAction<T> {
    T run() throws IOException;
  }

  /**
   * Runs an action until it succeeds: a full disk holds the writer up, it loses nothing. Readers
   * and readiness go on; {@link #stalled} says why.
   */
  private <T> T retried(FileAction<T> action) {
    long saidAt = 0;
    while (true) {
      try {
        T result = action.run();
        if (stalled != null) {
          stalled = null;
          LOG.info("writing again: topic_partition={}", contents.topicPartition);
        }
        return result;
      } catch (IOException e) {
        stalled = "can't write to " + contents.files.folder + ": " + e.getMessage();
        if (saidAt == 0 || System.nanoTime() - saidAt > SAY_NANOS) {
          saidAt = System.nanoTime();
          LOG.error(
              "waiting for the disk, nothing is lost; free some space: topic_partition={}"
                  + " folder={} cause={}",
              contents.topicPartition,
              contents.files.folder,
              e.toString());
        }
        if (Thread.currentThread().isInterrupted()) {
          throw new IllegalStateException("interrupted while waiting for the disk", e);
        }
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  /** Why the writer waits; empty while it does not. */
  Optional<String> stalled() {
    return Optional.ofNullable(stalled);
  }

  /** Why days leave, and where their rows are counted. */
  enum Why {
    RETENTION,
    CAP
  }

  /**
   * Drops the days before a floor; the caller chose the floor.
   *
   * <p>Floor and counters are on disk before the files go: a process killed between leaves files
   * below the floor, which are counted already and deleted at the next start. Where the disk has no
   * room for that the files go all the same.
   */
  void dropBefore(int floorDay, Why why) throws IOException {
    List<Integer> left = leave(floorDay, why);
    if (left.isEmpty()) {
      return;
    }
    try {
      upkeep.record();
    } catch (IOException e) {
      LOG.warn(
          "can't record that days leave, a kill now would have them come from the log again:"
              + " topic_partition={} cause={}",
          contents.topicPartition,
          e.toString());
    }
    IOException failure = null;
    for (int day : left) {
      try {
        contents.files.delete(day);
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** Raises the floor, for readers and the writer at once; returns the days that left. */
  private List<Integer> leave(int floorDay, Why why) {
    List<Integer> left = new ArrayList<>();
    contents.lock.lock();
    try {
      if (floorDay <= contents.floorDay) {
        return left;
      }
      contents.floorDay = floorDay;
      for (Segment segment : contents.segments.headMap(floorDay, false).values()) {
        long rows = segment.rows();
        drop(segment);
        left.add(segment.day);
        contents.stored -= rows;
        if (why == Why.CAP) {
          contents.capped += rows;
          contents.cappedDays.add(segment.day);
        } else {
          contents.expired += rows;
        }
      }
      if (!left.isEmpty()) {
        for (SensorEntry sensor : contents.sensors.sorted().values()) {
          sensor.unlistBefore(floorDay);
        }
        contents.sensors.forgetEmpty();
      }
      return left;
    } finally {
      contents.lock.unlock();
    }
  }

  private void drop(Segment segment) {
    touchedMap = null;
    touchedSegment = null;
    segment.drop();
    List<SegmentMap> maps = segment.detach();
    contents.segments.remove(segment.day);
    segment.close(maps);
  }
}
