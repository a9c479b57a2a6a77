package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Expiry by event time: whole days at once, never by another reading's clock, never undone. One
 * size.
 */
class RetentionIT {
  private static final long MINUTE = 60_000_000L;
  private static final long DAY = 86_400_000_000L;

  /** C039, C043. */
  @Test
  void expiredRowsGoAndStayGone(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(folder.resolve("data"), "--retention", "7d")
            .withJvmFlags("-Duser.timezone=Pacific/Kiritimati");
    long now = Instant.now().toEpochMilli() * 1_000;
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      for (int i = 0; i < 100; i++) {
        feed.reading("retention", now - i * MINUTE, i);
        feed.reading("retention", now - 5 * DAY - i * MINUTE, i);
      }
      feed.reading("retention", Instant.parse("2100-01-01T00:00:00Z").toEpochMilli() * 1_000, 1);
      feed.reading("retention", now - 30 * DAY, 1);
      feed.flush();
      NodeClient.Ledger ledger = node.client.awaitConsumed(202, Duration.ofSeconds(20));
      assertThat(ledger).isEqualTo(new NodeClient.Ledger(200, 0, 0, 2, 0));
      JsonNode reasons = node.client.status().path("ledger").path("refused_by_reason");
      assertThat(reasons.size()).as("%s", reasons).isGreaterThanOrEqualTo(2);
      assertThat(node.client.allRows("retention", "desc", 1_000)).hasSize(200);
      node.stop();
    }
    try (NodeProcess node = setup.withFlags("--retention", "2d").start()) {
      await("five days old rows expire")
          .atMost(Duration.ofSeconds(90))
          .until(() -> node.client.allRows("retention", "desc", 1_000).size() == 100);
      assertThat(node.client.ledger().stored()).as("stored counts what expired").isEqualTo(200);
      node.stop();
    }
    try (NodeProcess node = setup.start()) {
      assertThat(node.client.allRows("retention", "desc", 1_000)).hasSize(100);
      node.stop();
    }
  }
}
