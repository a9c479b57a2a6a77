package io.varve.storage.sealed;

import io.varve.storage.RowRun;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes sealed runs, each column in the smallest of its encodings. The bytes depend on the rows
 * alone. One thread at a time; scratch is reused, and nothing is allocated for a run.
 *
 * <p>Layout of a payload, in this version:
 *
 * <pre>
 *   version     1                 1
 *   encodings   1                 bits 0-1 time (0 line, 1 delta); bits 2-3 value (0 constant,
 *                                 1 decimal, 2 xor, 3 raw); bit 4 sequences; others 0
 *   rows        varint            1 to 1024
 *   time        {@link TimeColumn}
 *   sequences   {@link FrameColumn}, only with bit 4; else all are 0
 *   values      {@link ValueColumn}
 * </pre>
 *
 * <p>Nothing follows the last column. Packed numbers are those of {@link BitPacking}: an array of
 * them begins at a byte and is padded to one.
 */
public final class RunEncoder {
  static final byte VERSION = 1;
  static final int VALUE_SHIFT = 2;
  static final int CODE_MASK = 3;
  static final int SEQUENCES = 16;

  /** Three raw columns and every header are well below it. */
  private static final int MAX_BYTES = RunDecoder.MAX_ROWS * 32;

  private final PayloadWriter out = new PayloadWriter(MAX_BYTES);
  private final TimeColumn.Encoder time = new TimeColumn.Encoder();
  private final FrameColumn.Encoder sequences = new FrameColumn.Encoder();
  private final ValueColumn.Encoder values = new ValueColumn.Encoder();
  private final long[] scratch = new long[RunDecoder.MAX_ROWS];

  /**
   * Encodes rows {@code [from, to)} of a run, 1 to {@link RunDecoder#MAX_ROWS} of them, each key
   * once, ascending by (timestamp, sequence).
   *
   * @return bytes written at {@code target[offset..)}, or -1, and nothing written, when they would
   *     be more than {@code room}
   * @throws IllegalArgumentException if there are no rows, too many, or not in this order
   */
  public int encode(RowRun run, int from, int to, UnsafeBuffer target, int offset, int room) {
    int rows = to - from;
    if (from < 0 || to > run.size || rows < 1 || rows > RunDecoder.MAX_ROWS) {
      throw new IllegalArgumentException("rows are out of range: from=" + from + " to=" + to);
    }
    boolean sequenced = checkOrder(run.timestamps, run.sequences, from, to);
    TimeEncoding timeEncoding = time.plan(run.timestamps, from, rows);
    ValueEncoding valueEncoding = values.plan(run.valueBits, from, rows);
    out.clear();
    out.putByte(VERSION);
    out.putByte(
        timeEncoding.code() | valueEncoding.code() << VALUE_SHIFT | (sequenced ? SEQUENCES : 0));
    out.putVarint(rows);
    time.write(out, timeEncoding);
    if (sequenced) {
      System.arraycopy(run.sequences, from, scratch, 0, rows);
      sequences.plan(scratch, rows);
      sequences.write(out);
    }
    values.write(out, valueEncoding);
    int size = out.size();
    if (size > room) {
      return -1;
    }
    target.putBytes(offset, out.buffer, 0, size);
    return size;
  }

  /** Whether any sequence is not 0. */
  private static boolean checkOrder(long[] timestamps, long[] sequences, int from, int to) {
    long all = sequences[from];
    for (int i = from + 1; i < to; i++) {
      all |= sequences[i];
      if (timestamps[i] <= timestamps[i - 1]
          && (timestamps[i] < timestamps[i - 1] || sequences[i] <= sequences[i - 1])) {
        throw new IllegalArgumentException("rows are out of order: row=" + i);
      }
    }
    return all != 0;
  }
}
