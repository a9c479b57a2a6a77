package io.varve.storage.engine;

import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A segment while its files are mapped: its blocks, and the partitions that they make up.
 *
 * <p>Block 0 of the first file is the segment's header, block 1 its undo slot.
 *
 * <p>Readers hold the mapping by {@link #acquire} and {@link #release} around each copy; {@link
 * #close} waits for them.
 */
final class SegmentMap {
  private static final int CLOSED = Integer.MIN_VALUE;

  final int day;

  /** Rises by one each time the day is rewritten. */
  final int generation;

  final SegmentHeader header;
  final BlockSpace space;
  final SealedBlocks sealed = new SealedBlocks(this);
  final DirectoryMemory directories = new DirectoryMemory();
  final UndoSlot undo;
  final Block block = new Block();
  final Block other = new Block();

  /** The writer's; while the segment is opened, on whatever thread, one of its own. */
  Sealer sealer;

  /** The writer's last record that touched the segment, by the store's own count of records. */
  long touchedRecord = -1;

  /** Counts the records that touched the segment, so that a force knows what it covers. */
  volatile long touches;

  volatile boolean dirty;

  /** Rows stored or overwritten since the segment was opened; changed by the writer. */
  long arrived;

  /** Bytes of rows that stood already and were written again, since the segment was opened. */
  long movedBytes;

  /** False once closed; read by the writer under its lock. */
  boolean open = true;

  private final BlockSpace.Growth growth;
  private final ConcurrentHashMap<Long, Partition> partitions = new ConcurrentHashMap<>();
  private final AtomicInteger readers = new AtomicInteger();

  private SegmentMap(
      int day, int generation, List<BlockFile> files, BlockSpace.Growth growth, Sealer sealer) {
    this.day = day;
    this.generation = generation;
    this.sealer = sealer;
    this.growth = growth;
    this.header = new SegmentHeader(files.get(0));
    this.space = new BlockSpace(day, generation, files, growth, header);
    this.undo = new UndoSlot(space.address(1));
  }

  /** Turns a new file of zeroed blocks into an empty segment, without free blocks. */
  static SegmentMap create(
      int day,
      int generation,
      BlockFile first,
      long firstOffset,
      BlockSpace.Growth growth,
      Sealer sealer) {
    SegmentMap map = new SegmentMap(day, generation, List.of(first), growth, sealer);
    map.header.write(day, firstOffset);
    return map;
  }

  /**
   * Opens a segment's files.
   *
   * @param recovering whether sensors unknown so far are added (under the store's lock), not
   *     refused
   * @throws io.varve.storage.CorruptBlockException if anything contradicts itself, naming the
   *     place; the files are left to the caller
   */
  static SegmentMap open(
      int day,
      int generation,
      List<BlockFile> files,
      BlockSpace.Growth growth,
      Sealer sealer,
      SensorTable sensors,
      boolean recovering) {
    SegmentMap map = new SegmentMap(day, generation, files, growth, new Sealer());
    new SegmentOpening(map, files, sensors, recovering).run();
    map.sealer = sealer;
    return map;
  }

  /** Whether no older generation of the day is needed. */
  boolean whole() {
    return generation == 0 || header.whole();
  }

  // ---- partitions

  private static long partitionKey(SensorEntry sensor, int shard) {
    return (long) sensor.number << 32 | shard;
  }

  @Nullable Partition partition(SensorEntry sensor, int shard) {
    return partitions.get(partitionKey(sensor, shard));
  }

  /** Takes a partition over that moves here. */
  void put(Partition partition) {
    partitions.put(partitionKey(partition.sensor, partition.shard), partition);
  }

  /** Whether the segment has been rewritten, and no plain block was begun since. */
  boolean isTight() {
    return generation > 0 && partitions.values().stream().allMatch(Partition::isSealed);
  }

  /** Marks the partitions that are found in the next generation as well as moved. */
  void markMoved(SegmentMap next) {
    for (Partition partition : partitions.values()) {
      if (next.partition(partition.sensor, partition.shard) != null) {
        partition.markMoved();
      }
    }
  }

  Partition partitionOrNew(SensorEntry sensor, int shard) {
    long key = partitionKey(sensor, shard);
    Partition known = partitions.get(key);
    if (known == null) {
      known = new Partition(sensor, shard, this);
      partitions.put(key, known);
    }
    return known;
  }

  Collection<Partition> partitions() {
    return partitions.values();
  }

  long rows() {
    long sum = 0;
    for (Partition partition : partitions.values()) {
      sum += partition.moved() ? 0 : partition.rows();
    }
    return sum;
  }

  // ---- blocks

  /** Address of a block. */
  long address(int number) {
    return space.address(number);
  }

  /** Takes a free block, adding a file when none is left. */
  int allocate() throws IOException {
    return space.allocate(this);
  }

  /**
   * Takes some free blocks.
   *
   * @throws IOException if the disk has no room; none is taken then
   */
  int[] allocate(int count) throws IOException {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      try {
        numbers[i] = allocate();
      } catch (IOException e) {
        while (i > 0) {
          space.release(numbers[--i]);
        }
        throw e;
      }
    }
    return numbers;
  }

  void grew(Partition partition) {
    growth.grew(partition);
  }

  /** Makes the next file before the writer needs it, unless this is closing; on any thread. */
  void growAhead() throws IOException {
    if (!acquire()) {
      return;
    }
    try {
      space.growAhead();
    } finally {
      release();
    }
  }

  // ---- life

  /** Keeps the mapping open until {@link #release}; false if it is closed or closing. */
  boolean acquire() {
    while (true) {
      int n = readers.get();
      if (n < 0) {
        return false;
      }
      if (readers.compareAndSet(n, n + 1)) {
        return true;
      }
    }
  }

  void release() {
    readers.decrementAndGet();
  }

  /** Forces changes to disk and waits for it; false if the mapping is closing. */
  boolean force() throws IOException {
    if (!acquire()) {
      return false;
    }
    try {
      space.force();
    } finally {
      release();
    }
    return true;
  }

  /**
   * Unmaps the files once the last reader has let go.
   *
   * @return how many files that were, one made ahead included
   */
  int close() {
    open = false;
    readers.getAndUpdate(n -> n < 0 ? n : n + CLOSED);
    while (readers.get() != CLOSED) {
      LockSupport.parkNanos(20_000);
    }
    return space.close();
  }
}
