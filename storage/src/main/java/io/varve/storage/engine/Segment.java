package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.ShardSizes;
import io.varve.storage.ShardVisitor;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one UTC day of one topic partition: mapped while in use, an index on disk otherwise.
 *
 * <p>While the day is rewritten there are two mappings, of one generation of files and the next.
 * Each partition is wholly in one of them: in the next one once it has moved, or if it began there.
 *
 * <p>Opening is guarded by the segment's own monitor and may happen on any thread; closing, writing
 * and dropping happen under the store's write lock.
 */
final class Segment {
  final int day;
  private final SegmentFiles files;
  private final BlockSpace.Growth growth;
  private final SensorTable sensors;
  private final Sealer sealer;
  private final Guardrail guardrail;

  private volatile @Nullable SegmentMap map;
  private volatile @Nullable SegmentMap next;
  private volatile boolean gone;

  /** Mappings that were detached and are not closed yet; guarded by this object's monitor. */
  private int closing;

  /** Whether the index on disk is true, so that a write must remove it first. */
  private volatile boolean indexed;

  private volatile long idleRows;
  private volatile ShardSizes idleSizes = ShardSizes.NONE;
  private volatile boolean incomplete;

  /** Monotonic clock reading of the last use, for choosing what to close. */
  volatile long lastUsedNanos = System.nanoTime();

  /** Whether a thread is rewriting the day: it stays mapped meanwhile. */
  volatile boolean rewriting;

  /** Rows that arrived in mappings that have been closed since. */
  private volatile long arrivedBefore;

  /** Whether the day was in tight form when it was last closed. */
  private volatile boolean tightWhenIdle;

  /** Where the span began in which too few rows may arrive; for whoever decides on rewriting. */
  long quietSinceNanos = System.nanoTime();

  long arrivedWhenQuiet;

  Segment(
      int day,
      SegmentFiles files,
      BlockSpace.Growth growth,
      SensorTable sensors,
      Sealer sealer,
      Guardrail guardrail) {
    this.day = day;
    this.files = files;
    this.growth = growth;
    this.sensors = sensors;
    this.sealer = sealer;
    this.guardrail = guardrail;
  }

  /** Takes over a segment that was just made; not indexed. */
  void attach(SegmentMap mapped) {
    map = mapped;
    incomplete = mapped.header.incomplete();
  }

  /** Takes over what the index on disk says, without opening the files. */
  void attach(SegmentIndex index) {
    indexed = true;
    idleRows = index.rows();
    idleSizes = guardrail.sizes(index);
    incomplete = index.incomplete();
    tightWhenIdle = index.tight();
  }

  /** The mapping if there is one now. */
  @Nullable SegmentMap mapped() {
    return map;
  }

  /** The mapping into which the day is being rewritten, if it is. */
  @Nullable SegmentMap next() {
    return next;
  }

  /** Files that are mapped now, without those made ahead. */
  int openFiles() {
    return maps().stream().mapToInt(each -> each.space.fileCount()).sum();
  }

  /** The mappings there are now: none, one, or two. */
  List<SegmentMap> maps() {
    List<SegmentMap> maps = new ArrayList<>(2);
    SegmentMap following = next; // first: the end of a rewriting replaces the other by it
    SegmentMap known = map;
    if (known != null) {
      maps.add(known);
    }
    if (following != null && following != known) {
      maps.add(following);
    }
    return maps;
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
      awaitClosed();
      if (map == null && !gone) {
        openFiles(files.find(day), false);
        lastUsedNanos = System.nanoTime(); // again: it may have taken long
      }
      return map;
    }
  }

  /** Waits for mappings that were let go of: until they are closed their files are locked. */
  private void awaitClosed() {
    boolean interrupted = false;
    while (closing > 0) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true; // it ends soon: whoever holds a mapping does so for a copy or a file
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Opens the files that were found.
   *
   * @param recovering whether the day was in use, so that no index says how many rows to expect
   * @throws CorruptBlockException if they turn out damaged; none stays open
   */
  void openFiles(SegmentFiles.Found found, boolean recovering) throws IOException {
    if (found.generations.isEmpty()) {
      throw new CorruptBlockException("all files of the day are missing");
    }
    List<BlockFile> opened = new ArrayList<>();
    try {
      List<SegmentMap> maps = new ArrayList<>();
      for (int generation = found.generations.lastKey();
          maps.isEmpty() || !maps.get(0).whole();
          generation--) {
        SegmentFiles.Generation each = found.generations.get(generation);
        if (each == null) {
          throw new CorruptBlockException("files of a generation are missing: " + generation);
        }
        List<BlockFile> blockFiles = files.open(each);
        opened.addAll(blockFiles);
        maps.add(
            0, SegmentMap.open(day, generation, blockFiles, growth, sealer, sensors, recovering));
      }
      for (int older : found.generations.headMap(maps.get(0).generation).keySet()) {
        files.delete(day, older);
      }
      SegmentMap following = maps.size() > 1 ? maps.get(1) : null;
      long rows = maps.get(0).rows();
      if (following != null) {
        maps.get(0).markMoved(following);
        rows = maps.get(0).rows() + following.rows();
      }
      if (!recovering && rows != idleRows) {
        throw new CorruptBlockException(
            "rows do not add up: day=" + day + " index=" + idleRows + " blocks=" + rows);
      }
      maps.forEach(guardrail::adopt);
      next = following;
      incomplete = maps.get(0).header.incomplete();
      map = maps.get(0);
    } catch (IOException | RuntimeException e) {
      opened.forEach(BlockFile::close);
      files.closed(opened.size());
      throw e;
    }
  }

  /** The partition of a sensor and shard in a mapped segment; null if there is none. */
  @Nullable Partition partition(SensorEntry sensor, int shard) {
    SegmentMap following = next;
    Partition moved = following == null ? null : following.partition(sensor, shard);
    if (moved != null) {
      return moved;
    }
    SegmentMap known = map;
    return known == null ? null : known.partition(sensor, shard);
  }

  /** The partition of a sensor and shard, made if need be; the caller holds the write lock. */
  Partition partitionOrNew(SensorEntry sensor, int shard, SegmentMap mapped) {
    Partition known = partition(sensor, shard);
    SegmentMap following = next;
    if (following == null) {
      return known != null ? known : mapped.partitionOrNew(sensor, shard);
    }
    // One without rows is not moved: its first row must go to where the others are by then.
    return known != null && (known.map == following || known.rows() > 0)
        ? known
        : following.partitionOrNew(sensor, shard);
  }

  // ---- rewriting, under the write lock

  /** Rows that have arrived since this object was made. */
  long arrived() {
    long sum = arrivedBefore;
    for (SegmentMap each : maps()) {
      sum += each.arrived;
    }
    return sum;
  }

  /** Whether the day is in tight form and has been given no row since. */
  boolean isTight() {
    SegmentMap known = map;
    return known == null ? tightWhenIdle : next == null && known.isTight();
  }

  /** Begins to rewrite the day into a new mapping. */
  void beginNext(SegmentMap following) {
    next = following;
  }

  /** Ends it: all partitions have moved. The old mapping is the caller's to close. */
  void endNext() {
    SegmentMap old = map;
    SegmentMap following = next;
    if (old == null || following == null) {
      throw new IllegalStateException("day is not being rewritten: day=" + day);
    }
    arrivedBefore += old.arrived;
    map = following;
    next = null;
    old.open = false;
  }

  boolean gone() {
    return gone;
  }

  // ---- the clean mark

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
    mapped.header.markIncomplete();
    incomplete = true;
  }

  long rows() {
    List<SegmentMap> now = maps();
    if (now.isEmpty()) {
      return idleRows;
    }
    long sum = 0;
    for (SegmentMap each : now) {
      sum += each.rows();
    }
    return sum;
  }

  /** How large its partitions are. */
  ShardSizes shardSizes() {
    List<SegmentMap> now = maps();
    return now.isEmpty()
        ? idleSizes
        : now.stream().map(guardrail::sizes).reduce(ShardSizes.NONE, ShardSizes::plus);
  }

  /**
   * Hands over its partitions: from their directories, or where it is closed, from the index on
   * disk. Takes no lock.
   */
  void visit(ShardVisitor visitor) throws IOException {
    List<SegmentMap> now = maps();
    if (now.isEmpty()) {
      Optional<SegmentIndex> index = SegmentIndex.read(files.index(day), day);
      if (index.isPresent()) {
        index.get().entries().forEach(each -> visitor.shard(day, each.rows(), each.bytes()));
        return;
      }
      now = maps(); // opened since, or gone
    }
    for (SegmentMap each : now) {
      for (Partition partition : each.partitions()) {
        if (partition.rows() > 0 && !partition.moved()) {
          visitor.shard(day, partition.rows(), partition.bytes());
        }
      }
    }
  }

  /**
   * Forces the changes of one or two mappings and writes the index of both.
   *
   * @return the index, not yet in force; empty if a mapping is closing
   */
  Optional<Path> forceAndIndex(SegmentMap mapped, @Nullable SegmentMap following)
      throws IOException {
    if (!mapped.acquire()) {
      return Optional.empty();
    }
    try {
      if (following != null && !following.acquire()) {
        return Optional.empty();
      }
      try {
        mapped.space.force();
        if (following != null) {
          following.space.force();
        }
        Path temporary = files.temporaryIndex(day);
        SegmentIndex.of(mapped, following).write(temporary);
        return Optional.of(temporary);
      } finally {
        if (following != null) {
          following.release();
        }
      }
    } finally {
      mapped.release();
    }
  }

  /** Puts a written index in force; the caller holds the write lock and nothing changed since. */
  void putIndexInForce(Path temporary) throws IOException {
    files.putIndex(day, temporary);
    indexed = true;
  }

  // ---- the end

  /** Lets go of the mappings; the caller closes what is returned, after releasing any lock. */
  synchronized List<SegmentMap> detach() {
    List<SegmentMap> maps = maps();
    if (maps.isEmpty()) {
      return maps;
    }
    idleRows = rows();
    idleSizes = shardSizes();
    tightWhenIdle = isTight();
    arrivedBefore = arrived();
    for (SegmentMap each : maps) {
      for (Partition partition : each.partitions()) {
        if (partition.rows() > 0 && !partition.moved()) {
          partition.sensor.list(
              day, partition.shard, (int) Math.min(partition.rows(), Integer.MAX_VALUE));
        }
      }
      each.open = false;
    }
    map = null;
    next = null;
    closing += maps.size();
    return maps;
  }

  /** Closes mappings that were detached, once nobody holds them any more. */
  void close(List<SegmentMap> detached) {
    for (SegmentMap each : detached) {
      try {
        files.closed(each.close());
      } finally {
        synchronized (this) {
          closing--;
          notifyAll();
        }
      }
    }
  }

  /** Marks the segment as dropped: it never opens again. */
  synchronized void drop() {
    gone = true;
  }
}
