package io.varve.storage.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the number of mapped files bounded: closes days that are not in use, least recently used
 * first, and leaves each clean on disk.
 */
final class IdleDays {
  private static final Logger LOG = LoggerFactory.getLogger(IdleDays.class);
  private static final long ROOM_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long ROOM_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Days that stay mapped however many files they have: those in use around midnight. */
  private static final int KEPT_OPEN = 2;

  private final Contents contents;
  private final Background thread;
  private final AtomicBoolean closeQueued = new AtomicBoolean();

  /**
   * @param thread closes what {@link #askRoom} asks for
   */
  IdleDays(Contents contents, Background thread) {
    this.contents = contents;
    this.thread = thread;
  }

  /**
   * Has days closed where too many files are mapped, and waits while there are twice as many as
   * there should be and days that can be closed: neither a backfill nor a walk over years opens
   * files faster than they close.
   */
  void keepRoom() {
    if (contents.lock.isHeldByCurrentThread()) {
      return; // closing needs the lock
    }
    askRoom();
    long deadline = System.nanoTime() + ROOM_WAIT_NANOS;
    while (contents.files.openFiles() > 2 * contents.settings.maxOpenFiles()
        && !inTheWay().isEmpty()
        && System.nanoTime() < deadline) {
      LockSupport.parkNanos(ROOM_POLL_NANOS);
      askClose();
    }
  }

  /** Has days closed where too many files are mapped, without waiting for it. */
  void askRoom() {
    if (contents.files.openFiles() > contents.settings.maxOpenFiles()) {
      askClose();
    }
  }

  /** Asks for days to be closed until no more files are mapped than the settings allow. */
  private void askClose() {
    if (closeQueued.compareAndSet(false, true)) {
      thread.later(
          0,
          () -> {
            closeQueued.set(false);
            try {
              closeIdle();
            } catch (IOException | RuntimeException e) {
              LOG.error(
                  "can't close days that are not in use: topic_partition={} cause={}",
                  contents.topicPartition,
                  e.toString());
            }
          });
    }
  }

  private void closeIdle() throws IOException {
    for (Segment segment : inTheWay()) {
      close(segment);
    }
  }

  /**
   * The days whose files are too many, least recently used first. Those in use and those being
   * rewritten stay mapped whatever they take, and leave a quarter of the room to the others.
   */
  private List<Segment> inTheWay() {
    List<Segment> idle = new ArrayList<>(contents.segments.values());
    idle.removeIf(segment -> segment.mapped() == null || segment.rewriting);
    Map<Segment, Long> used = new HashMap<>(); // as of now: what is sorted by must not move
    idle.forEach(segment -> used.put(segment, segment.lastUsedNanos));
    idle.sort(Comparator.comparingLong(segment -> used.getOrDefault(segment, 0L)));
    idle = idle.subList(0, Math.max(0, idle.size() - KEPT_OPEN));
    int files = idle.stream().mapToInt(Segment::openFiles).sum();
    int most = contents.settings.maxOpenFiles();
    int room = Math.max(most / 4, most - (contents.files.openFiles() - files));
    List<Segment> inTheWay = new ArrayList<>();
    for (Segment segment : idle) {
      if (files <= room) {
        break;
      }
      files -= segment.openFiles();
      inTheWay.add(segment);
    }
    return inTheWay;
  }

  /** Closes a day, leaving it clean on disk, unless the writer is at it or it is rewritten. */
  void close(Segment segment) throws IOException {
    SegmentMap map = segment.mapped();
    SegmentMap next = segment.next();
    if (map == null || segment.rewriting) {
      return;
    }
    long touches;
    contents.lock.lock(); // not in the middle of a record, whose later rows count as one touch
    try {
      touches = touches(map, next);
    } finally {
      contents.lock.unlock();
    }
    @Nullable Path index = null;
    if (!segment.indexed()) {
      index = segment.forceAndIndex(map, next).orElse(null);
      if (index == null) {
        return;
      }
    }
    List<SegmentMap> detached;
    contents.lock.lock();
    try {
      if (touches(map, next) != touches
          || segment.mapped() != map
          || segment.next() != next
          || segment.rewriting) {
        if (index != null) {
          Files.deleteIfExists(index);
        }
        return;
      }
      if (index != null) {
        segment.putIndexInForce(index);
        segment.maps().forEach(each -> each.dirty = false);
      }
      detached = segment.detach();
    } finally {
      contents.lock.unlock();
    }
    segment.close(detached);
    if (index != null) {
      contents.files.force();
    }
  }

  private static long touches(SegmentMap map, @Nullable SegmentMap next) {
    return map.touches + (next == null ? 0 : next.touches);
  }
}
