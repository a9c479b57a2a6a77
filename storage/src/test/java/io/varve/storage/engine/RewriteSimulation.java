package io.varve.storage.engine;

import io.varve.storage.InMemoryPartition;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Days that are rewritten over and over while rows keep coming, a fifth of them late. The history
 * ends when both sides did their share, however the machine divides its time between them.
 */
class RewriteSimulation {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final int RECORDS = Boolean.getBoolean("varve.full") ? 400_000 : 20_000;
  private static final int DAYS = 12;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void rewritingMovesEveryRowAndDisturbsNone(@TempDir Path folder) throws Exception {
    RecordStream stream = KilledWriter.stream(SEED);
    Log log = new Log();
    InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicInteger days = new AtomicInteger();
      CompletableFuture<Void> rewriting =
          CompletableFuture.runAsync(
              () -> {
                while (!done.get()) {
                  days.addAndGet(driven.compact());
                }
              });
      for (long offset = 0; offset < RECORDS || days.get() < DAYS; offset++) {
        byte[] record = stream.at(offset);
        driven.append(record);
        Log.put(model, record, offset);
        if (rewriting.isDone()) {
          break; // it failed: get() says why
        }
      }
      done.set(true);
      rewriting.get();
      Sameness.assertSame(driven.reader(), model);
      driven.reopen();
      Sameness.assertSame(driven.reader(), model);
    }
  }
}
