package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.storage.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store on a disk that fills up, frees up, and fills up again; skipped where the test may not
 * mount a small one. In full only: 2 400 days, each with files of its own. C199, C203, C205.
 */
class DiskFullIT {
  private static final long START = 946_684_800_000_000L;
  private static final long DAY = 86_400_000_000L;
  private static final Duration NOTICED = Duration.ofSeconds(20);

  private int sent;

  @Test
  void fullDiskStopsIngestUntilThereIsRoomAndLosesNothing(@TempDir Path folder) throws Exception {
    Path disk = Files.createDirectory(folder.resolve("guest")); // its log lies beside it
    assumeTrue(
        Proof.runs("mount", "-t", "tmpfs", "-o", "size=24m", "varve-proof", disk.toString()),
        "may not mount a small disk");
    try {
      NodeProcess.Setup host = NodeProcess.Setup.in(folder.resolve("host"));
      try (NodeProcess cluster = host.start();
          Feed feed = new Feed(host.bootstrap())) {
        assertThat(cluster.alive()).isTrue();
        NodeProcess.Setup guest =
            NodeProcess.Setup.in(disk, "-b", host.bootstrap(), "--name", "guest");
        try (NodeProcess node = guest.start()) {
          send(feed, 900);
          becomesUnready(node);
          assertThat(Proof.runs("mount", "-o", "remount,size=64m", disk.toString())).isTrue();
          isExactSoon(node);
          send(feed, 1_500);
          becomesUnready(node);
          node.kill();
        }
        try (NodeProcess node = guest.launch()) {
          await("says that the disk is full")
              .atMost(Duration.ofSeconds(40))
              .until(() -> node.log().toLowerCase(java.util.Locale.ROOT).contains("space"));
          assertThat(node.log()).doesNotContain("SIGBUS").doesNotContain("hs_err");
        }
        assertThat(Proof.runs("mount", "-o", "remount,size=200m", disk.toString())).isTrue();
        try (NodeProcess node = guest.start()) {
          isExactSoon(node);
          node.stop();
        }
      }
    } finally {
      assertThat(Proof.runs("umount", "-l", disk.toString())).isTrue();
    }
  }

  /** Sends one reading for each of so many further days, each of which takes a file. */
  private void send(Feed feed, int days) {
    for (int i = 0; i < days; i++, sent++) {
      feed.reading("disk", START + sent * DAY, sent);
    }
    feed.flush();
  }

  private static void becomesUnready(NodeProcess node) {
    await("not ready")
        .atMost(NOTICED)
        .until(
            () -> {
              node.assertAlive();
              return node.client.statusOf("/ready") == 503;
            });
    assertThat(node.client.statusOf("/v1/status")).isEqualTo(200);
    assertThat(node.log()).doesNotContain("SIGBUS");
  }

  private void isExactSoon(NodeProcess node) {
    List<Row> want = new ArrayList<>();
    for (int i = 0; i < sent; i++) {
      want.add(new Row(START + i * DAY, 0, i));
    }
    await("all rows")
        .atMost(Duration.ofSeconds(120))
        .until(
            () -> {
              node.assertAlive();
              return node.client.statusOf("/ready") == 200
                  && node.client.allRows("disk", "asc", 10_000).equals(want);
            });
  }
}
