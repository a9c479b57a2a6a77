package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.inspect.BlockReport;
import io.varve.storage.inspect.PartitionReport;
import io.varve.storage.sealed.RunDecoder;
import io.varve.storage.sealed.TimeEncoding;
import io.varve.storage.sealed.ValueEncoding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A walk through all blocks of a day that checks and counts each by itself, so that one damaged
 * block hides none of the others. Generations are walked through newest first: what stands in one
 * replaces what older ones have of the same partition.
 */
final class DayScan {
  private record Key(SensorId sensor, int shard) {}

  private static final class Tally {
    long rows;
    long bytes;
    int plain;
    int sealed;
    long firstMicros = Long.MAX_VALUE;
    long lastMicros = Long.MIN_VALUE;

    void add(long moreRows, long moreBytes, long first, long last) {
      rows += moreRows;
      bytes += moreBytes;
      firstMicros = Math.min(firstMicros, first);
      lastMicros = Math.max(lastMicros, last);
    }
  }

  private final int day;
  private final DayCopy.Complaint complaint;
  private final Map<Key, Tally> partitions = new HashMap<>();
  private final Set<Key> newer = new HashSet<>();
  private final Block block = new Block();
  private final Slab slab = new Slab();
  private final RunDecoder decoder = new RunDecoder();
  private final RowRun run = new RowRun(RunDecoder.MAX_ROWS);
  private final Map<TimeEncoding, Long> byTime = new EnumMap<>(TimeEncoding.class);
  private final Map<ValueEncoding, Long> byValue = new EnumMap<>(ValueEncoding.class);
  private long plain;
  private long slabs;
  private long free;
  private long sealed;
  private long sealedBytes;
  private long deadBytes;
  private long unusedBytes;
  private long movedBytes;

  DayScan(int day, DayCopy.Complaint complaint) {
    this.day = day;
    this.complaint = complaint;
  }

  /** Rows that plain blocks say they hold, unchecked. */
  static long plainRows(List<DayCopy.Copied> files) {
    Block block = new Block();
    long rows = 0;
    for (DayCopy.Copied each : files) {
      for (int place = firstPlace(each); place < each.file().blocks(); place++) {
        block.at(each.file().address(place));
        rows += block.kind() == Block.KIND_ROWS ? block.word() & 0xffff : 0;
      }
    }
    return rows;
  }

  private static int firstPlace(DayCopy.Copied file) {
    return file.index() == 0 ? BlockSpace.RESERVED_BLOCKS : 0;
  }

  /** Walks through one generation; the next call must be for an older one. */
  void scan(List<DayCopy.Copied> files) {
    for (DayCopy.Copied each : files) {
      for (int place = firstPlace(each); place < each.file().blocks(); place++) {
        try {
          scan(each.file().address(place), each.name(), place);
        } catch (CorruptBlockException e) {
          complaint.about(each.name(), e.getMessage() + " block=" + place);
        }
      }
    }
    newer.addAll(partitions.keySet());
  }

  private void scan(long address, String file, int place) {
    switch (block.at(address).kind()) {
      case Block.KIND_FREE -> free++;
      case Block.KIND_SLAB -> {
        slabs++;
        slab.at(address).verifyHeader(day);
        scanSlab(file, place);
      }
      default -> {
        plain++;
        scanPlain(address);
      }
    }
  }

  private void scanPlain(long address) {
    block.verifyHeader(day);
    Key key = key(block.id(), block.shard());
    block.at(address, RowLayout.of(key.sensor.utf8(), day, key.shard)).verifyRows();
    int rows = block.count();
    if (rows == 0) {
      throw new CorruptBlockException("block without rows");
    }
    verifyDay(block.timestamp(0), block.timestamp(rows - 1));
    if (newer.contains(key)) {
      movedBytes += BlockFile.BLOCK_BYTES;
      return;
    }
    Tally tally = partitions.computeIfAbsent(key, k -> new Tally());
    tally.add(rows, BlockFile.BLOCK_BYTES, block.timestamp(0), block.timestamp(rows - 1));
    tally.plain++;
  }

  private void scanSlab(String file, int place) {
    int used = slab.used();
    unusedBytes += Slab.END - used;
    for (int at = Slab.SEALED_AT; at < used; at += slab.length(at)) {
      slab.verifyShape(at);
      if (!slab.isLive(at)) {
        deadBytes += slab.length(at);
        continue;
      }
      try {
        scanSealed(at);
      } catch (CorruptBlockException e) {
        complaint.about(file, e.getMessage() + " block=" + place + " offset=" + at);
      }
    }
  }

  private void scanSealed(int at) {
    Key key = key(slab.id(at), slab.shard(at));
    slab.decode(at, RowLayout.of(key.sensor.utf8(), day, key.shard).seed(), decoder);
    run.clear();
    decoder.decode(0, decoder.size(), run);
    for (int row = 1; row < run.size; row++) {
      if (Block.compare(
              run.timestamps[row - 1],
              run.sequences[row - 1],
              run.timestamps[row],
              run.sequences[row])
          >= 0) {
        throw new CorruptBlockException("rows are out of order: row=" + row);
      }
    }
    verifyDay(run.timestamps[0], run.timestamps[run.size - 1]);
    int length = slab.length(at);
    if (newer.contains(key)) {
      movedBytes += length;
      return;
    }
    Tally tally = partitions.computeIfAbsent(key, k -> new Tally());
    tally.add(run.size, length, run.timestamps[0], run.timestamps[run.size - 1]);
    tally.sealed++;
    sealed++;
    sealedBytes += length;
    byTime.merge(decoder.timeEncoding(), 1L, Long::sum);
    byValue.merge(decoder.valueEncoding(), 1L, Long::sum);
  }

  private static Key key(byte[] id, int shard) {
    if (SensorId.check(id, 0, id.length) != null) {
      throw new CorruptBlockException("block names no sensor");
    }
    return new Key(SensorId.of(id, 0, id.length), shard);
  }

  private void verifyDay(long firstMicros, long lastMicros) {
    if (UtcDay.of(firstMicros) != day || UtcDay.of(lastMicros) != day) {
      throw new CorruptBlockException("block holds rows of another day");
    }
  }

  long rows() {
    return partitions.values().stream().mapToLong(tally -> tally.rows).sum();
  }

  /** The partitions met, by sensor, then shard. */
  List<PartitionReport> partitions() {
    List<PartitionReport> reports = new ArrayList<>(partitions.size());
    partitions.forEach(
        (key, tally) ->
            reports.add(
                new PartitionReport(
                    key.sensor,
                    key.shard,
                    tally.rows,
                    tally.bytes,
                    tally.plain,
                    tally.sealed,
                    tally.firstMicros,
                    tally.lastMicros)));
    reports.sort(
        Comparator.comparing(PartitionReport::sensor).thenComparingInt(PartitionReport::shard));
    return reports;
  }

  BlockReport blocks() {
    BlockReport none = BlockReport.none();
    return none.plus(
        new BlockReport(
            plain,
            slabs,
            free,
            sealed,
            sealedBytes,
            deadBytes,
            unusedBytes,
            movedBytes,
            byTime,
            byValue));
  }
}
