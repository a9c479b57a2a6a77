package io.varve.storage.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one store does in the background: forces changes to disk and records how far, makes files
 * before the writer needs them, and has {@link IdleDays} and {@link QuietDays} look after days.
 */
final class Upkeep {
  private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

  /** Least time from one background force to the next: a force rewrites each page that changed. */
  private static final long FORCE_EVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Contents contents;
  private final String bootId;
  private final Background forcing;

  /** Apart, so that no file is waited for behind a force. */
  private final Background growing;

  private final IdleDays idle;
  private @Nullable QuietDays quiet;
  private final AtomicBoolean forceQueued = new AtomicBoolean();

  /** Newest offset that the writer asked to be covered; -1 for none. */
  private volatile long asked = -1;

  private volatile long forcedAtNanos = System.nanoTime() - FORCE_EVERY_NANOS;

  Upkeep(Contents contents, String bootId) {
    this.contents = contents;
    this.bootId = bootId;
    this.forcing = new Background("varve-upkeep-" + contents.topicPartition);
    this.growing = new Background("varve-grow-" + contents.topicPartition);
    this.idle = new IdleDays(contents, forcing);
  }

  /** Says what rewrites days; once, at the start. */
  void begin(DayRewriter rewriter) {
    QuietDays watching =
        new QuietDays(
            contents, rewriter, idle, new Background("varve-close-" + contents.topicPartition));
    quiet = watching;
    watching.watch();
  }

  /** Keeps the number of mapped files bounded. */
  IdleDays idle() {
    return idle;
  }

  /** Has days rewritten. */
  QuietDays quiet() {
    return Objects.requireNonNull(quiet, "upkeep has begun");
  }

  /** Asks for a force that covers an offset; returns at once. */
  void askForce(long offset) {
    asked = offset;
    if (forceQueued.compareAndSet(false, true)) {
      long wait = FORCE_EVERY_NANOS - (System.nanoTime() - forcedAtNanos);
      forcing.later(
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

  /** Asks for a segment's next file. */
  void askAhead(SegmentMap map) {
    growing.later(
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

  /** Waits for what runs and ends the threads. */
  void stop() {
    quiet().stop();
    forcing.stop();
    growing.stop();
    try {
      forcing.awaitEnd();
      growing.awaitEnd();
      quiet().awaitEnd();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  String bootId() {
    return bootId;
  }
}
