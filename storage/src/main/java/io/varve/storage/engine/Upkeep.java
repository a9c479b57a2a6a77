package io.varve.storage.engine;

import io.varve.storage.Compaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread of one store: forces changes to disk and records how far, closes days that
 * are not in use, and makes files before the writer needs them.
 */
final class Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);
  private static final long ROOM_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long ROOM_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final Contents contents;
  private final String bootId;

  /** Least time from one background force to the next: a force rewrites each page that changed. */
  private static final long FORCE_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final ScheduledExecutorService thread;

  /** Apart, so that no file is waited for behind a force. */
  private final ScheduledExecutorService growing;

  /** Apart, since rewriting a day takes long. */
  private final ScheduledExecutorService closing;

  /** One day is rewritten in the background at a time, of all stores of the process. */
  private static final Semaphore BACKGROUND = new Semaphore(1);

  /** Days that stay mapped however many files they have: those in use around midnight. */
  private static final int KEPT_OPEN = 2;

  private static final int LOOKS_A_SPAN = 30;
  private static final long MIN_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final AtomicBoolean forceQueued = new AtomicBoolean();
  private final AtomicBoolean closeQueued = new AtomicBoolean();

  private @Nullable DayRewriter rewriter;
  private volatile Compaction compaction = Compaction.NONE;

  /** Newest offset that the writer asked to be covered; -1 for none. */
  private volatile long asked = -1;

  private volatile long forcedAtNanos = System.nanoTime() - FORCE_EVERY_NANOS;

  Upkeep(Contents contents, String bootId) {
    this.contents = contents;
    this.bootId = bootId;
    this.thread = thread("varve-upkeep-");
    this.growing = thread("varve-grow-");
    this.closing = thread("varve-close-");
  }

  private ScheduledExecutorService thread(String prefix) {
    ScheduledThreadPoolExecutor single =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread t = new Thread(task, prefix + contents.topicPartition);
              t.setDaemon(true);
              return t;
            });
    // Closing forces and closes everything itself: what is not due yet need not be waited for.
    single.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return single;
  }

  /** Asks for a force that covers an offset; returns at once. */
  void askForce(long offset) {
    asked = offset;
    if (forceQueued.compareAndSet(false, true)) {
      long wait = FORCE_EVERY_NANOS - (System.nanoTime() - forcedAtNanos);
      later(
          thread,
          Math.max(0, wait),
          () -> {
            forceQueued.set(false);
            try {
              force(asked);
            } catch (IOException | RuntimeException e) {
              LOG.error(
                  "can't force rows to disk, trying again at the next commit: topic_partition={}"
                      + " folder={} cause={}",
                  contents.topicPartition,
                  contents.files.folder,
                  e.toString());
            }
          });
    }
  }

  /** Forces every change made before the call and records the offset; waits. */
  synchronized void force(long offset) throws IOException {
    List<SegmentMap> dirty = new ArrayList<>();
    StoreOffsets offsets;
    contents.lock.lock();
    try {
      for (Segment segment : contents.segments.values()) {
        for (SegmentMap map : segment.maps()) {
          if (map.dirty && map.acquire()) {
            map.dirty = false;
            dirty.add(map);
          }
        }
      }
      offsets = contents.offsets(bootId, offset);
    } finally {
      contents.lock.unlock();
    }
    boolean done = false;
    try {
      for (SegmentMap map : dirty) {
        map.space.force();
      }
      contents.files.force();
      offsets.write(contents.files.folder);
      contents.committed = offset;
      forcedAtNanos = System.nanoTime();
      done = true;
    } finally {
      for (SegmentMap map : dirty) {
        map.dirty |= !done;
        map.release();
      }
    }
  }

  /** Puts on disk what the store remembers as of now; covers no further rows. Waits. */
  synchronized void record() throws IOException {
    StoreOffsets offsets;
    contents.lock.lock();
    try {
      offsets = contents.offsets(bootId, contents.committed);
    } finally {
      contents.lock.unlock();
    }
    offsets.write(contents.files.folder);
    contents.files.force();
  }

  /** Asks for days to be closed until no more files are mapped than the settings allow. */
  void askClose() {
    if (closeQueued.compareAndSet(false, true)) {
      later(
          thread,
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
      index = forceAndIndex(segment, map, next).orElse(null);
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

  /**
   * Forces the changes of one or two mappings and writes the index of both.
   *
   * @return the index, not yet in force; empty if a mapping is closing
   */
  static Optional<Path> forceAndIndex(Segment segment, SegmentMap map, @Nullable SegmentMap next)
      throws IOException {
    if (!map.acquire()) {
      return Optional.empty();
    }
    try {
      if (next != null && !next.acquire()) {
        return Optional.empty();
      }
      try {
        map.space.force();
        if (next != null) {
          next.space.force();
        }
        return Optional.of(segment.writeIndex(map, next));
      } finally {
        if (next != null) {
          next.release();
        }
      }
    } finally {
      map.release();
    }
  }

  /** Forces a mapping's changes to disk; false if it is closing. */
  static boolean force(SegmentMap map) throws IOException {
    if (!map.acquire()) {
      return false;
    }
    try {
      map.space.force();
    } finally {
      map.release();
    }
    return true;
  }

  // ---- rewriting days

  /** Says what rewrites days; once, at the start. */
  void begin(DayRewriter dayRewriter) {
    rewriter = dayRewriter;
    closeQuietDays();
  }

  private DayRewriter rewriter() {
    return Objects.requireNonNull(rewriter, "upkeep has begun");
  }

  /**
   * Rewrites every day that is not in tight form.
   *
   * @return days rewritten
   */
  int rewriteAll() throws IOException {
    synchronized (rewriter()) {
      List<Segment> days = new ArrayList<>(contents.segments.values());
      int done = 0;
      compaction = new Compaction(true, 0, days.size());
      try {
        for (int i = 0; i < days.size(); i++) {
          done += rewriter().rewrite(days.get(i), DayRewriter.UNTHROTTLED) ? 1 : 0;
          compaction = new Compaction(true, i + 1, days.size());
          keepRoom();
        }
        return done;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return done;
      } finally {
        compaction = new Compaction(false, compaction.daysDone(), days.size());
      }
    }
  }

  /** Looks for days that have become quiet, now and then, until the end. */
  private void closeQuietDays() {
    long span = contents.settings.closeAfter().toNanos();
    later(
        closing,
        Math.max(MIN_LOOK_NANOS, span / LOOKS_A_SPAN),
        () -> {
          try {
            rewriteQuiet(span);
          } catch (IOException | RuntimeException e) {
            LOG.error(
                "can't rewrite a day, trying again later: topic_partition={} folder={} cause={}",
                contents.topicPartition,
                contents.files.folder,
                e.toString());
          }
          closeQuietDays();
        });
  }

  private void rewriteQuiet(long span) throws IOException {
    for (Segment segment : contents.segments.values()) {
      if (!isQuiet(segment, span) || !BACKGROUND.tryAcquire()) {
        continue;
      }
      try {
        beginSpan(segment);
        if (rewriter().rewrite(segment, rewriter().throttled)) {
          LOG.info(
              "day rewritten: topic_partition={} day={} rows={}",
              contents.topicPartition,
              LocalDate.ofEpochDay(segment.day),
              segment.rows());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } finally {
        BACKGROUND.release();
      }
      keepRoom();
    }
  }

  /** Whether a span has passed in which less than 1 % of a day's rows came, not yet rewritten. */
  private static boolean isQuiet(Segment segment, long span) {
    if ((segment.arrived() - segment.arrivedWhenQuiet) * 100 >= Math.max(1, segment.rows())) {
      beginSpan(segment);
    }
    return System.nanoTime() - segment.quietSinceNanos >= span && !segment.isTight();
  }

  private static void beginSpan(Segment segment) {
    segment.quietSinceNanos = System.nanoTime();
    segment.arrivedWhenQuiet = segment.arrived();
  }

  Compaction compaction() {
    return compaction;
  }

  /** Asks for a segment's next file. */
  void askAhead(SegmentMap map) {
    later(
        growing,
        0,
        () -> {
          try {
            map.growAhead();
          } catch (IOException | RuntimeException e) {
            // The writer makes the file itself when it needs it, and reports if it can't.
            LOG.debug("can't make a file ahead: day={} cause={}", map.day, e.toString());
          }
        });
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

  /** Runs a task later; not at all once the store is closing, which does what is left itself. */
  private void later(ScheduledExecutorService on, long waitNanos, Runnable task) {
    try {
      var unused = on.schedule(task, waitNanos, TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("store is closing: topic_partition={}", contents.topicPartition);
    }
  }

  /** Waits for what runs and ends the threads. */
  void stop() {
    rewriter().stop();
    synchronized (rewriter()) {
      LOG.debug("no day is being rewritten: topic_partition={}", contents.topicPartition);
    }
    thread.shutdown();
    growing.shutdown();
    closing.shutdown();
    try {
      if (!thread.awaitTermination(60, TimeUnit.SECONDS)
          || !growing.awaitTermination(60, TimeUnit.SECONDS)
          || !closing.awaitTermination(60, TimeUnit.SECONDS)) {
        LOG.error("upkeep does not end: topic_partition={}", contents.topicPartition);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String bootId() {
    return bootId;
  }
}
