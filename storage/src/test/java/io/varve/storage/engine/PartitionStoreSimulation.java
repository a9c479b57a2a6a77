package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.InMemoryPartition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A writer's process, killed at random moments, over and over on one folder. */
class PartitionStoreSimulation {
  private static final int KILLS = Boolean.getBoolean("varve.full") ? 100 : 8;
  private static final long SEED = Long.getLong("varve.seed", 1);

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void killedWriterLosesNothingAndLeavesNothingWrong(@TempDir Path folder) throws Exception {
    SplittableRandom random = new SplittableRandom(SEED);
    Path store = folder.resolve("store");
    Path logEnd = folder.resolve("log-end");
    RecordStream stream = KilledWriter.stream(SEED);
    Log log = new Log();
    InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
    for (int kill = 0; kill < KILLS; kill++) {
      runAndKill(store, logEnd, kill, random);
      extend(log, model, stream, KilledWriter.readEnd(logEnd));
      // The next writer goes on where this one was killed; the look at it is at a copy.
      Path copy = folder.resolve("copy-" + kill);
      DrivenStore.copyFolder(store, copy);
      try (DrivenStore opened = new DrivenStore(copy, log)) {
        Sameness.assertSame(opened.reader(), model);
      } catch (AssertionError e) {
        throw new AssertionError("after kill " + kill + " of seed " + SEED, e);
      }
    }
    assertThat(log.end()).isGreaterThan(KILLS);
  }

  private static void extend(Log log, InMemoryPartition model, RecordStream stream, long end) {
    for (long offset = log.end(); offset < end; offset++) {
      byte[] record = stream.at(offset);
      log.append(record);
      Log.put(model, record, offset);
    }
  }

  private static void runAndKill(Path store, Path logEnd, int kill, SplittableRandom random)
      throws IOException, InterruptedException {
    Process writer = KilledWriter.start(store, logEnd, SEED, kill % 4 != 3);
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
      boolean whileOpening = kill > 0 && random.nextInt(4) == 0;
      if (whileOpening) {
        pause(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(1_000)));
      } else {
        assertThat(out.readLine()).as("first line of the writer").isEqualTo("running");
        pause(TimeUnit.MICROSECONDS.toNanos(1_000 + random.nextInt(100_000)));
      }
      assertThat(writer.isAlive()).as("writer still runs").isTrue();
      if (kill % 3 == 1) {
        // A polite end that nobody handles must not unmap files under the writer and crash it.
        writer.destroy();
        assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(writer.exitValue()).as("exit value after SIGTERM").isEqualTo(128 + 15);
      }
    } finally {
      writer.destroyForcibly();
      assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Lets the other process run; when the kill hits is meant to be anybody's guess. */
  private static void pause(long nanos) {
    long until = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }
}
