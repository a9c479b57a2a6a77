package io.varve.storage.engine;

import io.varve.storage.RowCursor;
import io.varve.storage.RowRun;
import io.varve.storage.sealed.RunDecoder;

/** A walk over a partition that nobody writes to, oldest first, a block at a time. */
final class FileCursor implements RowCursor {
  private final Partition partition;
  private final RowRun run = new RowRun(RunDecoder.MAX_ROWS);
  private int nextBlock;
  private int row = -1;

  FileCursor(Partition partition) {
    this.partition = partition;
  }

  @Override
  public boolean next() {
    row++;
    while (row >= run.size) {
      if (nextBlock == partition.blocks()) {
        return false;
      }
      run.clear();
      load(nextBlock++);
      row = 0;
    }
    return true;
  }

  private void load(int index) {
    SegmentMap map = partition.map;
    long place = partition.place(index);
    if (BlockDirectory.isSealed(place)) {
      RunDecoder decoder = map.sealed.decode(place, partition.layout.seed());
      decoder.decode(0, decoder.size(), run);
    } else {
      Block block = map.block.at(partition.address(index), partition.layout);
      block.addRows(0, block.count(), run);
    }
  }

  @Override
  public long timestampMicros() {
    return run.timestamps[row];
  }

  @Override
  public long sequence() {
    return run.sequences[row];
  }

  @Override
  public double value() {
    return Double.longBitsToDouble(run.valueBits[row]);
  }

  @Override
  public void close() {
    nextBlock = partition.blocks();
    run.clear();
  }
}
