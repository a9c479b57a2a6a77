package io.varve.ingest;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The store's own record of how many partitions {@code rows} has: a file {@code rows-partitions} in
 * its folder with the number in decimal. Written once; rows are placed by it for life.
 */
final class PartitionCount {
  private static final String FILE = "rows-partitions";

  private PartitionCount() {}

  /**
   * Checks the number against the store's record.
   *
   * @throws IngestStartException if the store was made with another number, or cannot be read
   */
  static void check(Path stateFolder, int partitions) throws IngestStartException {
    Path file = stateFolder.resolve(FILE);
    try {
      if (!Files.exists(file)) {
        return;
      }
      String recorded = Files.readString(file).strip();
      if (!recorded.equals(Integer.toString(partitions))) {
        throw new IngestStartException(
            "the store has another number of partitions",
            file + " says " + recorded + ", asked for are " + partitions,
            "start with --partitions " + recorded + ", or with a new --data folder");
      }
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  /**
   * Records the number if the store has none yet; survives a power loss once it returns.
   *
   * @throws IngestStartException if the folder cannot be written
   */
  static void record(Path stateFolder, int partitions) throws IngestStartException {
    Path file = stateFolder.resolve(FILE);
    if (Files.exists(file)) {
      return;
    }
    try {
      Files.createDirectories(stateFolder);
      Path draft = stateFolder.resolve(FILE + ".tmp");
      Files.writeString(draft, partitions + "\n");
      try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw unusable(file, e);
    }
  }

  private static IngestStartException unusable(Path file, IOException e) {
    IngestStartException unusable =
        new IngestStartException(
            "the store's folder cannot be used",
            file + ": " + e,
            "check that --data names a folder that this user may read and write");
    unusable.initCause(e);
    return unusable;
  }
}
