package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import io.varve.storage.sealed.RunDecoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one block as a reader copied them out from under the writer, to be decoded and checked
 * afterwards, outside of any lock.
 *
 * <p>Plain rows are checked and decoded one by one, sealed ones in runs of at most {@link
 * #RUN_ROWS} that begin where the codec can start.
 */
final class BlockCopy {
  private static final int RUN_ROWS = 32;

  private final UnsafeBuffer bytes =
      new UnsafeBuffer(new byte[BlockFile.BLOCK_BYTES + RunDecoder.SLACK_BYTES]);
  private @Nullable RunDecoder decoder;
  private @Nullable RowRun run;
  private boolean sealed;
  private int sealedLength;
  private long seed;

  /** First row of {@link #run}, or of the copied plain rows. */
  private int from;

  long timestamp;
  long sequence;
  long valueBits;

  /** Takes plain rows {@code [from, to)}. */
  void takeRows(Block block, int from, int to, long seed) {
    sealed = false;
    this.seed = seed;
    this.from = from;
    block.copyRows(from, to, bytes, 0);
  }

  /** Takes a sealed block whole. */
  void takeSealed(Slab slab, int at, long seed) {
    sealed = true;
    this.seed = seed;
    sealedLength = slab.copy(at, bytes);
  }

  boolean isSealed() {
    return sealed;
  }

  /**
   * Checks the sealed block that was taken and opens it.
   *
   * @throws CorruptBlockException if it fails its checksum
   */
  RunDecoder open() {
    RunDecoder opened = decoder;
    RowRun rows = run;
    if (opened == null || rows == null) {
      opened = new RunDecoder();
      decoder = opened;
      rows = new RowRun(RUN_ROWS);
      run = rows;
    }
    rows.clear();
    from = 0;
    return Slab.decode(bytes, sealedLength, seed, opened);
  }

  /**
   * Decodes one row, and of a sealed block those near it that lie in {@code [low, high)}.
   *
   * @return rows decoded, 0 if it was already
   * @throws CorruptBlockException if a plain row fails its checksum
   */
  int load(int row, int low, int high) {
    if (!sealed) {
      int at = (row - from) * Block.ROW_BYTES;
      timestamp = bytes.getLong(at);
      sequence = bytes.getLong(at + Block.SEQUENCE_IN_ROW);
      valueBits = bytes.getLong(at + Block.VALUE_IN_ROW);
      if (bytes.getInt(at + Block.CHECKSUM_IN_ROW)
          != Hashing.row(seed, timestamp, sequence, valueBits)) {
        throw new CorruptBlockException("row fails its checksum: row=" + row);
      }
      return 1;
    }
    RowRun rows = run;
    RunDecoder opened = decoder;
    if (rows == null || opened == null) {
      throw new IllegalStateException("sealed block not opened");
    }
    int decoded = 0;
    if (row < from || row >= from + rows.size) {
      int start = row & -RUN_ROWS;
      rows.clear();
      from = Math.max(low, start);
      decoded = opened.decode(from, Math.min(high, start + RUN_ROWS), rows);
    }
    timestamp = rows.timestamps[row - from];
    sequence = rows.sequences[row - from];
    valueBits = rows.valueBits[row - from];
    return decoded;
  }

  /** The nearest row at or before one where decoding can begin. */
  int startOf(int row) {
    return sealed ? row & -RUN_ROWS : row;
  }

  /**
   * Decodes rows {@code [from, to)} into a run.
   *
   * @return rows decoded, those included that had to be for the sake of others
   * @throws CorruptBlockException if a plain row fails its checksum
   */
  int loadRun(int first, int to, RowRun into) {
    RunDecoder opened = decoder;
    if (sealed && opened != null) {
      return opened.decode(first, to, into);
    }
    for (int row = first; row < to; row++) {
      load(row, first, to);
      into.add(timestamp, sequence, valueBits);
    }
    return to - first;
  }

  /** Makes a row of a run the current one. */
  void standOn(RowRun rows, int index) {
    timestamp = rows.timestamps[index];
    sequence = rows.sequences[index];
    valueBits = rows.valueBits[index];
  }
}
