package io.varve.storage.engine;

import io.varve.storage.TrafficWatch;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the parts of one store share: its segments, sensors, files, counters and write lock. */
final class Contents {
  final int topicPartition;
  final StoreSettings settings;
  final SegmentFiles files;
  final SensorTable sensors = new SensorTable();
  final ConcurrentSkipListMap<Integer, Segment> segments = new ConcurrentSkipListMap<>();

  /** Held by the writer for each record, and by whoever closes, drops or marks segments. */
  final ReentrantLock lock = new ReentrantLock();

  final BlockSpace.Growth growth;

  final Guardrail guardrail;

  /** The writer's, used under the lock. */
  final Sealer sealer = new Sealer();

  // Counters below are changed under the lock and published by the writer's volatile stores.
  long stored;
  long expired;
  long capped;
  long late;
  long overwritten;
  long duplicates;
  long expiredOnArrival;
  long undecodable;
  volatile long damagedSegments;
  volatile long eventTimeMicros = Long.MIN_VALUE;

  /** Days that a cap in bytes made leave. */
  final ConcurrentSkipListSet<Integer> cappedDays = new ConcurrentSkipListSet<>();

  /** Days before it have left; only rises. */
  volatile int floorDay = Integer.MIN_VALUE;

  /** Is shown what comes and what is read; set before the first record is applied. */
  volatile TrafficWatch watch = TrafficWatch.NONE;

  /** Newest offset whose rows are visible; -1 for none. */
  volatile long applied = -1;

  /** The store may answer once this offset has been applied (again). */
  volatile long servingFrom = -1;

  /** Newest offset whose rows a completed force covers; -1 for none. */
  volatile long committed = -1;

  Contents(int topicPartition, StoreSettings settings, SegmentFiles files, AheadAsker asker) {
    this.topicPartition = topicPartition;
    this.settings = settings;
    this.files = files;
    this.guardrail =
        new Guardrail(topicPartition, settings.maxShardBytes(), settings.maxShardRows());
    this.growth =
        new BlockSpace.Growth() {
          @Override
          public int blocks(int called, int expected) {
            return files.sizes.next(called, expected);
          }

          @Override
          public BlockFile make(int day, int generation, int index, int blocks) throws IOException {
            return files.create(day, generation, index, blocks);
          }

          @Override
          public void askAhead(SegmentMap map) {
            asker.ask(map);
          }

          @Override
          public void grew(Partition partition) {
            guardrail.check(partition);
          }
        };
  }

  /** Passes a request to grow a segment ahead on to a background thread. */
  interface AheadAsker {
    void ask(SegmentMap map);
  }

  Segment newSegment(int day) {
    return new Segment(day, files, growth, sensors, sealer, guardrail);
  }

  @Nullable Segment segment(int day) {
    return segments.get(day);
  }

  /**
   * Makes an empty segment of a day; the caller holds the lock. The day after the newest one will
   * soon take a block for each sensor of that one: its second file has room for them.
   */
  SegmentMap createSegment(int day, long firstOffset) throws IOException {
    Map.Entry<Integer, Segment> newest = segments.lastEntry();
    SegmentMap before =
        newest == null || newest.getKey() != day - 1 ? null : newest.getValue().mapped();
    BlockFile first = files.create(day, 0, 0, files.sizes.first());
    SegmentMap map = SegmentMap.create(day, 0, first, firstOffset, growth, sealer);
    map.space.expect(before == null ? 0 : before.partitions().size());
    map.space.releaseAll(0, BlockSpace.RESERVED_BLOCKS);
    Segment segment = newSegment(day);
    segment.attach(map);
    segments.put(day, segment);
    return map;
  }

  /** What the offsets file should say now for a committed offset. */
  StoreOffsets offsets(String bootId, long committedOffset) {
    return new StoreOffsets(
        topicPartition,
        settings.topicPartitions(),
        committedOffset < 0 ? OptionalLong.empty() : OptionalLong.of(committedOffset),
        Math.max(applied, servingFrom),
        bootId,
        DayRanges.format(segments.keySet()),
        floorDay,
        DayRanges.format(cappedDays),
        new StoreOffsets.Counters(
            expired,
            capped,
            late,
            overwritten,
            duplicates,
            expiredOnArrival,
            undecodable,
            damagedSegments,
            eventTimeMicros));
  }

  /**
   * Takes over what the store remembers beside its rows.
   *
   * @throws IllegalStateException if it belongs to another topic partition, or to another number of
   *     them
   */
  void adopt(StoreOffsets offsets) {
    if (offsets.topicPartition() != topicPartition
        || offsets.topicPartitions() != settings.topicPartitions()) {
      throw new IllegalStateException(
          "the store belongs to other topic partitions: folder="
              + files.folder
              + " holds="
              + offsets.topicPartition()
              + " of "
              + offsets.topicPartitions()
              + " asked="
              + topicPartition
              + " of "
              + settings.topicPartitions());
    }
    committed = offsets.committed().orElse(-1);
    applied = offsets.applied();
    floorDay = offsets.floorDay();
    cappedDays.addAll(DayRanges.parse(offsets.cappedDays()));
    expired = offsets.counters().expired();
    capped = offsets.counters().capped();
    late = offsets.counters().late();
    overwritten = offsets.counters().overwritten();
    duplicates = offsets.counters().duplicates();
    expiredOnArrival = offsets.counters().expiredOnArrival();
    undecodable = offsets.counters().undecodable();
    damagedSegments = offsets.counters().damagedSegments();
    eventTimeMicros = offsets.counters().eventTimeMicros();
  }
}
