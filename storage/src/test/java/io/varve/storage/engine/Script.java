package io.varve.storage.engine;

import io.varve.storage.InMemoryPartition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.LongConsumer;

/**
 * One history that meets every step the engine makes on disk: rows of some days, late ones among
 * them, forces, days rewritten, a day that expires, and the store closed and opened.
 */
final class Script {
  static final int RECORDS = 480;

  private static final int RECORDS_A_DAY = 160;
  private static final int FORCE_EVERY = 60;
  private static final int COMPACT_EVERY = 150;
  private static final int REOPEN_EVERY = 200;
  private static final int MAX_TRIES = 100;

  private final RecordStream stream;
  private final Log log = new Log();
  private final InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);

  Script(long seed) {
    stream = new RecordStream(seed, 7, RECORDS_A_DAY);
  }

  Log log() {
    return log;
  }

  /** What the store must answer now. */
  InMemoryPartition model() {
    return model;
  }

  /** The model after the first few records, nothing expired. */
  InMemoryPartition modelOf(long records) {
    InMemoryPartition prefix = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    for (long offset = 0; offset < records; offset++) {
      Log.put(prefix, stream.at(offset), offset);
    }
    return prefix;
  }

  /**
   * Drives a store through the history. What fails for the disk is done again, as the store's owner
   * would.
   *
   * @param before told the number of each record before it is applied
   */
  void drive(DrivenStore driven, LongConsumer before) {
    for (long offset = 0; offset < RECORDS; offset++) {
      before.accept(offset);
      byte[] record = stream.at(offset);
      Log.put(model, record, offset);
      driven.append(record);
      if (offset % FORCE_EVERY == FORCE_EVERY - 1) {
        again(() -> driven.store().force());
      }
      if (offset % COMPACT_EVERY == COMPACT_EVERY - 1) {
        again(driven::compact);
      }
      if (offset % REOPEN_EVERY == REOPEN_EVERY - 1) {
        again(driven::reopen);
      }
    }
  }

  /** Something on disk that may fail. */
  interface Action {
    void run() throws IOException;
  }

  static void again(Action action) {
    for (int tries = 1; ; tries++) {
      try {
        action.run();
        return;
      } catch (IOException | UncheckedIOException e) {
        if (tries == MAX_TRIES) {
          throw new AssertionError("fails for ever", e);
        }
      }
    }
  }
}
