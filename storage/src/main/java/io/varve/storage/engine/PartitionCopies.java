package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.RowRun;
import io.varve.storage.Scan;
import io.varve.storage.TimeRange;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.sealed.RunDecoder;
import java.util.List;
import java.util.Optional;

/** The slabs of one batch of partitions that are sealed anew, in memory until they are written. */
final class PartitionCopies {
  private static final int RUN_ROWS = 4_096;

  /**
   * Rows that are not sealed before it is known whether more follow: the last block is not tiny.
   */
  private static final int KEPT_BACK = 64;

  private final StoreReads reads;
  private final SlabBuffer slabs = new SlabBuffer();
  private final RowRun run = new RowRun(RUN_ROWS);
  private final RowRun piece = new RowRun(1);
  private final RunDecoder decoder = new RunDecoder();

  PartitionCopies(StoreReads reads) {
    this.reads = reads;
  }

  /** Begins a batch. */
  void clear(int day) {
    slabs.clear(day);
  }

  /** Blocks that the batch takes so far. */
  int slabs() {
    return slabs.slabs();
  }

  /** Writes the batch into a file, from a block on. */
  void writeTo(BlockFile file, int firstBlock) {
    slabs.copyTo(file, firstBlock);
  }

  /** Seals all rows of a partition, read as any reader reads them. */
  PartitionCopy copy(Partition partition) {
    PartitionCopy copied = new PartitionCopy(partition);
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

  private void seal(PartitionCopy copied, int count) {
    slabs.seal(
        copied.from,
        run,
        count,
        (from, to, place) ->
            copied.pieces.add(
                new PartitionCopy.Piece(
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

  /** Expects every sealed block in the file to decode to as many rows as went into it. */
  void verify(BlockFile file, int firstBlock, List<PartitionCopy> batch) {
    Slab slab = new Slab();
    for (PartitionCopy copied : batch) {
      for (PartitionCopy.Piece piece : copied.pieces) {
        long address = file.address(firstBlock + BlockDirectory.number(piece.place()));
        int rows =
            slab.at(address)
                .decode(BlockDirectory.offset(piece.place()), copied.from.layout.seed(), decoder)
                .size();
        if (rows != piece.rows()) {
          throw new CorruptBlockException("sealed rows are missing: day=" + copied.from.map.day);
        }
      }
    }
  }
}
