package io.varve.storage.engine;

import io.varve.storage.PartitionReader;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.StoreUnderTest;
import io.varve.storage.UtcDay;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.OptionalLong;

/** A partition store with its log beside it, opened, replayed and driven as a node does. */
final class DrivenStore implements StoreUnderTest {
  static final int TOPIC_PARTITION = 3;
  private static final int TOPIC_PARTITIONS = 8;

  /** Down to the newest day, so that {@link #expire} can drop every other. */
  private static final long RETENTION_MICROS = 0;

  private final StoreSettings settings;
  private final SegmentFiles.Sizes sizes;
  private final Log log;
  private Path folder;
  private PartitionStore store;

  /** Opens the store in a folder and replays what the log has beyond it. */
  DrivenStore(Path folder, Log log) {
    this(folder, log, settings());
  }

  DrivenStore(Path folder, Log log, StoreSettings settings) {
    this(folder, log, settings, SegmentFiles.Sizes.USUAL);
  }

  DrivenStore(Path folder, Log log, StoreSettings settings, SegmentFiles.Sizes sizes) {
    this.folder = folder;
    this.log = log;
    this.settings = settings;
    this.sizes = sizes;
    this.store = opened();
  }

  private PartitionStore opened() {
    try {
      PartitionStore opened = PartitionStore.open(folder, TOPIC_PARTITION, settings, sizes);
      replay(opened, log);
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Settings that let {@link #expire} work. */
  static StoreSettings settings() {
    return StoreSettings.defaults(TOPIC_PARTITIONS).withRetention(RETENTION_MICROS);
  }

  /** Opens a store and restores the whole log into it, as before a task runs. */
  static PartitionStore opened(Path folder, Log log, StoreSettings settings) {
    PartitionStore store = opened(folder, settings);
    replay(store, log);
    return store;
  }

  /** Opens a store and leaves the rest to the caller. */
  static PartitionStore opened(Path folder, StoreSettings settings) {
    try {
      return PartitionStore.open(folder, TOPIC_PARTITION, settings);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void replay(PartitionStore store, Log log) {
    store.logBounds(0, log.end());
    OptionalLong committed = store.committedOffset();
    for (long o = committed.isPresent() ? committed.getAsLong() + 1 : 0; o < log.end(); o++) {
      store.restore(log.at(o));
      if (o % 100 == 99) {
        store.restoredThrough(o);
      }
    }
    store.restoredThrough(log.end() - 1);
    store.restoreFinished();
  }

  @Override
  public PartitionReader reader() {
    return store;
  }

  PartitionStore store() {
    return store;
  }

  @Override
  public void apply(SensorId sensor, int shard, List<Row> rows) {
    append(Log.record(sensor, shard, rows));
  }

  /** Appends a record to the log and applies it. */
  void append(byte[] record) {
    store.apply(log.append(record), record);
  }

  @Override
  public void expire(int floorDay) {
    store.expire(UtcDay.startMicros(floorDay) + RETENTION_MICROS);
  }

  /** Rewrites every day into tight form; returns how many were. */
  int compact() {
    try {
      return store.compact();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void reopen() {
    store.close();
    store = opened();
  }

  /**
   * Leaves the store as a kill between two records does, and opens what is then on the disk: a copy
   * of the folder, since the kernel keeps every page that a killed process wrote.
   */
  void killAndReopen(Path copy) {
    copyFolder(folder, copy);
    store.close();
    folder = copy;
    store = opened();
  }

  @Override
  public void close() {
    store.close();
  }

  static void copyFolder(Path from, Path to) {
    PathMatcher unfinished = FileSystems.getDefault().getPathMatcher("glob:**.tmp");
    try {
      Files.createDirectories(to);
      try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
        for (Path file : files) {
          Path target = to.resolve(file.getFileName().toString());
          if (Files.isDirectory(file)) {
            copyFolder(file, target);
          } else {
            try {
              Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING);
            } catch (NoSuchFileException e) {
              // Only what a background thread is still making may vanish between listing and copy.
              if (!unfinished.matches(file)) {
                throw e;
              }
            }
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
