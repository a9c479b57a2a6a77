package io.varve.storage.engine;

import io.varve.storage.Compaction;
import io.varve.storage.CorruptBlockException;
import io.varve.storage.DayStats;
import io.varve.storage.DayUse;
import io.varve.storage.Fragment;
import io.varve.storage.Freshness;
import io.varve.storage.NewestRows;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.SensorSummary;
import io.varve.storage.ShardSize;
import io.varve.storage.ShardSizes;
import io.varve.storage.ShardVisitor;
import io.varve.storage.StoreState;
import io.varve.storage.StoreTotals;
import io.varve.storage.TimeRange;
import io.varve.storage.TrafficWatch;
import io.varve.storage.UtcDay;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of one topic partition, off heap and on disk.
 *
 * <p>A cache of the {@code rows} topic that can always be made again from it. The owner applies the
 * log in order: {@link #restore} and {@link #restoredThrough} while the log is replayed past what
 * was committed, {@link #restoreFinished} once, then {@link #apply} for each record. Applying a
 * record again changes nothing, so any suffix of the log may be replayed. The files are trusted as
 * {@link Recovery} says; {@link #committedOffset} tells where the replay has to start.
 *
 * <p>Owner's methods (apply to close) are called by one thread at a time; the reader's methods by
 * any. Nothing here throws because of bad data in the log: it is counted.
 */
public final class PartitionStore implements PartitionReader, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PartitionStore.class);

  private final Contents contents;
  private final Upkeep upkeep;
  private final DaysOnDisk days;
  private final StoreReads reads;
  private final StoreDisk disk;
  private @Nullable RowWriter writer;

  /** Lower bound of the offsets of the records being restored. */
  private long restoreFrom;

  private volatile boolean recovered;
  private volatile boolean restoreDone;
  private boolean closed;

  private PartitionStore(
      Contents contents, String bootId, Optional<StoreOffsets> known, Upkeep[] upkeep) {
    this.contents = contents;
    this.upkeep = new Upkeep(contents, bootId);
    this.days = new DaysOnDisk(contents, this.upkeep, known);
    this.reads = new StoreReads(contents, this.upkeep.idle());
    this.disk = new StoreDisk(contents);
    this.upkeep.begin(new DayRewriter(contents, this.reads));
    upkeep[0] = this.upkeep;
  }

  /**
   * Opens the store in a folder, or makes an empty one. Cheap: the days are looked at when the
   * first of {@link #committedOffset}, {@link #restore}, {@link #apply} or {@link #restoreFinished}
   * is called.
   *
   * @throws IOException if the folder can't be read or written
   * @throws IllegalStateException if the folder belongs to another topic partition, or was made for
   *     another number of them
   */
  public static PartitionStore open(Path folder, int topicPartition, StoreSettings settings)
      throws IOException {
    return open(folder, topicPartition, settings, SegmentFiles.Sizes.USUAL);
  }

  static PartitionStore open(
      Path folder, int topicPartition, StoreSettings settings, SegmentFiles.Sizes sizes)
      throws IOException {
    Files.createDirectories(folder);
    Optional<StoreOffsets> known = StoreOffsets.read(folder);
    Upkeep[] upkeep = new Upkeep[1];
    Contents contents =
        new Contents(
            topicPartition,
            settings,
            new SegmentFiles(folder, sizes),
            map -> upkeep[0].askAhead(map));
    String bootId = BootId.read();
    known.ifPresent(contents::adopt);
    boolean unreadable = known.isEmpty() && Files.exists(folder.resolve("offsets"));
    if (unreadable) {
      LOG.warn(
          "offsets file can't be believed, replaying the whole log: topic_partition={} folder={}",
          topicPartition,
          folder);
    }
    return new PartitionStore(contents, bootId, known, upkeep);
  }

  /**
   * Loads and compiles what the first store of a process would otherwise wait seconds for.
   *
   * @param scratch folder for a throw-away file, used by one process at a time
   */
  public static void warmUp(Path scratch) throws IOException {
    Files.createDirectories(scratch);
    Path file = scratch.resolve("warm-up.blocks"); // one name: a killed start leaves at most one
    BlockFile.create(file, 2, BlockFile.Placing.TIGHT).close();
    Files.deleteIfExists(file);
  }

  // ---- the owner's side

  /**
   * Tells what the log holds now; before anything is applied.
   *
   * @param beginOffset first offset that can still be read
   * @param endOffset offset past the last record
   */
  public void logBounds(long beginOffset, long endOffset) {
    days.logBounds(beginOffset, endOffset);
  }

  /** Has a watch shown what comes and what is read; before anything is applied. */
  public void watch(TrafficWatch watch) {
    contents.watch = watch;
  }

  private RowWriter writer() {
    RowWriter ready = writer;
    if (ready != null) {
      return ready;
    }
    try {
      days.recover();
    } catch (IOException e) {
      throw new UncheckedIOException("can't open the store: " + contents.files.folder, e);
    }
    restoreFrom = contents.committed + 1;
    ready = new RowWriter(contents, upkeep);
    writer = ready;
    recovered = true;
    return ready;
  }

  /**
   * Newest offset that need not be applied again: a completed force covers it and no damaged day
   * needs an older one. Empty: replay from the beginning of the log.
   */
  public OptionalLong committedOffset() {
    writer();
    return contents.committed < 0 ? OptionalLong.empty() : OptionalLong.of(contents.committed);
  }

  /** Applies one record of the log while it is replayed and its offset is not known. */
  public void restore(byte @Nullable [] value) {
    write(restoreFrom, value, false);
  }

  /** Says that all records up to an offset have been handed to {@link #restore}. */
  public void restoredThrough(long endOffset) {
    writer();
    contents.applied = Math.max(contents.applied, endOffset);
    restoreFrom = Math.max(restoreFrom, endOffset + 1);
  }

  /** Says that the replay is over: records now come through {@link #apply}. */
  public void restoreFinished() {
    writer();
    restoreDone = true;
    if (contents.applied >= contents.servingFrom) {
      reads.serve();
    }
  }

  /** Applies one record of the log. Visible to readers when this returns. */
  public void apply(long offset, byte @Nullable [] value) {
    write(offset, value, true);
    contents.applied = offset;
    if (!reads.serving() && restoreDone && offset >= contents.servingFrom) {
      reads.serve();
    }
  }

  private void write(long offset, byte @Nullable [] value, boolean fresh) {
    try {
      writer().write(offset, value, fresh);
    } catch (DamagedDayException e) {
      // What follows in the record is applied when the task is restored, which this asks for.
      reads.markDamaged(e.day);
      LOG.error("damage found: topic_partition={}", contents.topicPartition, e.getCause());
    }
  }

  /** Asks for a background force; {@link #committedOffset} follows when it is done. */
  public void commit(long offset) {
    if (reads.damagedDays().isEmpty()) {
      upkeep.askForce(offset);
    }
  }

  /** Forces everything applied so far and waits, for whoever can't wait for {@link #commit}. */
  void force() throws IOException {
    upkeep.force(contents.applied);
  }

  /**
   * Forgets how far the log was applied, so that all of it is applied again. While damage waits to
   * be repaired this does nothing: {@link #close} then records exactly what is needed again.
   */
  public void forgetOffsets() {
    if (reads.damagedDays().isEmpty() && recovered) {
      try {
        upkeep.force(-1);
      } catch (IOException e) {
        throw new UncheckedIOException("can't write offsets: " + contents.files.folder, e);
      }
    }
  }

  /**
   * Drops the days that lie wholly before now − retention.
   *
   * @param nowMicros not ahead of the newest row that was ever seen, or a clock set wrong would
   *     drop what is wanted; that row may be in another store
   */
  public void expire(long nowMicros) {
    OptionalLong retention = contents.settings.retentionMicros();
    if (retention.isEmpty()) {
      return;
    }
    dropBefore(UtcDay.of(nowMicros - retention.getAsLong()), RowWriter.Why.RETENTION);
  }

  /**
   * Drops the days before a floor because the stores of the node take more than they may. Rows of
   * such days that come later are left out like those of days that have expired.
   *
   * @param floorDay where it is not above an earlier floor, nothing is done
   */
  public void dropBefore(int floorDay) {
    dropBefore(floorDay, RowWriter.Why.CAP);
  }

  private void dropBefore(int floorDay, RowWriter.Why why) {
    if (floorDay <= contents.floorDay) {
      return;
    }
    try {
      writer().dropBefore(floorDay, why);
    } catch (IOException e) {
      LOG.error("can't drop days: topic_partition={}", contents.topicPartition, e);
    }
  }

  /**
   * Rewrites every day into tight form, the one being written to as well, and returns when it is
   * done. Neither readers nor the writer stop. On any thread; a second caller waits for the first.
   *
   * @return days rewritten
   * @throws IOException if the disk has no room; the days not done stay as they are
   * @throws CorruptBlockException if damage was met, which is being repaired
   */
  public int compact() throws IOException {
    writer();
    return upkeep.quiet().rewriteAll();
  }

  /** Bytes written of late rows' neighbours, and of sealed blocks, in the days that are mapped. */
  long[] rewrittenBytes() {
    long moved = 0;
    long sealed = 0;
    for (Segment segment : contents.segments.values()) {
      for (SegmentMap map : segment.maps()) {
        moved += map.movedBytes;
        sealed += map.sealed.written();
      }
    }
    return new long[] {moved, sealed};
  }

  /** Progress of {@link #compact}. */
  public Compaction compaction() {
    return upkeep.quiet().compaction();
  }

  /**
   * Tells whether damage was found that only a replay repairs: close the store, open and restore.
   */
  public boolean rebuildWanted() {
    return !reads.damagedDays().isEmpty();
  }

  @Override
  public Optional<String> stalled() {
    RowWriter ready = writer;
    return ready == null ? Optional.empty() : ready.stalled();
  }

  /** Forces everything, marks every day clean and lets go of the files. May be called again. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    reads.close();
    upkeep.stop();
    if (!recovered) {
      return;
    }
    try {
      days.leave(reads.damagedDays());
    } catch (IOException e) {
      LOG.error(
          "store not closed cleanly, what is missing is replayed at the next start:"
              + " topic_partition={}",
          contents.topicPartition,
          e);
    }
  }

  // ---- the reader's side

  @Override
  public int topicPartition() {
    return contents.topicPartition;
  }

  @Override
  public StoreState state() {
    return reads.state();
  }

  @Override
  public List<Fragment> fragments(SensorId sensor, TimeRange range) {
    return reads.fragments(sensor, range);
  }

  @Override
  public List<Fragment> newest(SensorId sensor) {
    return reads.newest(sensor);
  }

  @Override
  public NewestRows newestRows() {
    return reads.newestRows();
  }

  @Override
  public RowCursor read(SensorId sensor, Fragment fragment, Scan scan, ReadStats stats) {
    return reads.read(sensor, fragment, scan, stats);
  }

  @Override
  public Optional<SensorSummary> sensor(SensorId sensor) {
    return reads.sensor(sensor);
  }

  @Override
  public List<SensorSummary> sensors(byte[] prefix, Optional<SensorId> after, int limit) {
    return reads.sensors(prefix, after, limit);
  }

  @Override
  public Freshness freshness() {
    return reads.freshness();
  }

  /** What the store takes on disk. */
  public StoreDisk disk() {
    return disk;
  }

  @Override
  public List<DayUse> days() {
    return reads.days();
  }

  @Override
  public List<DayStats> inspect(ShardVisitor visitor) throws IOException {
    return disk.inspect(visitor);
  }

  @Override
  public ShardSizes shardSizes() {
    return reads.shardSizes();
  }

  /**
   * Lists the shards of a day that take more than some bytes; none if the day is not in use.
   *
   * @param day UTC day number
   */
  public List<ShardSize> shardsLargerThan(long bytes, int day) {
    return reads.shardsLargerThan(bytes, day);
  }

  @Override
  public StoreTotals totals() {
    return reads.totals();
  }
}
