package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.sealed.RunDecoder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a store does with the files that it finds.
 *
 * <ul>
 *   <li>A day with a true index is clean: every change of it is on disk. It is not even opened.
 *   <li>A day without one was in use. If the machine has not rebooted since, the kernel has kept
 *       every page: the day is opened, a half-done change undone, every checksum verified.
 *   <li>After a reboot such a day is in doubt as a whole; so is any day that fails verification. It
 *       is set aside and comes again from the log, from the first offset that ever touched it.
 *   <li>Where the log no longer reaches back that far, the rows that verify are kept and the day is
 *       marked incomplete.
 * </ul>
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final long UNKNOWN = -1;

  private final Contents contents;
  private final long logBegin;
  private final long logEnd;

  /** Oldest offset that must be applied again; MAX for none. */
  private long neededFrom = Long.MAX_VALUE;

  /** Newest offset that was ever applied. */
  private long appliedThrough = -1;

  private boolean appliedUnknown;

  /**
   * @param logBegin first offset of the log, or -1 if not told
   * @param logEnd offset past the last of the log, or -1 if not told
   */
  Recovery(Contents contents, long logBegin, long logEnd) {
    this.contents = contents;
    this.logBegin = logBegin;
    this.logEnd = logEnd;
  }

  /**
   * Recovers the store.
   *
   * @param expectedDays days that had files when the offsets were last written
   * @param sameBoot whether the kernel has kept every page since the store was last open
   * @return the newest offset that must have been applied again before the store may answer; -1 for
   *     none
   */
  long run(SortedSet<Integer> expectedDays, boolean sameBoot) throws IOException {
    SortedMap<Integer, SegmentFiles.Found> found = contents.files.list();
    for (int day : expectedDays) {
      if (day >= contents.floorDay && !found.containsKey(day)) {
        LOG.error(
            "all files of a day are gone, replaying the whole log: topic_partition={} day={}",
            contents.topicPartition,
            LocalDate.ofEpochDay(day));
        contents.damagedSegments++;
        appliedUnknown = true;
        neededFrom = Math.max(logBegin, 0);
      }
    }
    for (Map.Entry<Integer, SegmentFiles.Found> each : found.entrySet()) {
      int day = each.getKey();
      if (day < contents.floorDay) {
        contents.files.delete(day);
        continue;
      }
      if (!expectedDays.contains(day) && holdsNothing(each.getValue())) {
        // The process ended between the making of the day's first file and its first use.
        contents.files.delete(day);
        continue;
      }
      recoverDay(day, each.getValue(), sameBoot);
    }
    for (Segment segment : contents.segments.values()) {
      contents.stored += segment.rows();
    }
    if (neededFrom != Long.MAX_VALUE) {
      contents.committed = Math.min(contents.committed, neededFrom - 1);
    }
    appliedThrough = Math.max(appliedThrough, contents.applied);
    checkAgainstLog();
    return appliedUnknown && logEnd >= 0 ? Math.max(appliedThrough, logEnd - 1) : appliedThrough;
  }

  /** Whether a day's files are as they were made, without even a header. */
  private static boolean holdsNothing(SegmentFiles.Found found) throws IOException {
    if (found.index) {
      return false;
    }
    for (SegmentFiles.Generation generation : found.generations.values()) {
      for (int i = 0; i < generation.blockFiles.size(); i++) {
        try (BlockFile file =
            BlockFile.open(generation.blockFiles.get(i), generation.blockCounts.get(i))) {
          if (i == 0 && !new SegmentHeader(file).isBlank() || !isBlank(file)) {
            return false;
          }
        } catch (CorruptBlockException e) {
          return false;
        }
      }
    }
    return true;
  }

  /** Whether no block of a file has been used. */
  static boolean isBlank(BlockFile file) {
    Block block = new Block();
    for (int place = 0; place < file.blocks(); place++) {
      if (block.at(file.address(place)).kind() != Block.KIND_FREE) {
        return false;
      }
    }
    return true;
  }

  private void recoverDay(int day, SegmentFiles.Found found, boolean sameBoot) throws IOException {
    Optional<SegmentIndex> index = SegmentIndex.read(contents.files.index(day), day);
    if (index.isPresent() && isWhole(index.get(), found)) {
      if (index.get().nextFiles() == 0) {
        contents.files.deleteOthers(day, index.get().generation());
      }
      Segment segment = contents.newSegment(day);
      segment.attach(index.get());
      contents.segments.put(day, segment);
      for (SegmentIndex.Entry entry : index.get().entries()) {
        byte[] id = entry.sensor().toBytes();
        contents
            .sensors
            .findOrAdd(id, 0, id.length)
            .list(day, entry.shard(), (int) Math.min(entry.rows(), Integer.MAX_VALUE));
      }
      noteApplied(index.get().lastOffset());
      return;
    }
    contents.files.deleteIndex(day);
    try {
      if (!sameBoot) {
        throw new CorruptBlockException("the machine has restarted since, pages may be lost");
      }
      Segment segment = contents.newSegment(day);
      segment.openFiles(found, true);
      adopt(segment);
    } catch (CorruptBlockException e) {
      index.ifPresent(i -> noteApplied(i.lastOffset()));
      rebuild(
          day,
          String.valueOf(e.getMessage()),
          index.map(SegmentIndex::firstOffset).orElse(UNKNOWN));
    }
  }

  /** Whether all files are there that an index names. */
  static boolean isWhole(SegmentIndex index, SegmentFiles.Found found) {
    return index.files() <= found.wholeFiles(index.generation())
        && index.nextFiles() <= found.wholeFiles(index.generation() + 1);
  }

  private void adopt(Segment segment) {
    contents.segments.put(segment.day, segment);
    for (SegmentMap map : segment.maps()) {
      map.dirty = true;
      for (Partition partition : map.partitions()) {
        if (!partition.moved()) {
          partition.sensor.list(
              segment.day, partition.shard, (int) Math.min(partition.rows(), Integer.MAX_VALUE));
        }
      }
      noteApplied(map.header.lastOffset());
    }
  }

  private void noteApplied(long lastOffset) {
    if (lastOffset < 0) {
      appliedUnknown = true;
    } else {
      appliedThrough = Math.max(appliedThrough, lastOffset);
    }
  }

  /** Sets a day aside so that the log makes it anew, saving what verifies if the log can't. */
  void rebuild(int day, String why, long firstOffsetIfKnown) throws IOException {
    contents.damagedSegments++;
    appliedUnknown = true;
    long firstOffset = firstOffsetIfKnown;
    List<SavedRow> saved = new ArrayList<>();
    SegmentFiles.Found found = contents.files.find(day);
    for (SegmentFiles.Generation generation : found.generations.values()) {
      for (int i = 0; i < generation.blockFiles.size(); i++) {
        try (BlockFile file =
            BlockFile.open(generation.blockFiles.get(i), generation.blockCounts.get(i))) {
          if (i == 0 && firstOffset == UNKNOWN) {
            firstOffset = new SegmentHeader(file).peekFirstOffset(day);
          }
          saveRows(day, file, i == 0 ? BlockSpace.RESERVED_BLOCKS : 0, saved);
        } catch (CorruptBlockException e) {
          LOG.warn("file of a damaged day can't be read: {}", e.getMessage());
        }
      }
    }
    Path aside = contents.files.setAside(day);
    long from = Math.max(firstOffset, 0);
    if (logBegin > from) {
      keep(day, saved);
      LOG.error(
          "day damaged and the log no longer reaches back to all of it, kept what verifies:"
              + " topic_partition={} day={} rows_kept={} needed_from={} log_begins={} cause={};"
              + " its files are in {}",
          contents.topicPartition,
          LocalDate.ofEpochDay(day),
          saved.size(),
          from,
          logBegin,
          why,
          aside);
    } else {
      LOG.warn(
          "day set aside, rebuilding it from the log: topic_partition={} day={} from_offset={}"
              + " cause={}; its files are in {}",
          contents.topicPartition,
          LocalDate.ofEpochDay(day),
          from,
          why,
          aside);
    }
    neededFrom = Math.min(neededFrom, Math.max(from, Math.max(logBegin, 0)));
  }

  /**
   * Sets a day aside that was found damaged while the store was open, and lowers what is committed.
   */
  void rebuildLater(int day) throws IOException {
    Optional<SegmentIndex> index = SegmentIndex.read(contents.files.index(day), day);
    rebuild(day, "found while reading", index.map(SegmentIndex::firstOffset).orElse(UNKNOWN));
    contents.committed = Math.min(contents.committed, neededFrom - 1);
  }

  private record SavedRow(byte[] id, int shard, long timestamp, long sequence, long valueBits) {}

  private static void saveRows(int day, BlockFile file, int from, List<SavedRow> saved) {
    Block block = new Block();
    for (int place = from; place < file.blocks(); place++) {
      long address = file.address(place);
      try {
        switch (block.at(address).kind()) {
          case Block.KIND_ROWS -> savePlain(day, address, saved);
          case Block.KIND_SLAB -> saveSealed(day, address, saved);
          default -> {}
        }
      } catch (CorruptBlockException e) {
        continue; // nothing more in it can be believed; the day is marked incomplete
      }
    }
  }

  private static void savePlain(int day, long address, List<SavedRow> saved) {
    Block block = new Block().at(address);
    block.verifyHeader(day);
    byte[] id = block.id();
    int shard = block.shard();
    RowRun one = new RowRun(1);
    block.at(address, RowLayout.of(id, day, shard));
    for (int row = 0; row < block.count(); row++) {
      one.clear();
      try {
        block.addRows(row, row + 1, one);
      } catch (CorruptBlockException e) {
        continue; // the rows beside it have checksums of their own
      }
      saved.add(new SavedRow(id, shard, one.timestamps[0], one.sequences[0], one.valueBits[0]));
    }
  }

  private static void saveSealed(int day, long address, List<SavedRow> saved) {
    Slab slab = new Slab().at(address);
    slab.verifyHeader(day);
    for (int at = Slab.SEALED_AT; at < slab.used(); at += slab.length(at)) {
      slab.verifyShape(at);
      if (!slab.isLive(at)) {
        continue;
      }
      byte[] id = slab.id(at);
      int shard = slab.shard(at);
      RowRun run = new RowRun(RunDecoder.MAX_ROWS);
      try {
        long seed = RowLayout.of(id, day, shard).seed();
        RunDecoder decoder = slab.decode(at, seed, new RunDecoder());
        decoder.decode(0, decoder.size(), run);
      } catch (CorruptBlockException e) {
        continue; // the sealed blocks beside it have checksums of their own
      }
      for (int row = 0; row < run.size; row++) {
        saved.add(
            new SavedRow(id, shard, run.timestamps[row], run.sequences[row], run.valueBits[row]));
      }
    }
  }

  private void keep(int day, List<SavedRow> saved) throws IOException {
    SegmentMap map = contents.createSegment(day, Math.max(logBegin, 0));
    Segment segment = java.util.Objects.requireNonNull(contents.segment(day));
    segment.markIncomplete(map);
    map.dirty = true;
    for (SavedRow row : saved) {
      if (SensorId.check(row.id, 0, row.id.length) != null) {
        continue;
      }
      SensorEntry sensor = contents.sensors.findOrAdd(row.id, 0, row.id.length);
      map.partitionOrNew(sensor, row.shard).put(row.timestamp, row.sequence, row.valueBits);
    }
    for (Partition partition : map.partitions()) {
      partition.sensor.list(
          day, partition.shard, (int) Math.min(partition.rows(), Integer.MAX_VALUE));
    }
  }

  private void checkAgainstLog() {
    if (logEnd >= 0 && Math.max(appliedThrough, contents.committed) >= logEnd) {
      LOG.error(
          "the log ends before what this store has applied, rows beyond it exist only here:"
              + " topic_partition={} log_end={} applied={}",
          contents.topicPartition,
          logEnd,
          Math.max(appliedThrough, contents.committed));
      appliedThrough = Math.min(appliedThrough, logEnd - 1);
      contents.committed = Math.min(contents.committed, logEnd - 1);
    }
    if (contents.committed >= 0 && logBegin > contents.committed + 1) {
      LOG.error(
          "the log has lost rows that were never applied: topic_partition={} offsets=[{}, {})",
          contents.topicPartition,
          contents.committed + 1,
          logBegin);
      contents.committed = logBegin - 1;
    }
  }
}
