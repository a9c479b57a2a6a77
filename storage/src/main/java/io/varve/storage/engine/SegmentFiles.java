package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names, sizes and lives of the files of one store's folder.
 *
 * <pre>
 *   2024-06-01.0.7.blocks    first file of that day, 7 blocks; then .1.7, .2.7, .3.10 …
 *   2024-06-01.index         the day's index and clean mark, see {@link SegmentIndex}
 *   offsets                  see {@link StoreOffsets}
 *   damaged/                 files set aside, kept for inspection until the next damage of that day
 * </pre>
 */
final class SegmentFiles {
  /** Blocks of a day's first file: 36 KiB. */
  static final int FIRST_BLOCKS = 7;

  /** Most blocks of a file: 64 MiB. */
  static final int MAX_BLOCKS = 16_382;

  private static final Pattern BLOCKS =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)\\.(\\d+)\\.(\\d+)\\.blocks");
  private static final Pattern INDEX = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)\\.index");

  final Path folder;
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicInteger openFiles = new AtomicInteger();

  /** Files of one day as found on disk, by index. */
  static final class Found {
    final List<Path> blockFiles = new ArrayList<>();
    final List<Integer> blockCounts = new ArrayList<>();
    boolean index;

    /** Whether a file in the middle is missing, or one is shorter than its blocks. */
    boolean broken;
  }

  SegmentFiles(Path folder) {
    this.folder = folder;
  }

  /** Lists the days on disk, clearing away what was never finished. */
  SortedMap<Integer, Found> list() throws IOException {
    SortedMap<Integer, TreeMap<Integer, Path>> files = new TreeMap<>();
    SortedMap<Integer, Found> days = new TreeMap<>();
    long sum = 0;
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        Matcher blocks = BLOCKS.matcher(name);
        Matcher index = INDEX.matcher(name);
        if (name.endsWith(".tmp")) {
          Files.deleteIfExists(path);
        } else if (blocks.matches()) {
          files
              .computeIfAbsent(dayOf(blocks.group(1)), d -> new TreeMap<>())
              .put(Integer.parseInt(blocks.group(2)), path);
          sum += Files.size(path);
        } else if (index.matches()) {
          days.computeIfAbsent(dayOf(index.group(1)), d -> new Found()).index = true;
          sum += Files.size(path);
        }
      }
    }
    for (Map.Entry<Integer, TreeMap<Integer, Path>> each : files.entrySet()) {
      enter(days.computeIfAbsent(each.getKey(), d -> new Found()), each.getValue());
    }
    bytes.set(sum);
    return days;
  }

  private static void enter(Found found, SortedMap<Integer, Path> byIndex) throws IOException {
    for (Map.Entry<Integer, Path> each : byIndex.entrySet()) {
      Path path = each.getValue();
      Matcher name = BLOCKS.matcher(path.getFileName().toString());
      int blocks = name.matches() ? Integer.parseInt(name.group(3)) : 0;
      found.broken |= each.getKey() != found.blockFiles.size();
      found.broken |= Files.size(path) < (long) blocks * BlockFile.BLOCK_BYTES;
      found.blockFiles.add(path);
      found.blockCounts.add(blocks);
    }
  }

  private static int dayOf(String date) {
    return (int) LocalDate.parse(date).toEpochDay();
  }

  private static String date(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }

  /** Makes a day's next file. */
  BlockFile create(int day, int index, int blocks) throws IOException {
    Path path = folder.resolve(date(day) + "." + index + "." + blocks + ".blocks");
    BlockFile file = BlockFile.create(path, blocks);
    bytes.addAndGet(Files.size(path));
    openFiles.incrementAndGet();
    return file;
  }

  /**
   * Opens all files of a day.
   *
   * @throws CorruptBlockException if one is missing, truncated or damaged; none stays open
   */
  List<BlockFile> open(Found found) throws IOException {
    if (found.broken || found.blockFiles.isEmpty()) {
      throw new CorruptBlockException(
          "a file of the day is missing or truncated: found=" + found.blockFiles);
    }
    List<BlockFile> files = new ArrayList<>();
    try {
      for (int i = 0; i < found.blockFiles.size(); i++) {
        files.add(BlockFile.open(found.blockFiles.get(i), found.blockCounts.get(i)));
      }
    } catch (IOException | RuntimeException e) {
      files.forEach(BlockFile::close);
      throw e;
    }
    openFiles.addAndGet(files.size());
    return files;
  }

  /** Says that files made or opened here have been closed. */
  void closed(int files) {
    openFiles.addAndGet(-files);
  }

  /** Files mapped now. */
  int openFiles() {
    return openFiles.get();
  }

  Path index(int day) {
    return folder.resolve(date(day) + ".index");
  }

  /** Finds one day's files anew. */
  Found find(int day) throws IOException {
    TreeMap<Integer, Path> byIndex = new TreeMap<>();
    Found found = new Found();
    found.index = Files.exists(index(day));
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, date(day) + ".*.blocks")) {
      for (Path path : paths) {
        Matcher m = BLOCKS.matcher(path.getFileName().toString());
        if (m.matches()) {
          byIndex.put(Integer.parseInt(m.group(2)), path);
        }
      }
    }
    enter(found, byIndex);
    return found;
  }

  /** Drops a day: the index first, so that what a crash leaves is never taken for whole. */
  void delete(int day) throws IOException {
    Found found = find(day);
    deleteIndex(day);
    for (Path path : found.blockFiles) {
      bytes.addAndGet(-Files.size(path));
      Files.deleteIfExists(path);
    }
    force();
  }

  /** Removes a day's clean mark, durably. */
  void deleteIndex(int day) throws IOException {
    Path index = index(day);
    if (Files.exists(index)) {
      bytes.addAndGet(-Files.size(index));
      Files.delete(index);
      force();
    }
  }

  /** Notes that a day's index was written. */
  void indexWritten(int day) throws IOException {
    bytes.addAndGet(Files.size(index(day)));
  }

  /** Moves a damaged day out of the way; what was set aside for that day before is deleted. */
  Path setAside(int day) throws IOException {
    Path aside = folder.resolve("damaged");
    Files.createDirectories(aside);
    try (DirectoryStream<Path> old = Files.newDirectoryStream(aside, date(day) + ".*")) {
      for (Path path : old) {
        Files.delete(path);
      }
    }
    deleteIndex(day);
    for (Path path : find(day).blockFiles) {
      bytes.addAndGet(-Files.size(path));
      Files.move(path, aside.resolve(path.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    force();
    return aside;
  }

  /** Makes the folder's own list of names durable. */
  void force() throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Bytes of all block files and indexes. */
  long bytes() {
    return bytes.get();
  }
}
