package io.varve.query;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.StoreUnavailableException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Health, status, pausing, and how answers travel. */
class NodeIT {
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");

  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void statusBeginsWithTheLedger() {
    assertThat(node.get("/v1/status").text()).startsWith("{\"ledger\":{\"stored\":0,");
  }

  /** C215: a failed node is not live, one that restores is not ready. */
  @Test
  void healthFollowsTheNode() {
    assertThat(node.get("/live").status()).isEqualTo(200);
    assertThat(node.get("/ready").status()).isEqualTo(200);
    node.notReady("Restoring topic partition 3: 40 % done.");
    PlainClient.Reply reply = node.get("/ready");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.header("Retry-After")).contains("1");
    assertThat(reply.text()).contains("Restoring topic partition 3");
    node.fail();
    assertThat(node.get("/live").status()).isEqualTo(503);
  }

  @Test
  void ingestIsPausedAndResumed() {
    assertThat(node.post("/v1/ingest/pause", "").text()).isEqualTo("{\"paused\":true}");
    assertThat(node.paused()).isTrue();
    assertThat(node.get("/ready").status()).isEqualTo(200);
    assertThat(node.post("/v1/ingest/resume", "").status()).isEqualTo(200);
    assertThat(node.paused()).isFalse();
  }

  @Test
  void ingestThatDoesNotRunYetIsNotSaidToBePaused() {
    node.notReady("the in-process broker is starting");
    for (String what : new String[] {"pause", "resume"}) {
      PlainClient.Reply reply = node.post("/v1/ingest/" + what, "");
      assertThat(reply.status()).as(what).isEqualTo(503);
      assertThat(reply.header("Retry-After")).contains("1");
      assertThat(reply.text()).contains("the in-process broker is starting");
    }
    assertThat(node.paused()).isFalse();
  }

  @Test
  void foreignWebPagesMayNotPauseIngest() {
    assertThat(node.post("/v1/ingest/pause", "", "Origin: https://evil.example").status())
        .isEqualTo(403);
    assertThat(node.paused()).isFalse();
    String own = "Origin: http://localhost:" + node.port();
    assertThat(node.post("/v1/ingest/pause", "", own).status()).isEqualTo(200);
  }

  @Test
  void compactionIsAnsweredWhenItIsDone() throws Exception {
    CompletableFuture<Integer> run = new CompletableFuture<>();
    node.compaction(run);
    try (PlainClient other = new PlainClient(node.port())) {
      other.sendBytes("POST /v1/store/compact HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
      await().until(() -> node.compactionsAsked() == 1);
      assertThat(node.post("/v1/store/compact?wait=false", "").text())
          .isEqualTo("{\"compacting\":true}");
      run.complete(12);
      PlainClient.Reply reply = other.read(false);
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.text()).isEqualTo("{\"compacted_days\":12}");
    }
    assertThat(node.post("/v1/store/compact?wait=true", "").text())
        .isEqualTo("{\"compacted_days\":12}");
  }

  @Test
  void compactionNotWaitedForIsAccepted() {
    node.compaction(new CompletableFuture<>());
    assertThat(node.post("/v1/store/compact?wait=false", "").status()).isEqualTo(202);
    assertThat(node.compactionsAsked()).isEqualTo(1);
  }

  @Test
  void waitingForACompactionTakesNoThreadsFromOthers() throws Exception {
    CompletableFuture<Integer> run = new CompletableFuture<>();
    node.compaction(run);
    List<PlainClient> waiting = new ArrayList<>();
    try {
      for (int i = 1; i <= 4; i++) {
        PlainClient client = new PlainClient(node.port());
        waiting.add(client);
        client.sendBytes("POST /v1/store/compact HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(US_ASCII));
        int asked = i;
        await().until(() -> node.compactionsAsked() == asked);
      }
      PlainClient.Reply fifth = node.post("/v1/store/compact", "");
      assertThat(fifth.status()).isEqualTo(503);
      assertThat(fifth.header("Retry-After")).contains("1");
      assertThat(fifth.text()).contains("urn:varve:problem:overloaded", "wait=false");
      assertThat(node.post("/v1/store/compact?wait=false", "").status()).isEqualTo(202);
      assertThat(node.get("/v1/readings?sensor_id=a").status()).isEqualTo(200);
      run.complete(1);
      for (PlainClient client : waiting) {
        assertThat(client.read(false).status()).isEqualTo(200);
      }
      assertThat(node.post("/v1/store/compact", "").status()).isEqualTo(200);
    } finally {
      for (PlainClient client : waiting) {
        client.close();
      }
    }
  }

  @Test
  void compactionRefusesWhatItDoesNotKnow() {
    for (String query : new String[] {"wait=yes", "wait=", "wait=true&wait=false", "days=3"}) {
      PlainClient.Reply reply = node.post("/v1/store/compact?" + query, "");
      assertThat(reply.status()).as(query).isEqualTo(400);
      assertThat(reply.text()).contains("\"parameter\":\"" + query.split("=", 2)[0] + "\"");
    }
    assertThat(node.post("/v1/store/compact", "", "Origin: https://evil.example").status())
        .isEqualTo(403);
    assertThat(node.compactionsAsked()).isZero();
  }

  @Test
  void compactionThatFailsSaysWhatToDo() {
    node.compaction(
        CompletableFuture.failedFuture(
            new IOException(
                "The days of topic partition 3 could not all be rewritten (no space).")));
    for (String query : new String[] {"", "?wait=false"}) {
      PlainClient.Reply reply = node.post("/v1/store/compact" + query, "");
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.text())
          .contains("urn:varve:problem:internal", "topic partition 3", "no space", "has room")
          .doesNotContain("Exception");
    }
    node.compaction(
        CompletableFuture.failedFuture(
            new StoreUnavailableException("The store of topic partition 2 moved.")));
    PlainClient.Reply reply = node.post("/v1/store/compact", "");
    assertThat(reply.status()).isEqualTo(503);
    assertThat(reply.header("Retry-After")).contains("1");
    assertThat(reply.text())
        .contains("urn:varve:problem:store-unavailable", "topic partition 2", "try again");
    node.compaction(CompletableFuture.failedFuture(new IllegalArgumentException("a bug")));
    assertThat(node.post("/v1/store/compact", "").status()).isEqualTo(500);
    assertThat(node.post("/v1/store/compact", "").text()).doesNotContain("a bug");
  }

  @Test
  void metricsAndDescriptionAreServed() {
    PlainClient.Reply metrics = node.get("/metrics");
    assertThat(metrics.header("Content-Type").orElse("")).startsWith("text/plain; version=0.0.4");
    assertThat(metrics.text()).contains("varve_up 1");
    assertThat(node.get("/openapi.yaml").text()).startsWith("openapi: 3.");
  }

  @Test
  void headHasTheHeadersOfGet() throws Exception {
    node.put("a", JUNE, 0, 1);
    int length = node.get("/v1/readings?sensor_id=a").body().length;
    PlainClient.Reply head = node.client().send("HEAD", "/v1/readings?sensor_id=a", new byte[0]);
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("Content-Length")).contains(String.valueOf(length));
    assertThat(node.client().send("HEAD", "/nope", new byte[0]).status()).isEqualTo(404);
    PlainClient.Reply options = node.client().send("OPTIONS", "/v1/latest", new byte[0]);
    assertThat(options.status()).isEqualTo(204);
    assertThat(options.header("Allow")).contains("GET, HEAD, OPTIONS, POST");
  }

  @Test
  void answersHaveALengthAndNameNoServer() {
    PlainClient.Reply reply = node.get("/v1/readings?sensor_id=a");
    assertThat(reply.headers()).containsKey("Content-Length");
    assertThat(reply.headers())
        .doesNotContainKeys("Server", "X-Powered-By", "Transfer-Encoding", "Set-Cookie");
  }

  @Test
  void largeAnswersAreCompressedWhenAsked() throws Exception {
    for (int i = 0; i < 500; i++) {
      node.put("a", JUNE + i, 0, i);
    }
    String address = "/v1/readings?sensor_id=a&limit=500";
    String plain = node.get(address).text();
    PlainClient.Reply packed = node.get(address, "Accept-Encoding: gzip");
    assertThat(packed.header("Content-Encoding")).contains("gzip");
    assertThat(packed.header("Vary")).contains("Accept-Encoding");
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed.body()))) {
      assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo(plain);
    }
    for (String refusing : new String[] {"identity", "gzip;q=0", "br"}) {
      PlainClient.Reply reply = node.get(address, "Accept-Encoding: " + refusing);
      assertThat(reply.headers()).as(refusing).doesNotContainKey("Content-Encoding");
      assertThat(reply.text()).isEqualTo(plain);
    }
  }

  @Test
  void linesAndCsvCarryTheFactsInHeaders() {
    for (int i = 0; i < 5; i++) {
      node.put("a", JUNE + i, i, i + 0.5);
    }
    String address = "/v1/readings?sensor_id=a&from=2024-06-01&limit=2";
    for (String accept : new String[] {"text/csv", "application/x-ndjson", "text/*;q=0.9, a/b"}) {
      PlainClient.Reply reply = node.get(address, "Accept: " + accept);
      JsonNode json = node.json(address);
      assertThat(reply.header("Varve-Complete")).contains("true");
      assertThat(reply.header("Varve-Known")).contains("true");
      assertThat(reply.header("Varve-Stop-Reason")).contains("limit");
      assertThat(reply.header("Varve-From")).contains("2024-06-01T00:00:00.000000Z");
      assertThat(reply.header("Varve-To")).isEmpty();
      assertThat(reply.header("Varve-Order")).contains("desc");
      assertThat(reply.header("Varve-Next-Page-Token"))
          .contains(json.get("next_page_token").asText());
      assertThat(reply.header("Link").orElse("")).contains("page_token=");
      assertThat(reply.header("Varve-Stats"))
          .contains("days=1, shards=1, blocks=1, rows_decoded=2");
      assertThat(reply.header("Varve-Applied").orElse("")).contains("=4");
      assertThat(reply.header("Varve-Event-Time")).contains("2024-06-01T00:00:00.000004Z");
    }
    assertThat(node.get(address, "Accept: text/csv").text())
        .isEqualTo(
            "timestamp,value,sequence\n2024-06-01T00:00:00.000004Z,4.5,4\n"
                + "2024-06-01T00:00:00.000003Z,3.5,3\n");
    assertThat(node.get(address + "&format=ndjson&ts=epoch_us").text())
        .isEqualTo(
            "{\"timestamp\":1717200000000004,\"value\":4.5,\"sequence\":4}\n"
                + "{\"timestamp\":1717200000000003,\"value\":3.5,\"sequence\":3}\n");
  }

  @Test
  void takenPortIsAnErrorThatNamesIt() {
    HttpSettings taken = HttpSettings.of("127.0.0.1", node.port());
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> QueryServer.start(taken, node, node, () -> 0))
        .isInstanceOf(java.net.BindException.class)
        .hasMessageContaining("127.0.0.1:" + node.port());
  }
}
