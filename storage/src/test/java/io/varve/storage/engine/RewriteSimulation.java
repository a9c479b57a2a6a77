package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.InMemoryPartition;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Days that are rewritten over and over while rows keep coming, a fifth of them late. */
class RewriteSimulation {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final int RECORDS = Boolean.getBoolean("varve.full") ? 400_000 : 20_000;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void rewritingMovesEveryRowAndDisturbsNone(@TempDir Path folder) throws Exception {
    RecordStream stream = KilledWriter.stream(SEED);
    Log log = new Log();
    InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    try (DrivenStore driven = new DrivenStore(folder.resolve("store"), log)) {
      AtomicBoolean done = new AtomicBoolean();
      CompletableFuture<Integer> rewritten =
          CompletableFuture.supplyAsync(
              () -> {
                int days = 0;
                while (!done.get()) {
                  days += driven.compact();
                }
                return days;
              });
      for (long offset = 0; offset < RECORDS; offset++) {
        byte[] record = stream.at(offset);
        driven.append(record);
        Log.put(model, record, offset);
        if (rewritten.isDone()) {
          break; // it failed: get() says why
        }
      }
      done.set(true);
      assertThat(rewritten.get()).as("days rewritten, seed %s", SEED).isGreaterThan(10);
      Sameness.assertSame(driven.reader(), model);
      driven.reopen();
      Sameness.assertSame(driven.reader(), model);
    }
  }
}
