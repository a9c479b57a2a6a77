package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sensor that grows hot is split by the node itself and merged back when it cools; another node
 * that may only advise says the same and does nothing. What both answer is what was sent.
 */
class AutoShardingIT {
  private static final String HOT = "hot \"one\"";
  private static final Duration SOON = Duration.ofSeconds(90);

  /** Sends rows of now until it is told to stop: of the hot sensor in bursts, of others few. */
  private static final class Devices implements Runnable {
    private static final int TICK_MILLIS = 20;

    private final Feed feed;
    private final List<Row> hot = Collections.synchronizedList(new ArrayList<>());
    private volatile int aTick = 1;
    private volatile boolean stopped;

    Devices(Feed feed) {
      this.feed = feed;
    }

    @Override
    public void run() {
      for (int tick = 0; !stopped; tick++) {
        long now = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
        for (int i = 0; i < aTick; i++) {
          Row row = new Row(now - i * 100L, 0, hot.size());
          hot.add(row);
          feed.reading(HOT, row.timestampMicros(), row.value(), 0);
        }
        feed.reading("calm-" + tick % 10, now, tick, 0);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
      }
      feed.flush();
    }
  }

  @Test
  void hotSensorIsSplitAndMergedBackByItself(@TempDir Path folder) throws Exception {
    String[] rules = {"--shard-rate", "200", "--shard-cool-down", "10s"};
    NodeProcess.Setup host = NodeProcess.Setup.in(folder.resolve("host"), rules);
    try (NodeProcess node = host.start();
        Feed feed = new Feed(host.bootstrap())) {
      NodeProcess.Setup guest =
          NodeProcess.Setup.in(
              folder.resolve("guest"),
              "-b",
              host.bootstrap(),
              "--name",
              "guest",
              "--sharding",
              "advise",
              "--shard-rate",
              "200");
      try (NodeProcess adviser = guest.start()) {
        Devices devices = new Devices(feed);
        CompletableFuture<Void> sending = CompletableFuture.runAsync(devices);
        devices.aTick = 20; // 1 000 rows a second
        await().atMost(SOON).until(() -> shards(node) >= 8);
        await()
            .atMost(SOON)
            .until(() -> !adviser.client.get("/v1/shards").json().path("advised").isEmpty());
        isToldOf(node);
        isAdvised(adviser);
        devices.aTick = 0;
        await().atMost(SOON).until(() -> shards(node) == 1);
        devices.stopped = true;
        sending.get(30, TimeUnit.SECONDS);
        answersAreWhatWasSent(node, feed, devices);
        answersAreWhatWasSent(adviser, feed, devices);
        adviser.stop();
      }
      node.stop();
    }
  }

  private static int shards(NodeProcess node) {
    for (JsonNode sensor : node.client.get("/v1/shards").json().path("sensors")) {
      if (sensor.path("sensor_id").asText().equals(HOT)) {
        return sensor.path("shards").asInt();
      }
    }
    return 1;
  }

  private static void isToldOf(NodeProcess node) {
    JsonNode plans =
        node.client
            .get("/v1/shards/history?sensor_id=" + NodeClient.encode(HOT))
            .json()
            .path("plans");
    assertThat(plans).hasSize(1);
    assertThat(plans.get(0).path("reason").asText()).contains("rows/s, and a shard may take 200");
    assertThat(node.client.get("/v1/shards").json().path("sharding").path("mode").asText())
        .isEqualTo("auto");
    assertThat(node.log()).contains("Sensor gets other shards: sensor=\"hot \\\"one\\\"\"");
    JsonNode first = node.client.get("/v1/top?kind=writes&for=5s").json().at("/writes/by_rows/0");
    assertThat(first.path("sensor_id").asText()).isEqualTo(HOT);
    assertThat(first.path("rows_per_second").asInt()).isBetween(200, 2_000);
    assertThat(first.path("at_least").asLong()).isLessThanOrEqualTo(first.path("rows").asLong());
    node.client.readings(HOT, "&limit=50");
    await()
        .atMost(SOON)
        .until(
            () ->
                node.client
                    .get("/v1/top?kind=reads&for=1m")
                    .json()
                    .at("/reads/by_rows/0/sensor_id")
                    .asText()
                    .equals(HOT));
    assertThat(node.client.get("/metrics").body())
        .contains("varve_top_rows_per_second{kind=\"writes\",rank=\"1\"}")
        .contains("varve_top_bytes_per_second{kind=\"reads\",rank=\"1\"}")
        .doesNotContain("hot \\\"");
  }

  private static void isAdvised(NodeProcess adviser) {
    JsonNode tree = adviser.client.get("/v1/shards").json();
    assertThat(tree.at("/sharding/mode").asText()).isEqualTo("advise");
    assertThat(tree.at("/advised/0/sensor_id").asText()).isEqualTo(HOT);
    assertThat(tree.at("/advised/0/shards").asInt()).isBetween(8, 16);
    assertThat(tree.path("sensors")).isEmpty();
  }

  private static void answersAreWhatWasSent(NodeProcess node, Feed feed, Devices devices) {
    node.client.awaitConsumed(feed.sent(), SOON);
    List<Row> sent = new ArrayList<>(devices.hot);
    sent.sort((a, b) -> Long.compare(b.timestampMicros(), a.timestampMicros()));
    List<Row> latest = new ArrayList<>();
    for (Row row : sent) { // one tick may overlap the next: the later of two values holds
      if (latest.isEmpty()
          || latest.get(latest.size() - 1).timestampMicros() != row.timestampMicros()) {
        latest.add(row);
      } else if (latest.get(latest.size() - 1).value() < row.value()) {
        latest.set(latest.size() - 1, row);
      }
    }
    assertThat(node.client.allRows(HOT, "desc", 1_000)).containsExactlyElementsOf(latest);
  }
}
