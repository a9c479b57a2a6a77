package io.varve.storage.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.storage.InMemoryPartition;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A writer's process that can make no larger files for a while, as on a full disk: the kernel's
 * limit on the size of files, which needs no mount and no rights, stands in for the disk's.
 */
class FullDiskSimulation {
  private static final long SEED = Long.getLong("varve.seed", 1);
  private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");

  /** Room for a day's first file and for small ones, not for a day's second file. */
  private static final String FULL = "--fsize=" + 48 * 1024 + ":";

  private static final String FREE = "--fsize=unlimited:";

  private final RecordStream stream = KilledWriter.stream(SEED);
  private final Log log = new Log();
  private final InMemoryPartition model = new InMemoryPartition(DrivenStore.TOPIC_PARTITION);
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

  /**
   * C199, C201, C203, C205: the writer says that it waits and is not ended by a signal; killed
   * there, nothing is lost; with room again it goes on by itself, and a kill after that finds every
   * row of before and after.
   */
  @Test
  void writerWaitsForRoomAndLosesNothing(@TempDir Path folder) throws Exception {
    assumeTrue(Files.isExecutable(PRLIMIT), "needs prlimit of util-linux");
    Path store = folder.resolve("store");
    Path logEnd = folder.resolve("log-end");
    Process writer = KilledWriter.start(store, logEnd, SEED, false);
    listen(writer);
    try {
      nextWord("running");
      for (int time = 0; time < 2; time++) {
        limit(writer, FULL);
        assertThat(nextWord("stalled")).contains(store.toString());
        long stalledAt = KilledWriter.readEnd(logEnd);
        assertSameAfterKill(store, folder.resolve("full-" + time), stalledAt);
        limit(writer, FREE);
        nextWord("on");
        assertThat(writer.isAlive()).isTrue();
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> KilledWriter.readEnd(logEnd) > stalledAt + 500);
      }
    } finally {
      writer.destroyForcibly();
      assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
    assertSameAfterKill(store, folder.resolve("end"), KilledWriter.readEnd(logEnd));
  }

  private void assertSameAfterKill(Path store, Path copy, long end) {
    for (long offset = log.end(); offset < end; offset++) {
      byte[] record = stream.at(offset);
      log.append(record);
      Log.put(model, record, offset);
    }
    DrivenStore.copyFolder(store, copy);
    try (DrivenStore opened = new DrivenStore(copy, log)) {
      Sameness.assertSame(opened.reader(), model);
    }
  }

  private void listen(Process writer) {
    Thread listener =
        new Thread(
            () -> {
              try (BufferedReader lines =
                  new BufferedReader(
                      new InputStreamReader(writer.getInputStream(), StandardCharsets.UTF_8))) {
                lines.lines().forEach(said::add);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            },
            "listener");
    listener.setDaemon(true);
    listener.start();
  }

  private String nextWord(String word) throws InterruptedException {
    String line = said.poll(60, TimeUnit.SECONDS);
    assertThat(line).as("next word of the writer").startsWith(word);
    return line;
  }

  private static void limit(Process writer, String limit) throws Exception {
    Process set =
        new ProcessBuilder(PRLIMIT.toString(), "--pid", "" + writer.pid(), limit)
            .redirectErrorStream(true)
            .start();
    String told = new String(set.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(set.waitFor()).as("prlimit: %s", told).isZero();
  }
}
