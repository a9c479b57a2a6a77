package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Rewrites a day into tight form: into the next generation of its files, in which every row is
 * sealed and every file is as large as what it holds.
 *
 * <p>Partitions move in batches. A batch's rows are read as any reader reads them and sealed into a
 * file that does not count yet; then, under the store's lock, the partitions that have not changed
 * meanwhile move by one renaming of that file, and the others are tried again, in the end under the
 * lock as a whole. So a killed process finds each partition wholly in one generation, the newer one
 * if it is in both. The old files go when all of the new ones are on disk and verified.
 */
final class DayRewriter {
  /** Bytes of slabs after which a batch ends at the next partition. */
  private static final int BATCH_BYTES = 8 << 20;

  /** Rows that are sealed in one go while the writer waits. */
  private static final long LOCKED_ROWS = 300_000;

  /** Rounds in which partitions are copied while they may change. */
  private static final int FREE_ROUNDS = 2;

  /** Room that must be left for the writer while a day is rewritten. */
  private static final long SPARE_BYTES = 64 << 20;

  private final Contents contents;
  private final StoreReads reads;
  private final PartitionCopies copies;
  private volatile boolean stopped;

  /** What a throttled rewriter does after each batch. */
  interface Pace {
    void afterBatch(long batchNanos) throws InterruptedException;
  }

  DayRewriter(Contents contents, StoreReads reads) {
    this.contents = contents;
    this.reads = reads;
    this.copies = new PartitionCopies(reads);
  }

  /** Makes rewriting end at the next batch. */
  void stop() {
    stopped = true;
  }

  /**
   * Rewrites a day.
   *
   * @return whether it was done; false if the day has no rows, is in tight form already, is gone,
   *     or this has been told to stop
   * @throws IOException if the disk has no room; what has moved stays moved
   * @throws CorruptBlockException if damage was met, which has been reported
   */
  synchronized boolean rewrite(Segment segment, Pace pace)
      throws IOException, InterruptedException {
    if (stopped || segment.mapped() == null && segment.isTight()) {
      return false;
    }
    contents.lock.lock();
    try {
      segment.rewriting = true; // under the lock, for whoever closes idle days looks there
    } finally {
      contents.lock.unlock();
    }
    try {
      SegmentMap map = segment.open();
      if (map == null || segment.isTight()) {
        return false;
      }
      requireRoom(segment);
      for (int round = 0; round < FREE_ROUNDS; round++) {
        moveAll(segment, map, round, pace);
      }
      while (!stopped && !segment.gone()) {
        if (!moveLocked(segment, map)) {
          return finish(segment, map);
        }
      }
      return false;
    } catch (CorruptBlockException e) {
      throw reads.damaged(segment.day, e);
    } finally {
      segment.rewriting = false;
    }
  }

  /** The old files stay until the new ones are whole: there must be room for both. */
  private void requireRoom(Segment segment) throws IOException {
    long needed = contents.files.bytes(segment.day);
    long free = Files.getFileStore(contents.files.folder).getUsableSpace();
    if (free < needed + SPARE_BYTES) {
      throw new IOException(
          "no room to rewrite a day, free some: day="
              + LocalDate.ofEpochDay(segment.day)
              + " needs_bytes="
              + (needed + SPARE_BYTES)
              + " free_bytes="
              + free);
    }
  }

  // ---- moving

  private static List<Partition> unmoved(SegmentMap map) {
    List<Partition> partitions = new ArrayList<>();
    for (Partition partition : map.partitions()) {
      if (!partition.moved() && partition.rows() > 0) {
        partitions.add(partition);
      }
    }
    partitions.sort(
        Comparator.comparing((Partition partition) -> partition.sensor.id)
            .thenComparing(partition -> partition.shard));
    return partitions;
  }

  private void moveAll(Segment segment, SegmentMap map, int round, Pace pace)
      throws IOException, InterruptedException {
    List<PartitionCopy> batch = new ArrayList<>();
    copies.clear(segment.day);
    long since = System.nanoTime();
    for (Partition partition : unmoved(map)) {
      if (stopped || segment.gone()) {
        return;
      }
      batch.add(copies.copy(partition));
      if (copies.slabs() * (long) BlockFile.BLOCK_BYTES >= BATCH_BYTES) {
        move(segment, map, batch);
        batch.clear();
        copies.clear(segment.day);
        pace.afterBatch(System.nanoTime() - since);
        since = System.nanoTime();
      }
    }
    // A small rest that keeps changing is left for the lock rather than for a file of its own.
    if (!batch.isEmpty() && (round == 0 || batch.stream().anyMatch(PartitionCopy::isCurrent))) {
      move(segment, map, batch);
    }
  }

  /** Moves some partitions that are left while the writer waits; false if none was left. */
  private boolean moveLocked(Segment segment, SegmentMap map) throws IOException {
    contents.lock.lock();
    try {
      List<PartitionCopy> batch = new ArrayList<>();
      copies.clear(segment.day);
      long rows = 0;
      for (Partition partition : unmoved(map)) {
        PartitionCopy copied = copies.copy(partition);
        batch.add(copied);
        rows += copied.rows;
        if (rows >= LOCKED_ROWS) {
          break;
        }
      }
      if (batch.isEmpty()) {
        return false;
      }
      move(segment, map, batch);
      return true;
    } finally {
      contents.lock.unlock();
    }
  }

  private void move(Segment segment, SegmentMap map, List<PartitionCopy> batch) throws IOException {
    SegmentMap next = segment.next();
    int reserved = next == null ? BlockSpace.RESERVED_BLOCKS : 0;
    int generation = map.generation + 1;
    BlockFile file =
        contents.files.createUncounted(segment.day, generation, reserved + copies.slabs());
    boolean counts = false;
    try {
      copies.writeTo(file, reserved);
      copies.verify(file, reserved, batch);
      if (segment.indexed()) {
        BlockSpace.force(file); // a clean day must not come to depend on pages that may be lost
      }
      contents.lock.lock();
      try {
        if (segment.gone()) {
          return;
        }
        SegmentMap target = next == null ? begin(segment, map, file) : next;
        counts = commit(segment, target, next == null, file, reserved, batch);
      } finally {
        contents.lock.unlock();
      }
    } finally {
      if (!counts) {
        contents.files.discard(file);
      }
    }
  }

  private SegmentMap begin(Segment segment, SegmentMap map, BlockFile file) {
    SegmentMap next =
        SegmentMap.create(
            segment.day,
            map.generation + 1,
            file,
            map.header.firstOffset(),
            contents.growth,
            contents.sealer);
    next.header.noteLastOffset(map.header.lastOffset());
    if (map.header.incomplete()) {
      next.header.markIncomplete();
    }
    return next;
  }

  /** Moves the partitions of a batch that have not changed; false if all have. */
  private boolean commit(
      Segment segment,
      SegmentMap target,
      boolean isFirst,
      BlockFile file,
      int firstBlock,
      List<PartitionCopy> batch)
      throws IOException {
    Slab slab = new Slab();
    List<PartitionCopy> current = new ArrayList<>();
    for (PartitionCopy copied : batch) {
      if (copied.isCurrent()) {
        current.add(copied);
        continue;
      }
      for (PartitionCopy.Piece piece : copied.pieces) {
        slab.at(file.address(firstBlock + BlockDirectory.number(piece.place())))
            .kill(BlockDirectory.offset(piece.place()));
      }
    }
    if (current.isEmpty()) {
      return false;
    }
    int index = 0;
    if (isFirst) {
      contents.files.count(file, segment.day, target.generation, 0);
    } else {
      index =
          target.space.add(
              file, i -> contents.files.count(file, segment.day, target.generation, i));
    }
    for (PartitionCopy copied : current) {
      Partition moved = new Partition(copied.from.sensor, copied.from.shard, target);
      for (PartitionCopy.Piece piece : copied.pieces) {
        long place =
            BlockDirectory.place(
                BlockSpace.number(index, firstBlock + BlockDirectory.number(piece.place())),
                BlockDirectory.offset(piece.place()));
        moved.countBytes(target.sealed.length(place));
        moved.append(
            piece.firstTimestamp(),
            piece.firstSequence(),
            piece.lastTimestamp(),
            piece.lastSequence(),
            piece.lastValueBits(),
            piece.rows(),
            place);
      }
      moved.outgrown = copied.from.outgrown;
      target.put(moved);
    }
    target.dirty = true;
    if (isFirst) {
      segment.beginNext(target);
    }
    for (PartitionCopy copied : current) {
      copied.from.markMoved();
      if (copied.from.sensor.current == copied.from) {
        copied.from.sensor.current = target.partition(copied.from.sensor, copied.from.shard);
      }
    }
    return true;
  }

  // ---- the end

  /** Ends the rewriting; false if nothing has moved or the day is gone. */
  private boolean finish(Segment segment, SegmentMap map) throws IOException {
    SegmentMap next = segment.next();
    if (next == null) {
      return false;
    }
    long touches;
    contents.lock.lock();
    try {
      if (!unmoved(map).isEmpty()) {
        return false;
      }
      touches = map.touches + next.touches;
      next.header.noteLastOffset(Math.max(map.header.lastOffset(), next.header.lastOffset()));
    } finally {
      contents.lock.unlock();
    }
    // Forced before it says that it is whole, and after.
    if (!next.force()) {
      return false;
    }
    DiskStep.MARK_WHOLE.before();
    next.header.markWhole();
    DiskStep.MARK_WHOLE.after();
    Optional<Path> index = segment.forceAndIndex(next, null);
    if (index.isEmpty()) {
      return false;
    }
    contents.files.force();
    contents.lock.lock();
    try {
      if (segment.gone() || segment.next() != next) {
        Files.deleteIfExists(index.get());
        return false;
      }
      if (map.touches + next.touches == touches) {
        segment.putIndexInForce(index.get());
        next.dirty = false;
      } else {
        Files.deleteIfExists(index.get());
        next.header.noteLastOffset(Math.max(map.header.lastOffset(), next.header.lastOffset()));
      }
      segment.endNext();
    } finally {
      contents.lock.unlock();
    }
    try {
      contents.files.force();
    } finally {
      contents.files.closed(map.close());
    }
    contents.files.delete(segment.day, map.generation);
    return true;
  }

  /** The pace of whoever waits. */
  static final Pace UNTHROTTLED = nanos -> {};

  /** The pace in the background: a quarter of a core. */
  final Pace throttled =
      nanos -> {
        long until = System.nanoTime() + 3 * nanos;
        while (!stopped && System.nanoTime() < until) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
      };
}
