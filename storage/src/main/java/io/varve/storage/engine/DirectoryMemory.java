package io.varve.storage.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory off the heap for the directories of one segment's partitions, so that a row that is stored
 * allocates nothing and what is known of many blocks is nothing to the garbage collector.
 *
 * <p>A <b>room</b> is space for some blocks' entries, of one of a few sizes. What is given back is
 * used again for rooms of the same size only: a reader that still looks at it meets entries of
 * another partition of the segment, or zeros, which are the place of the segment's header, and the
 * directory's version tells it so. The memory is let go of with the last partition that can reach
 * it.
 *
 * <pre>
 *   handle of a room: chunk 24 bits | first word in the chunk 32 bits | size 8 bits
 * </pre>
 *
 * <p>One writer, under the store's lock; any readers.
 */
final class DirectoryMemory {
  /** Words of a block: timestamp and sequence of its fence, and its place. */
  static final int STRIDE = 3;

  private static final int FIRST_CHUNK_BYTES = 4 << 10;
  private static final int MOST_CHUNK_BYTES = 1 << 20;
  private static final int SIZE_BITS = 8;
  private static final int WORD_BITS = 32;

  /** Blocks that a room of each size has place for: double the one before, later half as much. */
  private static final int[] BLOCKS = sizes();

  private volatile UnsafeBuffer[] chunks = new UnsafeBuffer[0];

  /** Words of the newest chunk that are in use. */
  private int used;

  private final long[][] free = new long[BLOCKS.length][];
  private final int[] freeCounts = new int[BLOCKS.length];

  private static int[] sizes() {
    int[] sizes = new int[48];
    int blocks = 1;
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = blocks;
      blocks += blocks < 64 ? blocks : blocks / 2;
    }
    return Arrays.copyOf(
        sizes, (int) Arrays.stream(sizes).filter(size -> size > 0 && size < 1 << 26).count());
  }

  /** Returns a room for as many blocks or more. */
  long allocate(int blocks) {
    int size = Arrays.binarySearch(BLOCKS, blocks);
    size = size < 0 ? -size - 1 : size;
    if (freeCounts[size] > 0) {
      return free[size][--freeCounts[size]];
    }
    int words = BLOCKS[size] * STRIDE;
    UnsafeBuffer[] now = chunks;
    if (now.length == 0 || now[now.length - 1].capacity() / Long.BYTES - used < words) {
      int usual = Math.min(MOST_CHUNK_BYTES, FIRST_CHUNK_BYTES << Math.min(now.length, 16));
      int bytes = Math.max(usual, words * Long.BYTES);
      now = Arrays.copyOf(now, now.length + 1);
      now[now.length - 1] = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes));
      chunks = now;
      used = 0;
    }
    long room = (long) (now.length - 1) << WORD_BITS + SIZE_BITS | (long) used << SIZE_BITS | size;
    used += words;
    return room;
  }

  /** Gives a room back. */
  void free(long room) {
    int size = size(room);
    long[] known = free[size];
    if (known == null || freeCounts[size] == known.length) {
      free[size] = known == null ? new long[4] : Arrays.copyOf(known, known.length * 2);
    }
    free[size][freeCounts[size]++] = room;
  }

  private static int size(long room) {
    return (int) room & (1 << SIZE_BITS) - 1;
  }

  /** Blocks that a room has place for. */
  static int blocks(long room) {
    return BLOCKS[size(room)];
  }

  private UnsafeBuffer chunk(long room) {
    return chunks[(int) (room >>> WORD_BITS + SIZE_BITS)];
  }

  private static int at(long room, int block, int word) {
    return ((int) (room >>> SIZE_BITS) + block * STRIDE + word) * Long.BYTES;
  }

  /** Reads a word of a block. */
  long get(long room, int block, int word) {
    return chunk(room).getLong(at(room, block, word));
  }

  /** Writes the words of a block. */
  void set(long room, int block, long timestamp, long sequence, long place) {
    UnsafeBuffer chunk = chunk(room);
    int at = at(room, block, 0);
    chunk.putLong(at, timestamp);
    chunk.putLong(at + Long.BYTES, sequence);
    chunk.putLong(at + 2 * Long.BYTES, place);
  }

  /** Copies some blocks' words, within a room or to another one; they may overlap. */
  void copy(long from, int fromBlock, long to, int toBlock, int blocks) {
    chunk(to)
        .putBytes(
            at(to, toBlock, 0), chunk(from), at(from, fromBlock, 0), blocks * STRIDE * Long.BYTES);
  }

  /** Bytes that the rooms take, used or not. */
  long bytes() {
    long sum = 0;
    for (UnsafeBuffer chunk : chunks) {
      sum += chunk.capacity();
    }
    return sum;
  }
}
