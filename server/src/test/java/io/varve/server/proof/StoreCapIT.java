package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cap on what the stores take: the oldest day leaves all of them as a whole, is counted apart,
 * and stays gone. One size.
 */
class StoreCapIT {
  private static final long FIRST_DAY = 1_717_200_000_000_000L; // 2024-06-01
  private static final long DAY = 86_400_000_000L;
  private static final long SECOND = 1_000_000L;
  private static final int SENSORS = 40;
  private static final int ROWS = 3;
  private static final int A_DAY = SENSORS * ROWS;

  @Test
  void oldestDayLeavesIsCountedAndStaysGone(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"), "--partitions", "4");
    long bytes;
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      fill(feed);
      node.client.awaitConsumed(3 * A_DAY, Duration.ofSeconds(60));
      bytes = node.client.status().path("disk").path("store_bytes").longValue();
      node.stop();
    }
    // Room for two of three days that take about the same.
    NodeProcess.Setup capped =
        setup.withFlags("--partitions", "4", "--max-store-bytes", "" + bytes * 5 / 6);
    try (NodeProcess node = capped.start();
        Feed feed = new Feed(setup.bootstrap())) {
      awaitCapped(node, A_DAY);
      assertFirstDayIsGone(node, A_DAY);
      assertThat(node.log().lines().filter(line -> line.contains("day leaves")))
          .singleElement()
          .asString()
          .contains("WARN", "day=2024-06-01", "rows=" + A_DAY, "raise --max-store-bytes");
      feed.reading("cap/0", FIRST_DAY, 7, 7);
      feed.flush();
      await("row of a day that has left")
          .atMost(Duration.ofSeconds(60))
          .until(() -> ledger(node).path("expired_on_arrival").longValue() == 1);
      assertFirstDayIsGone(node, A_DAY);
      node.stop();
    }
    try (NodeProcess node = capped.start()) {
      assertFirstDayIsGone(node, A_DAY);
      node.stop();
    }
    deleteFolder(setup.data().resolve("store"));
    try (NodeProcess node = capped.start()) {
      // The log is replayed: what was late for the day may now come before it leaves.
      await("first day leaves again")
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  ledger(node).path("capped").longValue()
                          + ledger(node).path("expired_on_arrival").longValue()
                      == A_DAY + 1);
      assertFirstDayIsGone(node, ledger(node).path("capped").longValue());
      node.stop();
    }
  }

  @Test
  void newestDayStaysWhateverItTakes(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(
            folder.resolve("data"), "--partitions", "4", "--max-store-bytes", "1kB");
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      fill(feed);
      // Topic partitions are read out of step: rows of a day may come after it has left.
      await("all that came before the newest day has left or was left out")
          .atMost(Duration.ofSeconds(60))
          .until(() -> ledger(node), StoreCapIT::onlyTheNewestDayIsLeft);
      assertThat(node.client.allRows("cap/0", "desc", 100)).hasSize(ROWS);
      assertThat(node.client.status().path("disk").path("notes").toString())
          .contains("The day being written to takes more than --max-store-bytes allows");
      assertThat(node.log().lines().filter(line -> line.contains("it stays")))
          .as("said, and not at every look")
          .hasSizeBetween(1, 3);
      node.stop();
    }
  }

  private static boolean onlyTheNewestDayIsLeft(JsonNode ledger) {
    long leftOut = ledger.path("expired_on_arrival").longValue();
    return ledger.path("stored").longValue() + leftOut == 3 * A_DAY
        && ledger.path("capped").longValue() + leftOut == 2 * A_DAY;
  }

  /** Three days of all sensors, the oldest first. */
  private static void fill(Feed feed) {
    for (int day = 0; day < 3; day++) {
      for (int s = 0; s < SENSORS; s++) {
        for (int i = 0; i < ROWS; i++) {
          feed.reading("cap/" + s, FIRST_DAY + day * DAY + i * SECOND, i);
        }
      }
      feed.flush();
    }
  }

  private static JsonNode ledger(NodeProcess node) {
    return node.client.status().path("ledger");
  }

  private static void awaitCapped(NodeProcess node, long rows) {
    await("rows left for the cap: " + rows)
        .atMost(Duration.ofSeconds(60))
        .until(() -> ledger(node).path("capped").longValue() >= rows);
  }

  private static void assertFirstDayIsGone(NodeProcess node, long capped) {
    JsonNode status = node.client.status();
    JsonNode ledger = status.path("ledger");
    assertThat(ledger.path("capped").longValue()).isEqualTo(capped);
    assertThat(ledger.path("expired").longValue()).isZero();
    assertThat(ledger.path("stored").longValue())
        .as("stored counts what left: %s", ledger)
        .isEqualTo(2 * A_DAY + capped);
    JsonNode cap = status.path("disk").path("cap");
    assertThat(cap.path("capped_rows").longValue()).isEqualTo(capped);
    assertThat(cap.path("capped_days").intValue()).isEqualTo(1);
    assertThat(cap.path("newest_capped_day").asText()).isEqualTo("2024-06-01");
    assertThat(status.path("disk").path("store_bytes").longValue())
        .isLessThanOrEqualTo(cap.path("max_store_bytes").longValue());
    List<String> metrics = node.client.get("/metrics").body().lines().toList();
    assertThat(metrics)
        .contains("varve_rows_capped_total " + (double) capped, "varve_days_capped_total 1.0");
    for (int s = 0; s < SENSORS; s++) {
      assertThat(node.client.allRows("cap/" + s, "desc", 100)).hasSize(2 * ROWS);
    }
    JsonNode page = node.client.readings("cap/0", "&to=2024-06-02&order=asc");
    assertThat(page.path("rows")).isEmpty();
    assertThat(page.path("complete").asBoolean()).as("as after a retention").isTrue();
  }

  private static void deleteFolder(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
