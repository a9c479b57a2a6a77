package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.ClusteringKey;
import io.varve.storage.Row;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sensor that is split in the middle of its day, again, and merged back: every answer is that of
 * one sorted map, and a node that replays all readings under the same plans answers to the byte as
 * the one that lived through it.
 */
class ReshardIT {
  private static final String SENSOR = "press 4/\"force\"";
  private static final long MINUTE = 60_000_000;
  private static final long HOUR = 60 * MINUTE;

  /** 22:00 of a day: the third hour is the next day's. */
  private static final long START = 1_717_279_200_000_000L;

  private static final Duration SOON = Duration.ofSeconds(60);

  private final Random random = new Random(6);
  private final TreeMap<ClusteringKey, Row> model = new TreeMap<>();
  private final List<Row> sent = new ArrayList<>();

  @Test
  void lifeThroughReshardsAndReplayUnderThemAnswerAlike(@TempDir Path folder) throws Exception {
    NodeProcess.Setup host = NodeProcess.Setup.in(folder.resolve("host"));
    try (NodeProcess node = host.start();
        Feed feed = new Feed(host.bootstrap());
        Admin admin = Admin.create(Map.of("bootstrap.servers", host.bootstrap()))) {
      int[] shards = {1, 8, 16, 1};
      for (int hour = 0; hour < shards.length; hour++) {
        if (shards[hour] != (hour == 0 ? 1 : shards[hour - 1])) {
          set(node, shards[hour], START + hour * HOUR);
        }
        send(feed, START + hour * HOUR);
        node.client.awaitConsumed(sent.size(), SOON);
      }
      keyInTwoShardsIsShownOnce(node, feed, host);
      isRight(node);
      assertThat(node.client.ledger().deadLettered() + node.client.ledger().refused()).isZero();
      replayAnswersAlike(node, Guest.of(host, folder.resolve("guest"), admin));
      node.stop();
    }
  }

  private void set(NodeProcess node, int shards, long from) {
    String plan = "/v1/shards?sensor_id=" + NodeClient.encode(SENSOR) + "&shards=" + shards;
    NodeClient.Answer refused = node.client.post(plan + "&from=" + (from - 2 * MINUTE), "");
    if (!sent.isEmpty()) {
      assertThat(refused.status()).as("from where rows are: %s", refused.body()).isEqualTo(400);
    }
    JsonNode decided = node.client.post(plan + "&from=" + from, "").json();
    assertThat(decided.path("written").asBoolean()).as("%s", decided).isTrue();
    assertThat(node.client.get("/v1/shards").json().path("shard_plans").path("state").asText())
        .isEqualTo("following");
  }

  /** An hour's rows, in and out of order, some of them again, some with another value. */
  private void send(Feed feed, long from) {
    for (int i = 0; i < 3_600; i++) {
      long at = from + i * 1_000_000L - (random.nextInt(20) == 0 ? random.nextInt(7_200) : 0);
      put(feed, new Row(at, random.nextInt(2), sent.size() * 0.25));
      if (random.nextInt(50) == 0) {
        Row before = sent.get(random.nextInt(sent.size()));
        Row last = model.getOrDefault(before.key(), before);
        boolean corrected = random.nextBoolean();
        put(
            feed,
            corrected ? new Row(last.timestampMicros(), last.sequence(), -sent.size()) : last);
      }
    }
    feed.flush();
  }

  private void put(Feed feed, Row row) {
    sent.add(row);
    model.put(row.key(), row);
    feed.reading(SENSOR, row.timestampMicros(), row.value(), row.sequence());
  }

  /** A device ahead of the plan for its time: sent before, corrected after. */
  private void keyInTwoShardsIsShownOnce(NodeProcess node, Feed feed, NodeProcess.Setup host) {
    long at = START + 5 * HOUR;
    for (int i = 0; i < 20; i++) {
      put(feed, new Row(at + i * MINUTE, 0, 1));
    }
    feed.flush();
    node.client.awaitConsumed(sent.size(), SOON);
    // As any tool can, who reads the manual: a node refuses a plan where rows are.
    String from = java.time.Instant.ofEpochSecond(at / 1_000_000).toString();
    String value =
        "{\"sensor_id\":\"press 4/\\\"force\\\"\",\"effective_from\":\""
            + from
            + "\",\"shards\":32,\"revision\":9}";
    try (KafkaProducer<byte[], byte[]> plans = Guest.producer(host.bootstrap())) {
      plans.send(
          new ProducerRecord<>(
              "shard-plans",
              (SENSOR + " " + from).getBytes(StandardCharsets.UTF_8),
              value.getBytes(StandardCharsets.UTF_8)));
    }
    await()
        .atMost(SOON)
        .until(
            () ->
                node.client
                    .get("/v1/shards/history?sensor_id=" + NodeClient.encode(SENSOR))
                    .body()
                    .contains("\"shards\":32"));
    for (int i = 0; i < 20; i++) {
      put(feed, new Row(at + i * MINUTE, 0, 2));
    }
    feed.flush();
    node.client.awaitConsumed(sent.size(), SOON);
  }

  private void isRight(NodeProcess node) {
    assertThat(node.client.allRows(SENSOR, "desc", 997)).containsExactlyElementsOf(model.values());
    assertThat(node.client.allRows(SENSOR, "asc", 10_000))
        .containsExactlyElementsOf(model.descendingMap().values());
    JsonNode latest =
        node.client.get("/v1/latest?ts=epoch_us&sensor_id=" + NodeClient.encode(SENSOR)).json();
    assertThat(latest.toString()).contains("\"value\":2.0");
    JsonNode counts =
        node.client.readings(SENSOR, "&from=" + START + "&step=1d&agg=count&order=asc");
    long count = 0;
    for (JsonNode bucket : counts.path("rows")) {
      count += bucket.path("value").asLong();
    }
    assertThat(count)
        .isEqualTo(model.values().stream().filter(r -> r.timestampMicros() >= START).count());
  }

  private void replayAnswersAlike(NodeProcess lived, NodeProcess.Setup guest) throws Exception {
    try (NodeProcess replayed = guest.start()) {
      replayed.client.awaitConsumed(sent.size(), SOON);
      List<String> questions = new ArrayList<>(List.of("", "&order=asc"));
      for (int i = 0; i < 6; i++) {
        long from = START + (long) (random.nextDouble() * 4 * HOUR);
        questions.add("&from=" + from + "&to=" + (from + HOUR / 2) + "&order=asc");
        questions.add("&from=" + from + "&step=5m&agg=avg,min,max,sum,count,first,last");
      }
      for (String question : questions) {
        String address =
            "/v1/readings?format=csv&sensor_id="
                + NodeClient.encode(SENSOR)
                + (question.contains("step") ? "" : "&limit=10000")
                + question;
        assertThat(replayed.client.get(address).body())
            .as(address)
            .isEqualTo(lived.client.get(address).body());
      }
      isRight(replayed);
      replayed.stop();
    }
  }
}
