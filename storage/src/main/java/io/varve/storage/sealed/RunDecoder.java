package io.varve.storage.sealed;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads one sealed run at a time; the layout is drawn at {@link RunEncoder}. One thread at a time.
 * Borrows the memory until it is pointed elsewhere, and allocates nothing for a run.
 *
 * <p>It does not know whether the bytes are the ones that were written: the enclosing checksum
 * does. Bytes of a sound structure and wrong content give wrong rows, never a read outside.
 */
public final class RunDecoder {
  /** Most rows in a run. */
  public static final int MAX_ROWS = 1024;

  /** Readable bytes wanted past the payload. Their content does not matter. */
  public static final int SLACK_BYTES = 8;

  private static final TimeEncoding[] TIME_ENCODINGS = TimeEncoding.values();
  private static final ValueEncoding[] VALUE_ENCODINGS = ValueEncoding.values();

  private final PayloadReader in = new PayloadReader();
  private final TimeColumn time = new TimeColumn();
  private final FrameColumn sequences = new FrameColumn();
  private final ValueColumn values = new ValueColumn();
  private final long[] scratch = new long[FrameColumn.FRAME_ROWS];
  private TimeEncoding timeEncoding = TimeEncoding.LINE;
  private ValueEncoding valueEncoding = ValueEncoding.RAW;
  private boolean sequenced;
  private boolean steps;
  private int size;
  private int searched;

  /**
   * Points at a payload and checks its structure, so that what follows never reads outside.
   *
   * @throws CorruptBlockException naming what is wrong; there are no rows then
   * @throws IllegalArgumentException if the buffer ends less than {@link #SLACK_BYTES} past it
   */
  public RunDecoder wrap(UnsafeBuffer buffer, int offset, int length) {
    size = 0;
    searched = 0;
    if (offset < 0 || length < 0 || buffer.capacity() - SLACK_BYTES - length < offset) {
      throw new IllegalArgumentException(
          "buffer ends before the slack: offset=" + offset + " length=" + length);
    }
    in.wrap(buffer, offset, length);
    int version = in.getByte();
    if (version != RunEncoder.VERSION) {
      throw new CorruptBlockException("sealed run is of an unknown version: version=" + version);
    }
    int encodings = in.getByte();
    int timeCode = encodings & RunEncoder.CODE_MASK;
    if (timeCode >= TIME_ENCODINGS.length || encodings >= 2 * RunEncoder.SEQUENCES) {
      throw new CorruptBlockException("sealed run is of unknown encodings: code=" + encodings);
    }
    timeEncoding = TIME_ENCODINGS[timeCode];
    valueEncoding = VALUE_ENCODINGS[encodings >>> RunEncoder.VALUE_SHIFT & RunEncoder.CODE_MASK];
    sequenced = (encodings & RunEncoder.SEQUENCES) != 0;
    long rows = in.getVarint();
    if (rows < 1 || rows > MAX_ROWS) {
      throw new CorruptBlockException("sealed run has no such number of rows: rows=" + rows);
    }
    time.wrap(in, (int) rows, timeEncoding);
    if (sequenced) {
      sequences.wrap(in, (int) rows);
    }
    values.wrap(in, (int) rows, valueEncoding);
    if (in.left() != 0) {
      throw new CorruptBlockException("sealed run has bytes past its end: left=" + in.left());
    }
    steps = time.steps() || values.steps();
    size = (int) rows;
    return this;
  }

  /** Number of rows. */
  public int size() {
    return size;
  }

  public long firstTimestamp() {
    return time.at(0);
  }

  public long firstSequence() {
    return sequence(0);
  }

  /** Timestamp of the last row; with {@link TimeEncoding#DELTA} it takes a walk through a frame. */
  public long lastTimestamp() {
    return time.at(size - 1);
  }

  public long lastSequence() {
    return sequence(size - 1);
  }

  private long sequence(int row) {
    return sequenced ? sequences.at(row) : 0;
  }

  /** Whether {@link #decode} may have to begin before the first row asked for. */
  public boolean walksFrames() {
    return steps;
  }

  public TimeEncoding timeEncoding() {
    return timeEncoding;
  }

  public ValueEncoding valueEncoding() {
    return valueEncoding;
  }

  /** Finds the first row whose key is not before (timestamp, sequence); size() when all are. */
  public int lowerBound(long timestampMicros, long sequence) {
    searched = 0;
    int low = 0;
    int high = size;
    if (time.steps()) {
      // The last frame whose first row is before the key has the answer, or ends right before it.
      int frames = FrameColumn.frames(size);
      int frame = 0;
      int past = frames;
      while (past - frame > 1) {
        int middle = frame + past >>> 1;
        if (isBefore(middle << FrameColumn.FRAME_SHIFT, timestampMicros, sequence)) {
          frame = middle;
        } else {
          past = middle;
        }
      }
      low = frame << FrameColumn.FRAME_SHIFT;
      high = Math.min(size, low + FrameColumn.FRAME_ROWS);
      int found = boundInFrame(low, high, timestampMicros, sequence);
      searched = high - found;
      return found;
    }
    while (low < high) {
      int middle = low + high >>> 1;
      if (isBefore(middle, timestampMicros, sequence)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBefore(int row, long timestampMicros, long sequence) {
    searched++;
    long timestamp = time.at(row);
    return timestamp != timestampMicros ? timestamp < timestampMicros : sequence(row) < sequence;
  }

  private int boundInFrame(int start, int end, long timestampMicros, long sequence) {
    time.decode(start, end, scratch, 0);
    for (int row = start; row < end; row++) {
      long timestamp = scratch[row - start];
      if (timestamp > timestampMicros
          || timestamp == timestampMicros && sequence(row) >= sequence) {
        return row;
      }
    }
    return end;
  }

  /**
   * How many timestamps the last {@link #lowerBound} reconstructed; of a frame walked through,
   * those from the row found on, since a {@link #decode} from that row counts the others.
   */
  public int searched() {
    return searched;
  }

  /**
   * Appends rows {@code [from, to)} to another run.
   *
   * @return rows whose timestamp or value was reconstructed, skipped ones included: at most 31 more
   *     than asked for
   * @throws IndexOutOfBoundsException if the run has no such rows
   */
  public int decode(int from, int to, RowRun into) {
    if (from < 0 || to > size || from > to) {
      throw new IndexOutOfBoundsException("from=" + from + " to=" + to + " size=" + size);
    }
    if (from == to) {
      return 0;
    }
    into.reserve(to - from);
    int at = into.size;
    time.decode(from, to, into.timestamps, at);
    if (sequenced) {
      sequences.decode(from, to, into.sequences, at);
    } else {
      Arrays.fill(into.sequences, at, at + to - from, 0);
    }
    values.decode(from, to, into.valueBits, at);
    into.size = at + to - from;
    return to - (steps ? from & -FrameColumn.FRAME_ROWS : from);
  }
}
