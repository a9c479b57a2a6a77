package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sensor's day that grows too large in one place is named once, and known after a restart; what
 * the status says of disks adds up.
 */
class GuardrailIT {
  private static final long DAY = 1_717_200_000_000_000L; // 2024-06-01
  private static final long SECOND = 1_000_000L;
  private static final int ROWS = 2_000;

  @Test
  void largeShardIsNamed(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(folder.resolve("data"), "--guardrail-rows", "1000");
    JsonNode before;
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      for (int i = 0; i < ROWS; i++) {
        feed.reading("busy \"one\"", DAY + i * SECOND, i);
        if (i % 100 == 0) {
          feed.reading("calm", DAY + i * SECOND, i);
        }
      }
      feed.flush();
      node.client.awaitConsumed(ROWS + ROWS / 100, Duration.ofSeconds(60));
      before = assertNamed(node);
      assertDiskAddsUp(node);
      assertThat(node.log().lines().filter(line -> line.contains("max_shard_rows")))
          .singleElement()
          .asString()
          .contains("WARN", "sensor=\"busy \\\"one\\\"\"", "day=2024-06-01", "--guardrail-rows");
      node.stop();
    }
    try (NodeProcess node = setup.start()) {
      assertThat(assertNamed(node)).isEqualTo(before);
      assertThat(node.log()).doesNotContain("max_shard_rows");
      node.stop();
    }
  }

  /** What the status says of disks: by day, by topic partition, by table, and for each row. */
  private static void assertDiskAddsUp(NodeProcess node) {
    await("sizes of topics, asked for every ten seconds")
        .atMost(Duration.ofSeconds(60))
        .until(() -> disk(node).path("bytes_a_row").path("sum").isNumber());
    JsonNode disk = disk(node);
    long bytes = disk.path("store_bytes").longValue();
    assertThat(bytes).isPositive();
    assertThat(sum(disk.path("by_day"), "bytes")).isEqualTo(bytes);
    assertThat(sum(disk.path("by_topic_partition"), "bytes")).isEqualTo(bytes);
    assertThat(sum(disk.path("by_topic_partition"), "rows")).isEqualTo(ROWS + ROWS / 100);
    assertThat(disk.path("by_day")).hasSize(1);
    assertThat(disk.path("by_day").get(0).path("day").asText()).isEqualTo("2024-06-01");
    assertThat(disk.path("more_days").intValue()).isZero();
    assertThat(disk.path("tables").path("rows").longValue()).isEqualTo(bytes);
    assertThat(disk.path("tables").path("offsets").longValue()).isPositive();
    JsonNode aRow = disk.path("bytes_a_row");
    double sum =
        aRow.path("store").doubleValue()
            + aRow.path("rows").doubleValue()
            + aRow.path("readings").doubleValue();
    assertThat(aRow.path("sum").doubleValue()).isCloseTo(sum, within(0.02));
  }

  private static JsonNode disk(NodeProcess node) {
    return node.client.status().path("disk");
  }

  private static long sum(JsonNode list, String member) {
    long sum = 0;
    for (JsonNode each : list) {
      sum += each.path(member).longValue();
    }
    return sum;
  }

  private static JsonNode assertNamed(NodeProcess node) {
    JsonNode guardrail =
        await("a look at sizes, of which there are few a second")
            .atMost(Duration.ofSeconds(60))
            .until(
                () -> node.client.status().path("guardrail"),
                seen -> seen.path("largest").path("rows").longValue() == ROWS);
    assertThat(guardrail.path("max_shard_bytes").longValue()).isEqualTo(100_000_000);
    assertThat(guardrail.path("max_shard_rows").longValue()).isEqualTo(1_000);
    assertThat(guardrail.path("shards_over").longValue()).isEqualTo(1);
    JsonNode largest = guardrail.path("largest");
    assertThat(largest.path("sensor_id").asText()).isEqualTo("busy \"one\"");
    assertThat(largest.path("day").asText()).isEqualTo("2024-06-01");
    assertThat(largest.path("rows").longValue()).isEqualTo(ROWS);
    assertThat(largest.path("bytes").longValue()).isPositive();
    assertThat(node.client.get("/metrics").body().lines().toList())
        .contains(
            "varve_shards_over_guardrail 1.0",
            "varve_shard_bytes_max " + (double) largest.path("bytes").longValue());
    return guardrail;
  }
}
