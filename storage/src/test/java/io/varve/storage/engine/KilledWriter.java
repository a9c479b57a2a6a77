package io.varve.storage.engine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * The process that {@link PartitionStoreSimulation} kills: it opens a store, replays, and applies a
 * {@link RecordStream} as fast as it can until it dies.
 *
 * <p>It says {@code running} on its first line once it writes what is new. Before it applies a
 * record it notes the record's offset in a mapped file, which outlives it: up to there the log
 * reaches.
 */
final class KilledWriter {
  private static final int SENSORS = 40;
  private static final int RECORDS_PER_DAY = 5_000;

  /** New records after which the process says that it is running. */
  private static final int WARM_RECORDS = 200;

  private KilledWriter() {}

  static RecordStream stream(long seed) {
    return new RecordStream(seed, SENSORS, RECORDS_PER_DAY);
  }

  /** Takes the store's folder, the file of the log's end, and the seed. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    RecordStream stream = stream(Long.parseLong(args[2]));
    try (RandomAccessFile file = new RandomAccessFile(args[1], "rw")) {
      MappedByteBuffer logEnd = file.getChannel().map(MapMode.READ_WRITE, 0, Long.BYTES);
      write(folder, logEnd, stream);
    }
  }

  private static void write(Path folder, MappedByteBuffer logEnd, RecordStream stream) {
    long end = logEnd.getLong(0);
    PartitionStore store = DrivenStore.opened(folder, DrivenStore.settings());
    store.logBounds(0, end);
    OptionalLong committed = store.committedOffset();
    long next = committed.isPresent() ? committed.getAsLong() + 1 : 0;
    long restoreEnd = next + (end - next) / 2;
    while (next < restoreEnd) {
      store.restore(stream.at(next++));
    }
    store.restoredThrough(restoreEnd - 1);
    store.restoreFinished();
    long running = end + WARM_RECORDS;
    while (true) {
      logEnd.putLong(0, Math.max(end, next + 1));
      store.apply(next, stream.at(next));
      if (next % 200 == 0) {
        store.commit(next);
      }
      if (++next == running) {
        System.out.println("running");
      }
    }
  }
}
