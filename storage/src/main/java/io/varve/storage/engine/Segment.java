package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one UTC day of one topic partition: mapped while in use, an index on disk otherwise.
 *
 * <p>Opening is guarded by the segment's own monitor and may happen on any thread; closing, writing
 * and dropping happen under the store's write lock.
 */
final class Segment {
  final int day;
  private final SegmentFiles files;
  private final SegmentMap.Growth growth;
  private final SensorTable sensors;
  private final Sealer sealer;

  private volatile @Nullable SegmentMap map;
  private volatile boolean gone;

  /** Whether the index on disk is true, so that a write must remove it first. */
  private volatile boolean indexed;

  private volatile long idleRows;
  private volatile boolean incomplete;

  /** Monotonic clock reading of the last use, for choosing what to close. */
  volatile long lastUsedNanos = System.nanoTime();

  Segment(
      int day, SegmentFiles files, SegmentMap.Growth growth, SensorTable sensors, Sealer sealer) {
    this.day = day;
    this.files = files;
    this.growth = growth;
    this.sensors = sensors;
    this.sealer = sealer;
  }

  /** Takes over a segment that was made or opened elsewhere; not indexed. */
  void attach(SegmentMap mapped) {
    map = mapped;
    incomplete = mapped.incomplete();
  }

  /** Takes over what the index on disk says, without opening the files. */
  void attach(SegmentIndex index) {
    indexed = true;
    idleRows = index.rows();
    incomplete = index.incomplete();
  }

  /** The mapping if there is one now. */
  @Nullable SegmentMap mapped() {
    return map;
  }

  /**
   * Returns the mapping, opening the files if need be; null when the day has been dropped.
   *
   * @throws CorruptBlockException if they turn out damaged
   */
  @Nullable SegmentMap open() throws IOException {
    SegmentMap known = map;
    lastUsedNanos = System.nanoTime();
    if (known != null) {
      return known;
    }
    synchronized (this) {
      if (map != null || gone) {
        return map;
      }
      List<BlockFile> opened = files.open(files.find(day));
      try {
        SegmentMap fresh = SegmentMap.open(day, opened, growth, sealer, sensors, false);
        if (fresh.rows() != idleRows) {
          throw new CorruptBlockException(
              "rows do not add up: day=" + day + " index=" + idleRows + " blocks=" + fresh.rows());
        }
        map = fresh;
        return fresh;
      } catch (RuntimeException e) {
        opened.forEach(BlockFile::close);
        files.closed(opened.size());
        throw e;
      }
    }
  }

  /** Removes the clean mark before the first change; the caller holds the write lock. */
  void beforeChange() throws IOException {
    if (indexed) {
      files.deleteIndex(day);
      indexed = false;
    }
  }

  boolean indexed() {
    return indexed;
  }

  boolean incomplete() {
    return incomplete;
  }

  void markIncomplete(SegmentMap mapped) {
    mapped.markIncomplete();
    incomplete = true;
  }

  long rows() {
    SegmentMap known = map;
    return known != null ? known.rows() : idleRows;
  }

  /** Writes the day's index beside its place, on disk, not yet in force. */
  Path writeIndex(SegmentMap mapped) throws IOException {
    Path temporary = files.folder.resolve(files.index(day).getFileName() + ".tmp");
    SegmentIndex.of(mapped).write(temporary);
    return temporary;
  }

  /** Puts a written index in force; the caller holds the write lock and nothing changed since. */
  void putIndexInForce(Path temporary) throws IOException {
    Files.move(temporary, files.index(day), StandardCopyOption.ATOMIC_MOVE);
    files.indexWritten(day);
    indexed = true;
  }

  /** Lets go of the mapping; the caller closes what is returned, after releasing any lock. */
  synchronized @Nullable SegmentMap detach() {
    SegmentMap known = map;
    if (known != null) {
      idleRows = known.rows();
      for (Partition partition : known.partitions()) {
        if (partition.rows() > 0) {
          partition.sensor.list(
              day, partition.shard, (int) Math.min(partition.rows(), Integer.MAX_VALUE));
        }
      }
      known.open = false;
      map = null;
    }
    return known;
  }

  /** Closes a mapping that was detached. */
  void close(SegmentMap detached) {
    files.closed(detached.close());
  }

  /** Marks the segment as dropped: it never opens again. */
  synchronized void drop() {
    gone = true;
  }
}
