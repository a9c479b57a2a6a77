package io.varve.storage.engine;

import io.varve.storage.RowRun;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.sealed.RunEncoder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Slabs in memory that are not in any file yet, filled one after another as tightly as runs of rows
 * can be cut to fit. Reused; single-threaded.
 */
final class SlabBuffer {
  private static final int CHUNK_SLABS = 256;

  /** Rows of a sealed block, unless a slab ends or a partition does. */
  private static final int SEALED_ROWS = 512;

  /** Fewer rows than this are not cut off for the sake of a slab's rest. */
  private static final int FEWEST_ROWS = 64;

  private static final int CUT = 32;

  private final List<UnsafeBuffer> chunks = new ArrayList<>();
  private final RunEncoder encoder = new RunEncoder();
  private final Slab slab = new Slab();
  private int day;
  private int slabs;

  /** Offset of the sealed block made last. */
  private int lastAt;

  /** Bytes that a row has taken lately, to guess how many fit. */
  private double bytesPerRow = 4;

  /** Receives the place of each sealed block, as if the first slab had the number 0. */
  interface Sink {
    void sealed(int from, int to, long place);
  }

  /** Forgets all slabs; those to come are of a day. */
  void clear(int newDay) {
    day = newDay;
    slabs = 0;
  }

  /** Slabs begun. */
  int slabs() {
    return slabs;
  }

  /** Seals the first rows of a run, in one block or several. */
  void seal(Partition partition, RowRun run, int count, Sink sink) {
    for (int from = 0; from < count; ) {
      int to = sealSome(partition, run, from, count);
      sink.sealed(from, to, BlockDirectory.place(slabs - 1, lastAt));
      from = to;
    }
  }

  private int sealSome(Partition partition, RowRun run, int from, int end) {
    int left = leavingEnough(end - from, Math.min(end - from, SEALED_ROWS));
    if (slabs > 0) {
      slab.at(address(slabs - 1));
      int room = Slab.END - slab.used() - Slab.ID_IN_SEALED - partition.sensor.utf8.length;
      int fitting = (int) (room / bytesPerRow) & -CUT;
      for (int rows = Math.min(left, fitting);
          rows == left || rows >= FEWEST_ROWS;
          rows = (rows - 1) & -CUT) {
        int whole = leavingEnough(end - from, rows);
        if (whole > 0 && trySeal(partition, run, from, from + whole)) {
          return from + whole;
        }
      }
    }
    slab.at(address(slabs++)).format(day);
    for (int rows = left; ; rows /= 2) {
      if (trySeal(partition, run, from, from + rows)) {
        return from + rows;
      }
    }
  }

  /** At most some rows of all, so many that the next block is not one of very few. */
  private static int leavingEnough(int all, int rows) {
    int rest = all - rows;
    return rest > 0 && rest < CUT && rows > CUT ? rows - CUT & -CUT : rows;
  }

  private boolean trySeal(Partition partition, RowRun run, int from, int to) {
    int used = slab.used();
    lastAt =
        slab.seal(
            encoder, partition.sensor.id, partition.shard, partition.layout.seed(), run, from, to);
    if (lastAt < 0) {
      return false;
    }
    bytesPerRow = (bytesPerRow * 3 + (double) (slab.used() - used) / (to - from)) / 4;
    return true;
  }

  private long address(int index) {
    int chunk = index / CHUNK_SLABS;
    if (chunk == chunks.size()) {
      chunks.add(new UnsafeBuffer(ByteBuffer.allocateDirect(CHUNK_SLABS * BlockFile.BLOCK_BYTES)));
    }
    return chunks.get(chunk).addressOffset() + (long) (index % CHUNK_SLABS) * BlockFile.BLOCK_BYTES;
  }

  /** Copies all slabs into a file, to the blocks from one on. */
  void copyTo(BlockFile file, int firstBlock) {
    for (int i = 0; i < slabs; i++) {
      UnsafeBuffer from = new UnsafeBuffer(address(i), BlockFile.BLOCK_BYTES);
      new UnsafeBuffer(file.address(firstBlock + i), BlockFile.BLOCK_BYTES)
          .putBytes(0, from, 0, BlockFile.BLOCK_BYTES);
    }
  }
}
