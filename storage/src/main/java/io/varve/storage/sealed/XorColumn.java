package io.varve.storage.sealed;

import io.varve.storage.CorruptBlockException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Bits of values as what differs from the row before, in frames of 32 rows. The idea of a window of
 * differing bits is from Pelkonen et al., "Gorilla", VLDB 2015, section 4.1.2; here a frame has
 * one.
 *
 * <pre>
 *   first       8      value bits of row 0
 *   base low    1      bits 0-6: lowest bit in which a frame's base may differ from first;
 *                      bit 7: a map of changes for each frame
 *   base width  1
 *   windows     2 for each frame: lowest differing bit, width
 *   maps        4 for each frame, only with bit 7: bit i is set when row i + 1 of the frame
 *               differs from row i
 *   bases       packed, frames × base width: (value bits of the frame's row 0 ^ first) >>> base low
 *   changes     packed, frame after frame: (value bits ^ those before) >>> lowest; with a map only
 *               where its bit is set, else of rows 1 and up
 * </pre>
 */
final class XorColumn {
  private static final int FRAME_SHIFT = FrameColumn.FRAME_SHIFT;
  private static final int FRAME_ROWS = FrameColumn.FRAME_ROWS;
  private static final int MAX_FRAMES = FrameColumn.MAX_FRAMES;
  private static final int MAPS = 128;

  private UnsafeBuffer buffer = new UnsafeBuffer(0L, 0);
  private final long[] scratch = new long[FRAME_ROWS];
  private final byte[] lowest = new byte[MAX_FRAMES];
  private final byte[] widths = new byte[MAX_FRAMES];
  private final int[] maps = new int[MAX_FRAMES];
  private final int[] frameBits = new int[MAX_FRAMES];
  private boolean mapped;
  private long first;
  private int baseLow;
  private int baseWidth;
  private int basesAt;
  private int changesAt;

  /** Reads the layout and passes over the column's bytes. */
  void wrap(PayloadReader in, int rows) {
    buffer = in.buffer();
    int frames = FrameColumn.frames(rows);
    first = in.getLong();
    int shape = in.getByte();
    mapped = (shape & MAPS) != 0;
    baseLow = window(shape & MAPS - 1);
    baseWidth = in.getWidth();
    for (int f = 0; f < frames; f++) {
      lowest[f] = (byte) window(in.getByte());
      widths[f] = (byte) in.getWidth();
    }
    int bits = 0;
    for (int f = 0; f < frames; f++) {
      int followers = Math.min(FRAME_ROWS, rows - (f << FRAME_SHIFT)) - 1;
      maps[f] = mapped ? in.getInt() : -1;
      frameBits[f] = bits;
      if (mapped && maps[f] >>> followers != 0) {
        throw new CorruptBlockException("sealed run maps changes past its rows: frame=" + f);
      }
      bits += (mapped ? Integer.bitCount(maps[f]) : followers) * widths[f];
    }
    basesAt = in.skip(BitPacking.bytes(frames * baseWidth));
    changesAt = in.skip(BitPacking.bytes(bits));
  }

  private static int window(int lowest) {
    if (lowest >= Long.SIZE) {
      throw new CorruptBlockException("sealed run has no such bit: lowest=" + lowest);
    }
    return lowest;
  }

  void decode(int from, int to, long[] out, int outAt) {
    int at = outAt;
    int row = from;
    while (row < to) {
      int frame = row >>> FRAME_SHIFT;
      int start = frame << FRAME_SHIFT;
      int end = Math.min(to, start + FRAME_ROWS);
      if (row == start) {
        change(frame, end - start, out, at);
      } else {
        change(frame, end - start, scratch, 0);
        System.arraycopy(scratch, row - start, out, at, end - row);
      }
      at += end - row;
      row = end;
    }
  }

  /** Writes the first {@code count} values of a frame. */
  private void change(int frame, int count, long[] out, int at) {
    int map = maps[frame];
    int low = lowest[frame];
    int changes = mapped ? Integer.bitCount(map & (int) BitPacking.mask(count - 1)) : count - 1;
    // At the end of the place, so that a change is never overwritten before it is read.
    int next = at + count - changes;
    BitPacking.unpack(buffer, changesAt, frameBits[frame], widths[frame], changes, out, next);
    long value = first ^ BitPacking.get(buffer, basesAt, frame * baseWidth, baseWidth) << baseLow;
    out[at] = value;
    int end = at + count;
    if (changes == count - 1) {
      for (int i = at + 1; i < end; i++) {
        value ^= out[i] << low;
        out[i] = value;
      }
      return;
    }
    for (int i = at + 1; i < end; i++) {
      if ((map & 1) != 0) {
        value ^= out[next++] << low;
      }
      map >>>= 1;
      out[i] = value;
    }
  }

  /** Measures values and writes them. */
  static final class Encoder {
    private long[] values = new long[0];
    private int from;
    private int rows;
    private int frames;
    private final int[] lowest = new int[MAX_FRAMES];
    private final int[] widths = new int[MAX_FRAMES];
    private final int[] maps = new int[MAX_FRAMES];
    private final long[] bases = new long[MAX_FRAMES];
    private final long[] changes = new long[FRAME_ROWS];
    private int baseLow;
    private int baseWidth;
    private boolean mapped;

    /** Takes values and returns the bytes they will take. */
    int plan(long[] values, int from, int rows) {
      this.values = values;
      this.from = from;
      this.rows = rows;
      frames = FrameColumn.frames(rows);
      long differing = 0;
      int plainBits = 0;
      int mappedBits = 0;
      for (int f = 0; f < frames; f++) {
        int start = from + (f << FRAME_SHIFT);
        int end = Math.min(from + rows, start + FRAME_ROWS);
        long value = values[start];
        bases[f] = value ^ values[from];
        differing |= bases[f];
        long window = 0;
        int map = 0;
        for (int i = start + 1; i < end; i++) {
          long change = values[i] ^ value;
          value = values[i];
          window |= change;
          // 1 where any bit differs.
          map |= (int) ((change | -change) >>> 63) << (i - start - 1);
        }
        maps[f] = map;
        lowest[f] = window == 0 ? 0 : Long.numberOfTrailingZeros(window);
        widths[f] = BitPacking.width(window >>> lowest[f]);
        plainBits += (end - start - 1) * widths[f];
        mappedBits += Integer.bitCount(map) * widths[f];
      }
      baseLow = differing == 0 ? 0 : Long.numberOfTrailingZeros(differing);
      baseWidth = BitPacking.width(differing >>> baseLow);
      int plainBytes = BitPacking.bytes(plainBits);
      int mappedBytes = BitPacking.bytes(mappedBits) + 4 * frames;
      mapped = mappedBytes < plainBytes;
      return 10
          + 2 * frames
          + BitPacking.bytes(frames * baseWidth)
          + Math.min(plainBytes, mappedBytes);
    }

    /** Writes what was planned. */
    void write(PayloadWriter out) {
      out.putLong(values[from]);
      out.putByte(baseLow | (mapped ? MAPS : 0));
      out.putByte(baseWidth);
      for (int f = 0; f < frames; f++) {
        out.putByte(lowest[f]);
        out.putByte(widths[f]);
      }
      for (int f = 0; f < frames && mapped; f++) {
        out.putInt(maps[f]);
      }
      for (int f = 0; f < frames; f++) {
        bases[f] >>>= baseLow;
      }
      out.packBits(bases, 0, frames, 0, baseWidth);
      out.endBits();
      for (int f = 0; f < frames; f++) {
        int start = from + (f << FRAME_SHIFT);
        int end = Math.min(from + rows, start + FRAME_ROWS);
        int count = 0;
        for (int i = start + 1; i < end; i++) {
          long change = values[i] ^ values[i - 1];
          if (!mapped || change != 0) {
            changes[count++] = change >>> lowest[f];
          }
        }
        out.packBits(changes, 0, count, 0, widths[f]);
      }
      out.endBits();
    }
  }
}
