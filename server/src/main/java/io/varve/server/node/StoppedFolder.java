package io.varve.server.node;

import io.varve.storage.engine.StoreInspector;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The data folder of a node that does not run, for looking at its stores. Nothing in it is written:
 * the lock is shared, so that several may look at once while no node can start.
 */
public final class StoppedFolder implements AutoCloseable {
  private static final Pattern TASK = Pattern.compile("\\d+_(\\d{1,9})");

  private final Path folder;
  private final Optional<FileChannel> lockFile;

  private StoppedFolder(Path folder, Optional<FileChannel> lockFile) {
    this.folder = folder;
    this.lockFile = lockFile;
  }

  /**
   * Holds a folder so that no node starts in it. A folder without a lock file, such as a copy, is
   * not held.
   *
   * @throws DataFolderException if there is no such folder, or a node holds it
   */
  public static StoppedFolder open(Path folder) throws DataFolderException {
    Path dir = folder.toAbsolutePath().normalize();
    if (!Files.isDirectory(dir)) {
      throw new DataFolderException(
          "data folder " + dir + " is not there", "name the folder of a node with --data");
    }
    try {
      Path lockFile = dir.resolve("varve.lock");
      if (!Files.exists(lockFile)) {
        return new StoppedFolder(dir, Optional.empty());
      }
      FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.READ);
      if (tryShared(channel) == null) {
        String holder = DataFolder.holder(channel);
        channel.close();
        throw new DataFolderException(
            "data folder " + dir + " is in use by " + holder,
            "stop that one first: only files that nobody writes can be looked at; ls, stats and"
                + " histograms take --node URL to ask it");
      }
      return new StoppedFolder(dir, Optional.of(channel));
    } catch (IOException e) {
      throw unreadable(dir, e);
    }
  }

  private static DataFolderException unreadable(Path path, IOException e) {
    return new DataFolderException(
        "data folder can't be read: " + path + ": " + e.getMessage(),
        "check that this user can read it, or use another --data");
  }

  private static @Nullable FileLock tryShared(FileChannel channel) throws IOException {
    try {
      return channel.tryLock(0, Long.MAX_VALUE, true);
    } catch (OverlappingFileLockException held) {
      return null; // by a node of this very process
    }
  }

  /**
   * The stores in the folder, by topic partition.
   *
   * @param temporary an existing folder with room for a copy of one day
   * @throws DataFolderException if the folder can't be read
   */
  public List<StoreInspector> stores(Path temporary) throws DataFolderException {
    List<StoreInspector> stores = new ArrayList<>();
    Path root = folder.resolve("store");
    try {
      for (Path name : folders(root)) {
        for (Path task : folders(name)) {
          Matcher matcher = TASK.matcher(String.valueOf(task.getFileName()));
          Path rows = task.resolve("rows");
          if (matcher.matches() && Files.isDirectory(rows)) {
            stores.add(new StoreInspector(rows, Integer.parseInt(matcher.group(1)), temporary));
          }
        }
      }
    } catch (IOException e) {
      throw unreadable(root, e);
    }
    stores.sort(Comparator.comparingInt(StoreInspector::topicPartition));
    return stores;
  }

  private static List<Path> folders(Path parent) throws IOException {
    List<Path> folders = new ArrayList<>();
    if (Files.isDirectory(parent)) {
      try (DirectoryStream<Path> paths = Files.newDirectoryStream(parent, Files::isDirectory)) {
        paths.forEach(folders::add);
      }
    }
    return folders;
  }

  /** Gives the folder up. */
  @Override
  public void close() {
    lockFile.ifPresent(
        channel -> {
          try {
            channel.close();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
