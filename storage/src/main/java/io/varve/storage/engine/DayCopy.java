package io.varve.storage.engine;

import io.varve.storage.CorruptBlockException;
import io.varve.storage.chronicle.BlockFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Copies of the block files of one day in a temporary folder of their own, open. The folder has a
 * name that was never used, since Chronicle knows open files by their path.
 */
final class DayCopy implements AutoCloseable {
  /** Kept free beside a copy. */
  private static final long RESERVE_BYTES = 1 << 20;

  /** A copied file that could be opened. */
  record Copied(int generation, int index, String name, BlockFile file) {}

  /** Says what is wrong with a file, or with none in particular. */
  interface Complaint {
    void about(String file, String what);
  }

  private final Path folder;
  private final Complaint complaint;
  private final SortedMap<Integer, List<Copied>> generations = new TreeMap<>();

  DayCopy(Path temporary, Complaint complaint) throws IOException {
    this.folder = Files.createTempDirectory(temporary, "varve-inspect-");
    this.complaint = complaint;
  }

  /**
   * Copies files and opens the copies; complains about those that are missing or can't be opened.
   *
   * @throws IOException if they can't be read, or there is no room for the copies
   */
  void take(SortedMap<Integer, SegmentFiles.Generation> found) throws IOException {
    long bytes = 0;
    for (SegmentFiles.Generation each : found.values()) {
      for (Path path : each.blockFiles) {
        bytes += Files.size(path);
      }
    }
    long room = Files.getFileStore(folder).getUsableSpace();
    if (room - RESERVE_BYTES < bytes) {
      throw new IOException(
          "no room to copy a day's files: folder=%s bytes=%d free=%d"
              .formatted(folder.getParent(), bytes, room));
    }
    for (int generation : found.keySet()) {
      take(generation, found.getOrDefault(generation, new SegmentFiles.Generation()));
    }
  }

  private void take(int generation, SegmentFiles.Generation found) throws IOException {
    List<Copied> copies = new ArrayList<>();
    generations.put(generation, copies);
    int expected = 0;
    for (int i = 0; i < found.blockFiles.size(); i++, expected++) {
      Path path = found.blockFiles.get(i);
      String name = path.getFileName().toString();
      int index = SegmentFiles.indexOf(path);
      if (index != expected) {
        complaint.about("", "file is missing: generation=" + generation + " index=" + expected);
        expected = index;
      }
      int blocks = found.blockCounts.get(i);
      if (Files.size(path) < (long) blocks * BlockFile.BLOCK_BYTES) {
        complaint.about(name, "file is truncated: bytes=" + Files.size(path));
        continue;
      }
      Path copy = folder.resolve(name);
      try {
        Files.copy(path, copy);
        copies.add(new Copied(generation, index, name, BlockFile.open(copy, blocks)));
      } catch (CorruptBlockException e) {
        complaint.about(name, told(e));
      } finally {
        Files.deleteIfExists(copy); // the mapping is all that is needed, and leaves nothing behind
      }
    }
  }

  /** What an exception says, without the temporary folder. */
  String told(CorruptBlockException e) {
    return String.valueOf(e.getMessage()).replace(folder + "/", "");
  }

  /** The open copies by generation, then index. */
  SortedMap<Integer, List<Copied>> generations() {
    return generations;
  }

  @Override
  public void close() {
    generations.values().forEach(copies -> copies.forEach(each -> each.file.close()));
    generations.clear();
    try {
      try (DirectoryStream<Path> rest = Files.newDirectoryStream(folder)) {
        for (Path path : rest) {
          Files.delete(path);
        }
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException("can't delete a temporary folder: " + folder, e);
    }
  }
}
