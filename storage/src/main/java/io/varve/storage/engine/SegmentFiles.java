package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names, sizes and lives of the files of one store's folder.
 *
 * <pre>
 *   2024-06-01.0.0.7.blocks  generation 0, first file, 7 blocks; then .0.1.7, .0.2.7, …
 *   2024-06-01.1.17.next     a file of the next generation that does not count yet
 *   2024-06-01.index         the day's index and clean mark, see {@link SegmentIndex}
 *   offsets                  see {@link StoreOffsets}
 *   damaged/                 files set aside, kept for inspection until the next damage of that day
 * </pre>
 */
final class SegmentFiles {
  private static final Pattern BLOCKS =
      Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)\\.(\\d+)\\.(\\d+)\\.(\\d+)\\.blocks");
  private static final Comparator<Path> BY_INDEX = Comparator.comparingInt(SegmentFiles::indexOf);
  private static final int DATE_LENGTH = 10;
  private static final String UNCOUNTED = ".next";
  private static final Pattern INDEX = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)\\.index");

  final Path folder;
  final Sizes sizes;
  private final AtomicLong bytes = new AtomicLong();
  private final ConcurrentSkipListMap<Integer, Long> bytesByDay = new ConcurrentSkipListMap<>();

  /** Of the process, not of one object: a store that is opened again must not begin anew. */
  private static final AtomicInteger UNIQUE = new AtomicInteger();

  private final AtomicInteger openFiles = new AtomicInteger();

  /** Files of one generation of a day as found on disk, by index. */
  static final class Generation {
    final List<Path> blockFiles = new ArrayList<>();
    final List<Integer> blockCounts = new ArrayList<>();

    /** Whether a file in the middle is missing, or one is shorter than its blocks. */
    boolean broken;
  }

  /** What of one day was found on disk. */
  static final class Found {
    final SortedMap<Integer, Generation> generations = new TreeMap<>();
    boolean index;

    private void enter(Path path) throws IOException {
      Matcher name = BLOCKS.matcher(path.getFileName().toString());
      if (!name.matches()) {
        return;
      }
      Generation generation =
          generations.computeIfAbsent(Integer.parseInt(name.group(2)), g -> new Generation());
      int blocks = Integer.parseInt(name.group(4));
      generation.broken |= Integer.parseInt(name.group(3)) != generation.blockFiles.size();
      generation.broken |= size(path) < (long) blocks * BlockFile.BLOCK_BYTES;
      generation.blockFiles.add(path);
      generation.blockCounts.add(blocks);
    }

    /** All block files, the oldest generation's first. */
    List<Path> blockFiles() {
      List<Path> all = new ArrayList<>();
      generations.values().forEach(each -> all.addAll(each.blockFiles));
      return all;
    }

    /** Files of a generation; none where there is no such generation or part of it is missing. */
    int wholeFiles(int generation) {
      Generation found = generations.get(generation);
      return found == null || found.broken ? 0 : found.blockFiles.size();
    }
  }

  /**
   * How many blocks files have.
   *
   * @param first blocks of a day's first file
   * @param least of any further one
   * @param most of any further one
   */
  record Sizes(int first, int least, int most) {
    /** A first file of 36 KiB, none of more than 64 MiB. */
    static final Sizes USUAL = new Sizes(7, 7, 16_382);

    /** 1 MiB of blocks. */
    private static final int DOUBLED_UP_TO = 256;

    Sizes {
      if (first <= BlockSpace.RESERVED_BLOCKS || least < 1 || most < least) {
        throw new IllegalArgumentException("first=" + first + " least=" + least + " most=" + most);
      }
    }

    /**
     * Blocks of the next file: as many as rows have called for while those are few, for making a
     * file takes its time however small it is; later half as many; in any case what is still
     * expected, within bounds.
     *
     * @param expected blocks that the day will call for at least
     */
    int next(int called, int expected) {
      int usual = called <= DOUBLED_UP_TO ? called : Math.max(DOUBLED_UP_TO, called / 2);
      return Math.max(least, Math.min(Math.max(usual, expected - called), most));
    }
  }

  SegmentFiles(Path folder) {
    this(folder, Sizes.USUAL);
  }

  SegmentFiles(Path folder, Sizes sizes) {
    this.folder = folder;
    this.sizes = sizes;
  }

  /** Lists the days on disk, clearing away what was never finished. */
  SortedMap<Integer, Found> list() throws IOException {
    List<Path> blocks = new ArrayList<>();
    SortedMap<Integer, Found> days = new TreeMap<>();
    bytes.set(0);
    bytesByDay.clear();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        Matcher index = INDEX.matcher(name);
        if (isUnfinished(name)) {
          Files.deleteIfExists(path);
        } else if (BLOCKS.matcher(name).matches()) {
          blocks.add(path);
          add(path, Files.size(path));
        } else if (index.matches()) {
          days.computeIfAbsent(dayOf(index.group(1)), d -> new Found()).index = true;
          add(path, Files.size(path));
        }
      }
    }
    blocks.sort(BY_INDEX);
    for (Path path : blocks) {
      String date = path.getFileName().toString().substring(0, DATE_LENGTH);
      days.computeIfAbsent(dayOf(date), d -> new Found()).enter(path);
    }
    return days;
  }

  /** Whether a name is of a file that does not count, and is deleted when the folder is listed. */
  static boolean isUnfinished(String name) {
    return name.endsWith(".tmp") || name.endsWith(UNCOUNTED);
  }

  /** Days that have block files or an index; changes nothing. */
  SortedSet<Integer> days() throws IOException {
    SortedSet<Integer> days = new TreeSet<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        if (BLOCKS.matcher(name).matches() || INDEX.matcher(name).matches()) {
          days.add(dayOf(name.substring(0, DATE_LENGTH)));
        }
      }
    }
    return days;
  }

  /** Index of a block file in its generation; -1 for any other file. */
  static int indexOf(Path path) {
    Matcher name = BLOCKS.matcher(path.getFileName().toString());
    return name.matches() ? Integer.parseInt(name.group(3)) : -1;
  }

  private static int dayOf(String date) {
    return (int) LocalDate.parse(date).toEpochDay();
  }

  private static String date(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }

  private Path blocks(int day, int generation, int index, int blocks) {
    return folder.resolve(date(day) + "." + generation + "." + index + "." + blocks + ".blocks");
  }

  /** Makes the next file of a generation of a day. */
  BlockFile create(int day, int generation, int index, int blocks) throws IOException {
    return make(blocks(day, generation, index, blocks), blocks, BlockFile.Placing.PAGED);
  }

  /**
   * Makes a file for a generation of a day that does not count until {@link #count}.
   *
   * <p>No name is used twice: Chronicle knows open files by the path that they were opened at, so
   * under the path of one that has been renamed since it would open that one again.
   */
  BlockFile createUncounted(int day, int generation, int blocks) throws IOException {
    String name = date(day) + "." + generation + "." + UNIQUE.incrementAndGet() + UNCOUNTED;
    return make(folder.resolve(name), blocks, BlockFile.Placing.TIGHT);
  }

  private BlockFile make(Path path, int blocks, BlockFile.Placing placing) throws IOException {
    DiskStep.MAKE_FILE.before();
    BlockFile file = BlockFile.create(path, blocks, placing);
    DiskStep.MAKE_FILE.after();
    add(path, Files.size(path));
    openFiles.incrementAndGet();
    return file;
  }

  /** Makes a file count from now on, also for whoever opens the folder after a kill. */
  void count(BlockFile file, int day, int generation, int index) throws IOException {
    DiskStep.COUNT_FILE.before();
    Files.move(
        file.path(), blocks(day, generation, index, file.blocks()), StandardCopyOption.ATOMIC_MOVE);
    DiskStep.COUNT_FILE.after();
  }

  /** Closes and deletes a file that does not count. */
  void discard(BlockFile file) throws IOException {
    add(file.path(), -Files.size(file.path()));
    file.close();
    openFiles.decrementAndGet();
    Files.deleteIfExists(file.path());
  }

  /**
   * Opens all files of one generation of a day.
   *
   * @throws CorruptBlockException if one is missing, truncated or damaged; none stays open
   */
  List<BlockFile> open(Generation found) throws IOException {
    if (found.broken || found.blockFiles.isEmpty()) {
      throw new CorruptBlockException(
          "a file of the day is missing or truncated: found=" + found.blockFiles);
    }
    List<BlockFile> files = new ArrayList<>();
    try {
      for (int i = 0; i < found.blockFiles.size(); i++) {
        DiskStep.OPEN_FILE.before();
        files.add(BlockFile.open(found.blockFiles.get(i), found.blockCounts.get(i)));
        DiskStep.OPEN_FILE.after();
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

  /** A name for an index that is being written; deleted at opening if it stays. */
  Path temporaryIndex(int day) {
    return folder.resolve(date(day) + ".index." + UNIQUE.incrementAndGet() + ".tmp");
  }

  /** Bytes of a day's block files. */
  long bytes(int day) throws IOException {
    long sum = 0;
    for (Path path : find(day).blockFiles()) {
      sum += size(path);
    }
    return sum;
  }

  /** Size of a file; 0 if it is gone. */
  private static long size(Path path) throws IOException {
    try {
      return Files.size(path);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Finds one day's files anew. */
  Found find(int day) throws IOException {
    List<Path> blocks = new ArrayList<>();
    Found found = new Found();
    found.index = Files.exists(index(day));
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder, date(day) + ".*.blocks")) {
      paths.forEach(blocks::add);
    }
    blocks.sort(BY_INDEX);
    for (Path path : blocks) {
      found.enter(path);
    }
    return found;
  }

  /** Drops a day: the index first, so that what a crash leaves is never taken for whole. */
  void delete(int day) throws IOException {
    Found found = find(day);
    deleteIndex(day);
    delete(found.blockFiles());
  }

  /** Deletes the files of one generation of a day. */
  void delete(int day, int generation) throws IOException {
    Generation found = find(day).generations.get(generation);
    if (found != null) {
      delete(found.blockFiles);
    }
  }

  /** Deletes the files of every generation of a day but one. */
  void deleteOthers(int day, int generation) throws IOException {
    for (int each : find(day).generations.keySet()) {
      if (each != generation) {
        delete(day, each);
      }
    }
  }

  private void delete(List<Path> blockFiles) throws IOException {
    for (Path path : blockFiles) {
      long size = size(path);
      DiskStep.DELETE_FILE.before();
      if (Files.deleteIfExists(path)) {
        add(path, -size);
      }
      DiskStep.DELETE_FILE.after();
    }
    force();
  }

  /** Removes a day's clean mark, durably. */
  void deleteIndex(int day) throws IOException {
    Path index = index(day);
    if (Files.exists(index)) {
      long size = Files.size(index);
      DiskStep.DELETE_INDEX.before();
      Files.delete(index);
      add(index, -size);
      DiskStep.DELETE_INDEX.after();
      force();
    }
  }

  /** Puts an index in force that was written beside its place, and replaces the one there was. */
  void putIndex(int day, Path written) throws IOException {
    Path index = index(day);
    long more = Files.size(written) - (Files.exists(index) ? Files.size(index) : 0);
    DiskStep.PUT_INDEX.before();
    Files.move(written, index, StandardCopyOption.ATOMIC_MOVE);
    add(index, more);
    DiskStep.PUT_INDEX.after();
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
    for (Path path : find(day).blockFiles()) {
      add(path, -Files.size(path));
      Files.move(path, aside.resolve(path.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    force();
    return aside;
  }

  /** Makes the folder's own list of names durable. */
  void force() throws IOException {
    DiskStep.FORCE_FOLDER.before();
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
    DiskStep.FORCE_FOLDER.after();
  }

  /** Counts bytes for the day that a file's name begins with. */
  private void add(Path file, long more) {
    int day = dayOf(file.getFileName().toString().substring(0, DATE_LENGTH));
    bytes.addAndGet(more);
    bytesByDay.merge(day, more, (had, now) -> had + now == 0 ? null : had + now);
  }

  /** Bytes of each day's block files and index, ascending; a view that changes with the files. */
  SortedMap<Integer, Long> bytesByDay() {
    return Collections.unmodifiableSortedMap(bytesByDay);
  }

  /** Bytes of all block files and indexes. */
  long bytes() {
    return bytes.get();
  }
}
