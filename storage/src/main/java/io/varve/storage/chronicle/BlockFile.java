package io.varve.storage.chronicle;

import io.varve.storage.CorruptBlockException;
import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.hash.impl.VanillaChronicleHash;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import net.openhft.chronicle.map.ExternalMapQueryContext;
import net.openhft.chronicle.map.MapEntry;

/**
 * One file of fixed-size blocks in mapped memory: a Chronicle Map of which every entry is there
 * from the file's first moment. An entry's key is its number (8 bytes), its value a group of blocks
 * (4 096 bytes each), one after another; only the last group may hold places that are no blocks.
 *
 * <p>All groups are inserted, zeroed, when the file is made under a temporary name; afterwards no
 * entry is ever inserted, removed, moved or resized. So the disk is reserved up front, an address
 * stays good while the file is open, no Chronicle lock is taken on any hot path, a killed process
 * leaves no lock behind, and Chronicle's own tables are never in doubt. An insertion touches a page
 * of its own, which makes it cost a hundred times what a block in a group does. That entries of
 * constant size lie at one stride is implementation detail of the pinned version; {@link #open}
 * checks it.
 *
 * <p>Thread-safe, except that nothing may touch an address during or after {@link #close}.
 */
public final class BlockFile implements AutoCloseable {
  /** Size of a block. */
  public static final int BLOCK_BYTES = 4096;

  /** Most blocks of a group. */
  private static final int GROUP_BLOCKS = 128;

  /** Files of more blocks can have theirs lie on pages of their own, at a page for each group. */
  private static final int PAGED_FROM = 17;

  private static final int KEY_BYTES = 8;

  /** Where the header's length word stands in a Chronicle file, and what text follows it. */
  private static final int HEADER_LENGTH_AT = 8;

  private static final String HEADER_TEXT = "!net.openhft.chronicle";
  private static final int MAX_HEADER_BYTES = 64 * 1024;

  private final Path path;
  private final ChronicleMap<byte[], byte[]> map;
  private final int blocks;
  private final int groups;
  private final int groupBlocks;
  private final long firstAddress;
  private final long strideBytes;

  private BlockFile(Path path, ChronicleMap<byte[], byte[]> map, int blocks) {
    this.path = path;
    this.map = map;
    this.blocks = blocks;
    this.groups = groups(map.longSize(), blocks);
    this.groupBlocks = (blocks + groups - 1) / groups;
    this.firstAddress = lookUp(0);
    this.strideBytes = groups == 1 ? 0 : (lookUp(groups - 1) - firstAddress) / (groups - 1);
    checkLayout();
  }

  private int groups(long entries, int blocks) {
    if (entries < 1 || entries > blocks) {
      throw new CorruptBlockException(
          "wrong number of entries: path=" + path + " entries=" + entries);
    }
    return (int) entries;
  }

  /** Whether blocks are to lie on pages of their own. */
  public enum Placing {
    /** For blocks that change: each change meets one page. Costs a page for each group. */
    PAGED,
    /** As tight as can be, for blocks that are read. */
    TIGHT
  }

  /**
   * Makes a file of zeroed blocks and opens it.
   *
   * @param blocks number of blocks, at least 1
   * @throws IOException if the disk lacks room for the whole file, or the folder can't be written
   */
  public static BlockFile create(Path path, int blocks, Placing placing) throws IOException {
    Path temporary = path.resolveSibling(path.getFileName() + ".tmp");
    Files.deleteIfExists(temporary);
    int groups = (blocks + GROUP_BLOCKS - 1) / GROUP_BLOCKS;
    int groupBytes = (blocks + groups - 1) / groups * BLOCK_BYTES;
    ChronicleMapBuilder<byte[], byte[]> builder = builder(groups, groupBytes);
    if (placing == Placing.PAGED && blocks >= PAGED_FROM) {
      builder.entryAndValueOffsetAlignment(BLOCK_BYTES);
    }
    UntouchedGroup zeros = new UntouchedGroup(groupBytes);
    try (ChronicleMap<byte[], byte[]> made = builder.createPersistedTo(temporary.toFile())) {
      for (int i = 0; i < groups; i++) {
        try (ExternalMapQueryContext<byte[], byte[], ?> context = made.queryContext(key(i))) {
          context.updateLock().lock();
          context.insert(
              Objects.requireNonNull(context.absentEntry(), "a new file has no entries"), zeros);
        }
      }
    } catch (IOException | IllegalStateException e) {
      Files.deleteIfExists(temporary);
      throw new IOException("can't make a file of blocks: path=" + path + " blocks=" + blocks, e);
    }
    Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    return open(path, blocks);
  }

  /**
   * Opens a file made by {@link #create}.
   *
   * @throws CorruptBlockException if the file is not such a file, truncated or damaged
   * @throws IOException if the file can't be read at all
   */
  public static BlockFile open(Path path, int blocks) throws IOException {
    checkHeader(path);
    ChronicleMap<byte[], byte[]> map;
    try {
      // How many entries of what size there are, the file's header says.
      map = builder(1, BLOCK_BYTES).createPersistedTo(path.toFile());
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new CorruptBlockException(
          "not a readable file of blocks: path=" + path + " cause=" + e);
    }
    try {
      return new BlockFile(path, map, blocks);
    } catch (RuntimeException | AssertionError e) {
      map.close();
      throw e instanceof CorruptBlockException corrupt
          ? corrupt
          : new CorruptBlockException("damaged file of blocks: path=" + path + " cause=" + e);
    }
  }

  /** A half-made or overwritten header would make Chronicle wait a minute for another process. */
  private static void checkHeader(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "r")) {
      file.seek(HEADER_LENGTH_AT);
      int length = Integer.reverseBytes(file.readInt());
      byte[] text = new byte[HEADER_TEXT.length()];
      file.readFully(text);
      if (length <= 0
          || length > MAX_HEADER_BYTES
          || !HEADER_TEXT.equals(new String(text, java.nio.charset.StandardCharsets.ISO_8859_1))) {
        throw new CorruptBlockException("not a file of blocks: path=" + path);
      }
    } catch (EOFException e) {
      throw new CorruptBlockException("truncated file of blocks: path=" + path);
    }
  }

  private static ChronicleMapBuilder<byte[], byte[]> builder(int groups, int groupBytes) {
    return ChronicleMapBuilder.of(byte[].class, byte[].class)
        .name("blocks")
        .constantKeySizeBySample(new byte[KEY_BYTES])
        .constantValueSizeBySample(new byte[groupBytes])
        .entries(groups)
        .actualSegments(1)
        .allowSegmentTiering(false)
        .checksumEntries(false)
        .putReturnsNull(true)
        // Chronicle would unmap the files under threads that still write when a signal ends the
        // process, which crashes it; the store's owner closes them in its own order.
        .skipCloseOnExitHook(true);
  }

  private static byte[] key(int group) {
    byte[] key = new byte[KEY_BYTES];
    for (int i = 0; i < 4; i++) {
      key[i] = (byte) (group >>> (8 * i));
    }
    return key;
  }

  private long lookUp(int group) {
    try (ExternalMapQueryContext<byte[], byte[], ?> context = map.queryContext(key(group))) {
      if (!context.readLock().tryLock()) {
        throw new CorruptBlockException("file of blocks is locked: path=" + path);
      }
      MapEntry<byte[], byte[]> entry = context.entry();
      if (entry == null) {
        throw new CorruptBlockException("blocks are missing: path=" + path + " group=" + group);
      }
      if (entry.value().size() != (long) groupBlocks * BLOCK_BYTES) {
        throw new CorruptBlockException(
            "wrong size of an entry: path=" + path + " bytes=" + entry.value().size());
      }
      BytesStore<?, ?> memory = (BytesStore<?, ?>) entry.value().bytes();
      return memory.addressForRead(entry.value().offset());
    }
  }

  private void checkLayout() {
    boolean even =
        groups == 1
            || (strideBytes >= (long) groupBlocks * BLOCK_BYTES
                && lookUp(1) == firstAddress + strideBytes
                && lookUp(groups / 2) == firstAddress + groups / 2 * strideBytes
                && lookUp(groups - 1) == firstAddress + (groups - 1) * strideBytes);
    if (!even) {
      throw new CorruptBlockException("blocks are not evenly spaced: path=" + path);
    }
  }

  /** Path of the file. */
  public Path path() {
    return path;
  }

  /** Number of blocks. */
  public int blocks() {
    return blocks;
  }

  /** Address of a block's first byte, good until {@link #close}. */
  public long address(int block) {
    return firstAddress
        + block / groupBlocks * strideBytes
        + (long) (block % groupBlocks) * BLOCK_BYTES;
  }

  /** Writes changed pages to the disk and waits for it. */
  public void force() {
    ((VanillaChronicleHash<?, ?, ?, ?>) map).msync();
  }

  @Override
  public void close() {
    map.close();
  }
}
