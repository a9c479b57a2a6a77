package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.RowRun;
import io.varve.storage.Scan;
import io.varve.storage.TimeRange;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.sealed.RunDecoder;
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

  private static final int RUN_ROWS = 4_096;

  /**
   * Rows that are not sealed before it is known whether more follow: the last block is not tiny.
   */
  private static final int KEPT_BACK = 64;

  /** Room that must be left for the writer while a day is rewritten. */
  private static final long SPARE_BYTES = 64 << 20;

  private final Contents contents;
  private final StoreReads reads;
  private final SlabBuffer slabs = new SlabBuffer();
  private final RowRun run = new RowRun(RUN_ROWS);
  private final RowRun piece = new RowRun(1);
  private final RunDecoder decoder = new RunDecoder();
  private volatile boolean stopped;

  /** What a throttled rewriter does after each batch. */
  interface Pace {
    void afterBatch(long batchNanos) throws InterruptedException;
  }

  DayRewriter(Contents contents, StoreReads reads) {
    this.contents = contents;
    this.reads = reads;
  }

  /** Makes rewriting end at the next batch. */
  void stop() {
    stopped = true;
  }

  /** A partition's rows as they were sealed, and what must not have changed since. */
  private static final class Copy {
    final Partition from;
    final long reorders;
    final List<Piece> pieces = new ArrayList<>();
    long rows;

    Copy(Partition from) {
      this.from = from;
      this.reorders = from.reorders();
    }

    boolean isCurrent() {
      return from.reorders() == reorders && from.rows() == rows && !from.moved();
    }
  }

  /** One sealed block of a copy; its place counts slabs from the first of the batch. */
  private record Piece(
      long firstTimestamp,
      long firstSequence,
      long lastTimestamp,
      long lastSequence,
      long lastValueBits,
      int rows,
      long place) {}

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
    List<Copy> batch = new ArrayList<>();
    slabs.clear(segment.day);
    long since = System.nanoTime();
    for (Partition partition : unmoved(map)) {
      if (stopped || segment.gone()) {
        return;
      }
      batch.add(copy(partition));
      if (slabs.slabs() * (long) BlockFile.BLOCK_BYTES >= BATCH_BYTES) {
        move(segment, map, batch);
        batch.clear();
        slabs.clear(segment.day);
        pace.afterBatch(System.nanoTime() - since);
        since = System.nanoTime();
      }
    }
    // A small rest that keeps changing is left for the lock rather than for a file of its own.
    if (!batch.isEmpty() && (round == 0 || batch.stream().anyMatch(Copy::isCurrent))) {
      move(segment, map, batch);
    }
  }

  /** Moves some partitions that are left while the writer waits; false if none was left. */
  private boolean moveLocked(Segment segment, SegmentMap map) throws IOException {
    contents.lock.lock();
    try {
      List<Copy> batch = new ArrayList<>();
      slabs.clear(segment.day);
      long rows = 0;
      for (Partition partition : unmoved(map)) {
        Copy copied = copy(partition);
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

  private Copy copy(Partition partition) {
    Copy copied = new Copy(partition);
    Scan scan = new Scan(TimeRange.ALL, Order.OLDEST_FIRST, Optional.empty(), Integer.MAX_VALUE);
    SensorEntry sensor = partition.sensor;
    try (FragmentCursor cursor =
        new FragmentCursor(
            reads, sensor, partition.map.day, partition.shard, scan, new ReadStats())) {
      run.clear();
      while (cursor.nextRun(piece)) {
        for (int i = 0; i < piece.size; i++) {
          run.add(piece.timestamps[i], piece.sequences[i], piece.valueBits[i]);
          if (run.size == RUN_ROWS + KEPT_BACK) {
            seal(copied, RUN_ROWS);
          }
        }
      }
      seal(copied, run.size);
    }
    return copied;
  }

  private void seal(Copy copied, int count) {
    slabs.seal(
        copied.from,
        run,
        count,
        (from, to, place) ->
            copied.pieces.add(
                new Piece(
                    run.timestamps[from],
                    run.sequences[from],
                    run.timestamps[to - 1],
                    run.sequences[to - 1],
                    run.valueBits[to - 1],
                    to - from,
                    place)));
    copied.rows += count;
    run.removeFirst(count);
  }

  private void move(Segment segment, SegmentMap map, List<Copy> batch) throws IOException {
    SegmentMap next = segment.next();
    int reserved = next == null ? BlockSpace.RESERVED_BLOCKS : 0;
    int generation = map.generation + 1;
    BlockFile file =
        contents.files.createUncounted(segment.day, generation, reserved + slabs.slabs());
    boolean counts = false;
    try {
      slabs.copyTo(file, reserved);
      verify(file, reserved, batch);
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

  /** Expects every sealed block in the file to decode to as many rows as went into it. */
  private void verify(BlockFile file, int firstBlock, List<Copy> batch) {
    Slab slab = new Slab();
    for (Copy copied : batch) {
      for (Piece piece : copied.pieces) {
        long address = file.address(firstBlock + BlockDirectory.number(piece.place));
        int rows =
            slab.at(address)
                .decode(BlockDirectory.offset(piece.place), copied.from.layout.seed(), decoder)
                .size();
        if (rows != piece.rows) {
          throw new CorruptBlockException("sealed rows are missing: day=" + copied.from.map.day);
        }
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
      List<Copy> batch)
      throws IOException {
    Slab slab = new Slab();
    List<Copy> current = new ArrayList<>();
    for (Copy copied : batch) {
      if (copied.isCurrent()) {
        current.add(copied);
        continue;
      }
      for (Piece piece : copied.pieces) {
        slab.at(file.address(firstBlock + BlockDirectory.number(piece.place)))
            .kill(BlockDirectory.offset(piece.place));
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
    for (Copy copied : current) {
      Partition moved = new Partition(copied.from.sensor, copied.from.shard, target);
      for (Piece piece : copied.pieces) {
        long place =
            BlockDirectory.place(
                BlockSpace.number(index, firstBlock + BlockDirectory.number(piece.place)),
                BlockDirectory.offset(piece.place));
        moved.countBytes(target.sealed.length(place));
        moved.append(
            piece.firstTimestamp,
            piece.firstSequence,
            piece.lastTimestamp,
            piece.lastSequence,
            piece.lastValueBits,
            piece.rows,
            place);
      }
      moved.outgrown = copied.from.outgrown;
      target.put(moved);
    }
    target.dirty = true;
    if (isFirst) {
      segment.beginNext(target);
    }
    for (Copy copied : current) {
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
    if (!Upkeep.force(next)) {
      return false;
    }
    DiskStep.MARK_WHOLE.before();
    next.header.markWhole();
    DiskStep.MARK_WHOLE.after();
    Optional<Path> index = Upkeep.forceAndIndex(segment, next, null);
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
