package io.varve.server.node;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What else than rows lies in the folders of a node's tasks. Block files and indexes are not looked
 * at: the stores know their sizes.
 *
 * @param offsetsBytes what the stores remember beside their rows
 * @param ledgerBytes the router's stores of counts
 * @param setAsideBytes files of days that were set aside as damaged
 */
record FolderSizes(long offsetsBytes, long ledgerBytes, long setAsideBytes) {
  private static final String ROWS = "rows";

  /**
   * Looks at the folder of the stores.
   *
   * @param store holds a folder for each application, that one for each task
   */
  static FolderSizes of(Path store) throws IOException {
    long offsets = 0;
    long ledger = 0;
    long aside = 0;
    for (Path application : children(store)) {
      for (Path task : children(application)) {
        for (Path part : children(task)) {
          if (part.endsWith(ROWS)) {
            offsets += size(part.resolve("offsets"));
            aside += sum(part.resolve("damaged"));
          } else {
            ledger += sum(part);
          }
        }
      }
    }
    return new FolderSizes(offsets, ledger, aside);
  }

  /** Bytes of a file, or of all files below a folder. */
  private static long sum(Path top) throws IOException {
    long sum = 0;
    Deque<Path> rest = new ArrayDeque<>(List.of(top));
    while (!rest.isEmpty()) {
      Path next = rest.pop();
      if (Files.isDirectory(next)) {
        rest.addAll(children(next));
      } else {
        sum += size(next);
      }
    }
    return sum;
  }

  /** What a folder holds; nothing if it is none, or has just gone. */
  private static List<Path> children(Path folder) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      paths.forEach(children::add);
    } catch (NotDirectoryException | NoSuchFileException e) {
      return children;
    }
    return children;
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    }
  }
}
