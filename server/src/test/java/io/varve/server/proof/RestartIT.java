package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.storage.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Orderly restarts: nothing lost, the ledger exact, and no answer that is short of rows. */
class RestartIT {
  private static final long START = 1_717_200_000_000_000L;
  private static final int SENSORS = 20;

  /** C077, C081, C173, C181. */
  @Test
  void orderlyRestartsKeepRowsLedgerAndSilenceUntilComplete(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(folder.resolve("data"))
            .withJvmFlags("-Duser.timezone=America/Los_Angeles");
    List<TreeMap<Long, Row>> truth = new ArrayList<>();
    for (int s = 0; s < SENSORS; s++) {
      truth.add(new TreeMap<>());
    }
    NodeProcess node = setup.start();
    try (Feed feed = new Feed(setup.bootstrap())) {
      long consumed = 0;
      for (int round = 1; round <= 3; round++) {
        consumed += send(feed, round, truth);
        NodeClient.Ledger before = node.client.awaitConsumed(consumed, Duration.ofSeconds(60));
        assertThat(before.consumed()).isEqualTo(consumed);
        node.stop();
        assertThat(node.log()).doesNotContain("damaged", "rebuilding");
        node = setup.launch();
        try (AnswerWatch watch = new AnswerWatch(node, "restart/0", newestFirst(truth.get(0)))) {
          node.awaitReady(NodeProcess.START);
          // Refusals are counted where readings are routed, which begins after answers do.
          NodeClient client = node.client;
          await("ledger after restart")
              .atMost(Duration.ofSeconds(20))
              .untilAsserted(() -> assertThat(client.ledger()).isEqualTo(before));
          for (int s = 0; s < SENSORS; s++) {
            assertThat(node.client.allRows("restart/" + s, "desc", 10_000))
                .isEqualTo(newestFirst(truth.get(s)));
          }
          watch.assertNeverShort();
        }
      }
      freshRowsPrecedeOldOnes(node, feed, truth.get(1));
      node.stop();
    } finally {
      node.close();
    }
  }

  /** Sends new rows, corrections, repeats, refused readings and garbage; returns how many. */
  private static long send(Feed feed, int round, List<TreeMap<Long, Row>> truth) {
    for (int i = 0; i < 6_000; i++) {
      int sensor = i % SENSORS;
      boolean correction = i % 10 == 9 && round > 1;
      long slot = correction ? i : (round * 6_000L + i);
      long micros = START + slot * 40_000_000L + (correction ? 6_000 * 40_000_000L : 0);
      Row row = new Row(micros, 0, Proof.mix(round, i, 0) * 0x1p-40);
      truth.get(sensor).put(micros, row);
      feed.reading("restart/" + sensor, micros, row.value());
      if (i % 20 == 0) {
        feed.reading("restart/" + sensor, micros, row.value());
      }
    }
    feed.reading("", START, 1);
    feed.reading("restart/0", 1_717_200_000L, 1);
    feed.raw(null, new byte[] {9, 9, 9});
    feed.flush();
    return 6_000 + 300 + 3;
  }

  private static void freshRowsPrecedeOldOnes(
      NodeProcess node, Feed feed, TreeMap<Long, Row> truth) {
    long newest = truth.lastKey();
    for (int i = 1; i <= 10; i++) {
      Row row = new Row(newest + i, 0, i);
      truth.put(row.timestampMicros(), row);
      feed.reading("restart/1", row.timestampMicros(), row.value());
    }
    feed.flush();
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(
            () ->
                assertThat(NodeClient.rows(node.client.readings("restart/1", "&limit=20")))
                    .isEqualTo(newestFirst(truth).subList(0, 20)));
  }

  private static List<Row> newestFirst(TreeMap<Long, Row> rows) {
    return List.copyOf(rows.descendingMap().values());
  }
}
