package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.RowRun;
import io.varve.storage.SensorId;
import io.varve.storage.chronicle.BlockFile;
import io.varve.storage.hash.Hashing;
import io.varve.storage.sealed.RunDecoder;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A segment while its files are mapped: the blocks, which of them are free, and the partitions that
 * the others make up.
 *
 * <p>Block 0 of the first file is the segment's header, block 1 its undo slot. A block's
 * segment-wide number is its file's index in the upper bits and its place in the file in the lower.
 *
 * <pre>
 *   header
 *   0   magic           8   "VARVESEG"
 *   8   format          4   2
 *   12  day             4
 *   16  first offset    8   no row here comes from an older offset of the rows topic
 *   24  flags           4   bit 0: rows are missing, the log no longer reached back to them
 *   28  reserved        4
 *   32  checksum        8   of bytes 0 to 31
 *   40  last offset     8   newest offset that touched the segment
 *   48  its complement  8   so that a torn or flipped last offset is known to be none
 *   56  files           4   files in use, so that a lost one is missed
 *   60  whole           4   1: no older generation of the day is needed
 * </pre>
 *
 * <p>Readers hold the mapping by {@link #acquire} and {@link #release} around each copy; {@link
 * #close} waits for them.
 */
final class SegmentMap {
  private static final long MAGIC = 0x4745534556524156L;
  private static final int FORMAT = 2;
  private static final int FLAG_INCOMPLETE = 1;
  private static final int MAGIC_AT = 0;
  private static final int FORMAT_AT = MAGIC_AT + 8;
  private static final int DAY_AT = FORMAT_AT + 4;
  private static final int FIRST_OFFSET_AT = DAY_AT + 4;
  private static final int FLAGS_AT = FIRST_OFFSET_AT + 8;
  private static final int CHECKSUM_AT = FLAGS_AT + 8;
  private static final int LAST_OFFSET_AT = CHECKSUM_AT + 8;
  private static final int COMPLEMENT_AT = LAST_OFFSET_AT + 8;
  private static final int FILES_AT = COMPLEMENT_AT + 8;
  private static final int WHOLE_AT = FILES_AT + 4;

  /** Blocks at the start of the first file that hold no rows. */
  static final int RESERVED_BLOCKS = 2;

  private static final int PLACE_BITS = 20;
  private static final int CLOSED = Integer.MIN_VALUE;

  final int day;

  /** Rises by one each time the day is rewritten. */
  final int generation;

  final Block block = new Block();
  final Block other = new Block();
  final UndoSlot undo;

  /** The writer's; while the segment is opened, on whatever thread, one of its own. */
  Sealer sealer;

  private final Slab slab = new Slab();

  /** Number of the slab that takes the next sealed block, and its room; -1 before the first. */
  private int slabNumber = -1;

  private int slabRoom;

  /** The writer's last record that touched the segment, by the store's own count of records. */
  long touchedRecord = -1;

  /** Counts the records that touched the segment, so that a force knows what it covers. */
  volatile long touches;

  volatile boolean dirty;

  /** Rows stored or overwritten since the segment was opened; changed by the writer. */
  long arrived;

  /** Bytes of rows that stood already and were written again, since the segment was opened. */
  long movedBytes;

  /** Bytes of sealed blocks written since the segment was opened. */
  long sealedBytes;

  /** False once closed; read by the writer under its lock. */
  boolean open = true;

  private final Growth growth;
  private final UnsafeBuffer header;
  private volatile BlockFile[] files;
  private volatile Optional<BlockFile> ahead = Optional.empty();
  private boolean aheadAsked;
  private final Object growing = new Object();
  private int[] free = new int[16];
  private int freeCount;

  /** Blocks that rows have called for one by one, unlike those that a rewritten day begins with. */
  private int called;

  private final ConcurrentHashMap<Long, Partition> partitions = new ConcurrentHashMap<>();
  private final AtomicInteger readers = new AtomicInteger();

  /** Where further files come from. */
  interface Growth {
    /** How many blocks the next file is to have, when rows have called for so many. */
    int blocks(int called);

    /** Makes the segment's next file now. */
    BlockFile make(int day, int generation, int index, int blocks) throws IOException;

    /** Asks for {@link #growAhead} to be called on another thread. */
    void askAhead(SegmentMap map);

    /** Told when a partition has taken further blocks; on the writer's thread. */
    default void grew(Partition partition) {}
  }

  private SegmentMap(int day, int generation, List<BlockFile> files, Growth growth, Sealer sealer) {
    this.day = day;
    this.generation = generation;
    this.sealer = sealer;
    this.files = files.toArray(BlockFile[]::new);
    this.growth = growth;
    this.header = new UnsafeBuffer(address(0), BlockFile.BLOCK_BYTES);
    this.undo = new UndoSlot(address(1));
  }

  /** Turns a new file of zeroed blocks into an empty segment. */
  static SegmentMap create(
      int day, int generation, BlockFile first, long firstOffset, Growth growth, Sealer sealer) {
    SegmentMap map = new SegmentMap(day, generation, List.of(first), growth, sealer);
    map.header.putInt(FORMAT_AT, FORMAT);
    map.header.putInt(DAY_AT, day);
    map.header.putLong(FIRST_OFFSET_AT, firstOffset);
    map.header.putInt(FLAGS_AT, 0);
    map.header.putInt(FILES_AT, 1);
    map.header.putLong(MAGIC_AT, MAGIC);
    map.header.putLong(CHECKSUM_AT, map.headerChecksum());
    map.noteLastOffset(firstOffset);
    return map;
  }

  /** Lets the writer use the blocks of a file from one on. */
  void free(int file, int from) {
    addFree(file, from);
  }

  /**
   * Opens a segment's files: undoes a half-done change, then derives every directory.
   *
   * <p>Checks every block and row: a flipped key would mislead searches without being met itself.
   *
   * @param recovering whether sensors unknown so far are added (under the store's lock), not
   *     refused
   * @throws CorruptBlockException if anything contradicts itself, naming the place; the files are
   *     left to the caller
   */
  static SegmentMap open(
      int day,
      int generation,
      List<BlockFile> files,
      Growth growth,
      Sealer sealer,
      SensorTable sensors,
      boolean recovering) {
    SegmentMap map = new SegmentMap(day, generation, files, growth, new Sealer());
    if (map.header.getLong(MAGIC_AT) != MAGIC
        || map.header.getInt(FORMAT_AT) != FORMAT
        || map.header.getInt(DAY_AT) != day
        || map.header.getLong(CHECKSUM_AT) != map.headerChecksum()) {
      throw new CorruptBlockException("segment header fails its checksum: day=" + day);
    }
    if (map.header.getInt(FILES_AT) > files.size()) {
      throw new CorruptBlockException(
          "files of the day are missing: had=" + map.header.getInt(FILES_AT));
    }
    map.undo.undo(map);
    for (int f = 0; f < files.size(); f++) {
      for (int place = f == 0 ? RESERVED_BLOCKS : 0; place < files.get(f).blocks(); place++) {
        int number = f << PLACE_BITS | place;
        try {
          map.adopt(number, sensors, recovering);
        } catch (CorruptBlockException e) {
          throw new CorruptBlockException(
              e.getMessage() + " file=" + files.get(f).path() + " block=" + place);
        }
      }
    }
    map.partitions.values().forEach(Partition::join);
    map.sealer = sealer;
    return map;
  }

  private void adopt(int number, SensorTable sensors, boolean recovering) {
    block.at(address(number));
    if (block.kind() == Block.KIND_FREE) {
      pushFree(number);
      return;
    }
    if (block.kind() == Block.KIND_SLAB) {
      adoptSlab(number, sensors, recovering);
      called += generation == 0 ? 1 : 0;
      return;
    }
    block.verifyHeader(day);
    Partition partition = partition(block.id(), block.shard(), sensors, recovering);
    block.at(address(number), partition.layout).verifyRows();
    partition.adopt(block, number);
    called++;
  }

  private void adoptSlab(int number, SensorTable sensors, boolean recovering) {
    slab.at(address(number)).verifyHeader(day);
    int used = slab.used();
    for (int at = Slab.SEALED_AT; at < used; at += slab.length(at)) {
      slab.verifyShape(at);
      if (slab.isLive(at)) {
        Partition partition = partition(slab.id(at), slab.shard(at), sensors, recovering);
        partition.adopt(slab.decode(at, partition.layout.seed(), sealer.decoder), number, at);
        partition.countBytes(slab.length(at));
      }
    }
    if (slabNumber < 0 || Slab.END - used > slabRoom) {
      slabNumber = number;
      slabRoom = Slab.END - used;
    }
  }

  private Partition partition(byte[] id, int shard, SensorTable sensors, boolean recovering) {
    if (SensorId.check(id, 0, id.length) != null) {
      throw new CorruptBlockException("block names no sensor");
    }
    SensorEntry sensor =
        recovering ? sensors.findOrAdd(id, 0, id.length) : sensors.find(id, 0, id.length);
    if (sensor == null) {
      throw new CorruptBlockException("block names a sensor that the day's index does not");
    }
    return partitionOrNew(sensor, shard);
  }

  private long headerChecksum() {
    return headerChecksum(header);
  }

  private static long headerChecksum(UnsafeBuffer header) {
    byte[] bytes = new byte[CHECKSUM_AT];
    header.getBytes(0, bytes);
    return Hashing.of(bytes, 0, CHECKSUM_AT);
  }

  // ---- header

  long firstOffset() {
    return header.getLong(FIRST_OFFSET_AT);
  }

  /** Tells whether a segment's first file has been made but no header written to it yet. */
  static boolean isBlank(BlockFile first) {
    UnsafeBuffer header = new UnsafeBuffer(first.address(0), BlockFile.BLOCK_BYTES);
    return header.getLong(MAGIC_AT) == 0 && header.getLong(CHECKSUM_AT) == 0;
  }

  /** Reads the first offset of a segment that is otherwise damaged; -1 when it can't be told. */
  static long peekFirstOffset(int day, BlockFile first) {
    UnsafeBuffer header = new UnsafeBuffer(first.address(0), BlockFile.BLOCK_BYTES);
    return header.getLong(MAGIC_AT) == MAGIC
            && header.getInt(DAY_AT) == day
            && header.getLong(CHECKSUM_AT) == headerChecksum(header)
        ? header.getLong(FIRST_OFFSET_AT)
        : -1;
  }

  /** Newest offset that ever touched the segment; -1 when it can't be told. */
  long lastOffset() {
    long last = header.getLong(LAST_OFFSET_AT);
    return last == ~header.getLong(COMPLEMENT_AT) ? last : -1;
  }

  void noteLastOffset(long offset) {
    header.putLongOrdered(LAST_OFFSET_AT, offset);
    header.putLongOrdered(COMPLEMENT_AT, ~offset);
  }

  /** Whether no older generation of the day is needed. */
  boolean whole() {
    return generation == 0 || header.getInt(WHOLE_AT) == 1;
  }

  void markWhole() {
    header.putIntOrdered(WHOLE_AT, 1);
  }

  boolean incomplete() {
    return (header.getInt(FLAGS_AT) & FLAG_INCOMPLETE) != 0;
  }

  void markIncomplete() {
    header.putInt(FLAGS_AT, header.getInt(FLAGS_AT) | FLAG_INCOMPLETE);
    header.putLong(CHECKSUM_AT, headerChecksum());
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

  long address(int number) {
    return files[number >>> PLACE_BITS].address(number & ((1 << PLACE_BITS) - 1));
  }

  /** Files in use, without one made ahead. */
  int fileCount() {
    return files.length;
  }

  /** Takes a free block, adding a file when none is left. */
  int allocate() throws IOException {
    if (freeCount == 0) {
      synchronized (growing) {
        BlockFile next =
            ahead.isPresent()
                ? ahead.get()
                : growth.make(day, generation, files.length, growth.blocks(called));
        ahead = Optional.empty();
        aheadAsked = false;
        enter(next);
      }
      addFree(files.length - 1, 0);
    }
    int number = free[--freeCount];
    called++;
    if (!aheadAsked && freeCount < files[files.length - 1].blocks() / 4) {
      aheadAsked = true;
      growth.askAhead(this);
    }
    return number;
  }

  private void enter(BlockFile file) {
    BlockFile[] more = Arrays.copyOf(files, files.length + 1);
    more[files.length] = file;
    header.putIntOrdered(FILES_AT, more.length);
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
        enter(ahead.get());
        ahead = Optional.empty();
        aheadAsked = false;
        addFree(files.length - 1, 0);
      }
      counting.count(files.length);
      enter(file);
      return files.length - 1;
    }
  }

  /** Number of a block. */
  static int number(int file, int place) {
    return file << PLACE_BITS | place;
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
          release(numbers[--i]);
        }
        throw e;
      }
    }
    return numbers;
  }

  /** Gives a block back that is free again. */
  void release(int number) {
    pushFree(number);
  }

  // ---- sealed blocks

  /**
   * Seals rows {@code [from, to)} of a run for a partition, adding a slab when there is no room.
   *
   * @return the sealed block's place
   * @throws IOException if a slab is needed and the disk has no room; nothing was changed
   */
  long seal(Partition partition, RowRun run, int from, int to) throws IOException {
    if (slabNumber >= 0) {
      int at = trySeal(partition, run, from, to);
      if (at >= 0) {
        return BlockDirectory.place(slabNumber, at);
      }
    }
    int number = allocate();
    slab.at(address(number)).format(day);
    slabNumber = number;
    return BlockDirectory.place(number, trySeal(partition, run, from, to));
  }

  private int trySeal(Partition partition, RowRun run, int from, int to) {
    int at =
        slab.at(address(slabNumber))
            .seal(
                sealer.encoder,
                partition.sensor.id,
                partition.shard,
                partition.layout.seed(),
                run,
                from,
                to);
    if (at >= 0) {
      partition.grow(slab.length(at));
      sealedBytes += slab.length(at);
    }
    return at;
  }

  /**
   * Points the writer's decoder at a sealed block.
   *
   * @throws CorruptBlockException if it fails its checksum
   */
  RunDecoder decode(long place, long seed) {
    return slab.at(address(BlockDirectory.number(place)))
        .decode(BlockDirectory.offset(place), seed, sealer.decoder);
  }

  /** Length of a sealed block. */
  int sealedBytes(long place) {
    return slab.at(address(BlockDirectory.number(place))).length(BlockDirectory.offset(place));
  }

  void grew(Partition partition) {
    growth.grew(partition);
  }

  /** Marks a sealed block as dead. */
  void kill(long place) {
    slab.at(address(BlockDirectory.number(place))).kill(BlockDirectory.offset(place));
  }

  // ---- growth

  /** Makes the next file before the writer needs it; on any thread. */
  void growAhead() throws IOException {
    synchronized (growing) {
      if (ahead.isEmpty() && readers.get() >= 0) {
        ahead = Optional.of(growth.make(day, generation, files.length, growth.blocks(called)));
      }
    }
  }

  private void addFree(int file, int from) {
    // Highest first, so that blocks are taken in the order in which they lie.
    for (int place = files[file].blocks() - 1; place >= from; place--) {
      pushFree(file << PLACE_BITS | place);
    }
  }

  private void pushFree(int number) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = number;
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

  /** Writes a file's changed pages to the disk and waits for it. */
  static void force(BlockFile file) throws IOException {
    DiskStep.FORCE_FILE.before();
    file.force();
    DiskStep.FORCE_FILE.after();
  }

  /** Writes changed pages to the disk and waits for it; the caller holds the mapping. */
  void force() throws IOException {
    for (BlockFile file : files) {
      force(file);
    }
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
