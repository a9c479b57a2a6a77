package io.varve.storage.engine;

import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The blocks of a segment's files, and which of them are free.
 *
 * <p>A block's segment-wide number is its file's index in the upper bits and its place in the file
 * in the lower. Blocks are taken and given back by the writer, under the store's lock; files are
 * made ahead on any thread.
 */
final class BlockSpace {
  /** Blocks at the start of the first file that hold no rows. */
  static final int RESERVED_BLOCKS = 2;

  private static final int PLACE_BITS = 20;

  private final int day;
  private final int generation;
  private final Growth growth;
  private final SegmentHeader header;
  private volatile BlockFile[] files;
  private volatile Optional<BlockFile> ahead = Optional.empty();
  private boolean aheadAsked;
  private final Object growing = new Object();
  private int[] free = new int[16];
  private int freeCount;

  /** Blocks that rows have called for one by one, unlike those that a rewritten day begins with. */
  private int called;

  /** Blocks that rows will call for at least, as far as is known. */
  private int expected;

  /** Where further files come from. */
  interface Growth {
    /**
     * How many blocks the next file is to have, when rows have called for so many and so many are
     * expected.
     */
    int blocks(int called, int expected);

    /** Makes the segment's next file now. */
    BlockFile make(int day, int generation, int index, int blocks) throws IOException;

    /** Asks for {@link #growAhead} to be called on another thread. */
    void askAhead(SegmentMap map);

    /** Told when a partition has taken further blocks; on the writer's thread. */
    default void grew(Partition partition) {}
  }

  BlockSpace(int day, int generation, List<BlockFile> files, Growth growth, SegmentHeader header) {
    this.day = day;
    this.generation = generation;
    this.files = files.toArray(BlockFile[]::new);
    this.growth = growth;
    this.header = header;
  }

  /** Number of a block. */
  static int number(int file, int place) {
    return file << PLACE_BITS | place;
  }

  /** Address of a block. */
  long address(int number) {
    return files[number >>> PLACE_BITS].address(number & ((1 << PLACE_BITS) - 1));
  }

  /** Files in use, without one made ahead. */
  int fileCount() {
    return files.length;
  }

  /** Says how many blocks rows will call for at least. */
  void expect(int blocks) {
    expected = blocks;
  }

  /** Counts a block found in the files that rows have called for. */
  void countCalled() {
    called++;
  }

  /**
   * Takes a free block, adding a file when none is left.
   *
   * @param map whose next file is asked for when few are left
   * @throws IOException if a file is needed and the disk has no room
   */
  int allocate(SegmentMap map) throws IOException {
    if (freeCount == 0) {
      synchronized (growing) {
        BlockFile next =
            ahead.isPresent()
                ? ahead.get()
                : growth.make(day, generation, files.length, growth.blocks(called, expected));
        enterWithBlocks(next);
      }
    }
    int number = free[--freeCount];
    called++;
    if (!aheadAsked && freeCount < files[files.length - 1].blocks() / 4) {
      aheadAsked = true;
      growth.askAhead(map);
    }
    return number;
  }

  /** Gives a block back that is free again, or was found free. */
  void release(int number) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = number;
  }

  /** Lets the writer use the blocks of a file from one on. */
  void releaseAll(int file, int from) {
    // Highest first, so that blocks are taken in the order in which they lie.
    for (int place = files[file].blocks() - 1; place >= from; place--) {
      release(number(file, place));
    }
  }

  private void enterWithBlocks(BlockFile next) {
    ahead = Optional.empty();
    aheadAsked = false;
    enter(next);
    releaseAll(files.length - 1, 0);
  }

  private void enter(BlockFile file) {
    BlockFile[] more = Arrays.copyOf(files, files.length + 1);
    more[files.length] = file;
    header.noteFiles(more.length);
    files = more;
  }

  /** Makes a file made elsewhere count, under the name of the index that it is given. */
  interface Counting {
    void count(int index) throws IOException;
  }

  /**
   * Adds a file made elsewhere, with no free blocks; the caller holds the write lock.
   *
   * @return its index
   */
  int add(BlockFile file, Counting counting) throws IOException {
    synchronized (growing) {
      if (ahead.isPresent()) {
        enterWithBlocks(ahead.get());
      }
      counting.count(files.length);
      enter(file);
      return files.length - 1;
    }
  }

  /** Makes the next file before the writer needs it; the caller holds the mapping. */
  void growAhead() throws IOException {
    synchronized (growing) {
      if (ahead.isEmpty()) {
        BlockFile next =
            growth.make(day, generation, files.length, growth.blocks(called, expected));
        ahead = Optional.of(next);
      }
    }
  }

  /** Writes changed pages to the disk and waits for it; the caller holds the mapping. */
  void force() throws IOException {
    for (BlockFile file : files) {
      force(file);
    }
  }

  /** Writes a file's changed pages to the disk and waits for it. */
  static void force(BlockFile file) throws IOException {
    DiskStep.FORCE_FILE.before();
    file.force();
    DiskStep.FORCE_FILE.after();
  }

  /**
   * Unmaps the files, which nobody holds any more.
   *
   * @return how many files that were, one made ahead included
   */
  int close() {
    synchronized (growing) {
      for (BlockFile file : files) {
        file.close();
      }
      int closed = files.length + (ahead.isPresent() ? 1 : 0);
      ahead.ifPresent(BlockFile::close);
      ahead = Optional.empty();
      return closed;
    }
  }
}
