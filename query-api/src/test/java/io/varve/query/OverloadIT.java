package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.storage.placement.ShardCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What happens when too many ask, ask too much, or go away. */
class OverloadIT {
  private static final String HEAVY =
      "/v1/readings?sensor_id=a&from=2024-06-01&step=1h&agg=avg,min,max";
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");

  private static TestNode node() {
    return new TestNode(
        s ->
            new HttpSettings(
                s.bind(), 0, 2, 4, Duration.ofSeconds(2), Duration.ofSeconds(30), Set.of()),
        ShardCounts.ONE);
  }

  private static void fill(TestNode node, int rows) {
    for (int i = 0; i < rows; i++) {
      node.put("a", JUNE + i * 1_000_000L, 0, i);
    }
  }

  /** C137, C139: threads stay bounded, and what can't be done soon is refused soon. */
  @Test
  void tooManyQueriesAreShedEarly() throws Exception {
    try (TestNode node = node()) {
      fill(node, 30_000);
      int clients = 100;
      Queue<PlainClient.Reply> replies = new ConcurrentLinkedQueue<>();
      CountDownLatch start = new CountDownLatch(1);
      ExecutorService threads = Executors.newFixedThreadPool(clients);
      for (int i = 0; i < clients; i++) {
        threads.execute(
            () -> {
              try (PlainClient client = new PlainClient(node.port())) {
                start.await();
                for (int k = 0; k < 3; k++) {
                  replies.add(client.get(HEAVY));
                }
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
      }
      start.countDown();
      threads.shutdown();
      assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
      assertThat(replies).hasSize(3 * clients);
      assertThat(replies).extracting(PlainClient.Reply::status).containsOnly(200, 503);
      assertThat(replies).extracting(PlainClient.Reply::status).contains(200, 503);
      assertThat(replies)
          .filteredOn(reply -> reply.status() == 503)
          .allSatisfy(reply -> assertThat(reply.header("Retry-After")).contains("1"));
      assertThat(httpThreads()).isLessThanOrEqualTo(2 + 4 + 24);
      assertThat(node.get("/live").status()).isEqualTo(200);
    }
  }

  private static long httpThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("http-"))
        .filter(Thread::isAlive)
        .count();
  }

  /** C135: clients that leave cost no more than one query's time, and no cursor stays open. */
  @Test
  void workEndsWhenClientsLeave() throws Exception {
    try (TestNode node = node()) {
      fill(node, 30_000);
      List<PlainClient> clients = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        PlainClient client = new PlainClient(node.port());
        client.sendBytes(request(HEAVY));
        clients.add(client);
      }
      for (PlainClient client : clients) {
        client.close();
      }
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(node.get(HEAVY).status()).isEqualTo(200));
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(() -> assertThat(openCursors(node)).isZero());
    }
  }

  @Test
  void deadlineCutsAPageAndTheNextOneGoesOn() {
    try (TestNode node = node()) {
      fill(node, 9_000);
      String address = "/v1/readings?sensor_id=a&limit=9000&timeout=1ms";
      List<String> rows = new ArrayList<>();
      String next = address;
      boolean cut = false;
      while (true) {
        var page = node.json(next);
        page.get("rows").forEach(row -> rows.add(row.toString()));
        if (page.get("next_page_token").isNull()) {
          break;
        }
        if (page.get("stop_reason").asText().equals("deadline")) {
          assertThat(page.get("complete").asBoolean()).isFalse();
          cut = true;
        }
        next = address + "&page_token=" + page.get("next_page_token").asText();
      }
      assertThat(cut).isTrue();
      assertThat(rows).hasSize(9_000).doesNotHaveDuplicates();
    }
  }

  @Test
  void bucketThatTakesTooLongIsAProblem() {
    try (TestNode node = node()) {
      fill(node, 30_000);
      PlainClient.Reply reply =
          node.get("/v1/readings?sensor_id=a&from=2024-06-01&step=1d&timeout=1ms");
      assertThat(reply.status()).isEqualTo(504);
      assertThat(reply.text()).contains("timeout=30s");
    }
  }

  /** C185: failed reads close what they opened; the answer is a problem, never half an answer. */
  @Test
  void storeThatClosesUnderAReadIsAProblem() {
    try (TestNode node = node()) {
      fill(node, 100);
      node.partition(0).state(io.varve.storage.StoreState.CLOSED);
      assertThat(node.get("/v1/readings?sensor_id=a&limit=100").status()).isEqualTo(503);
    }
  }

  @Test
  void stoppingFinishesTheAnswerInFlight() throws Exception {
    try (TestNode node = node()) {
      fill(node, 100);
      CountDownLatch inFlight = new CountDownLatch(1);
      CountDownLatch stopping = new CountDownLatch(1);
      node.beforeRead(
          () -> {
            inFlight.countDown();
            awaitUninterrupted(stopping);
          });
      try (PlainClient client = new PlainClient(node.port())) {
        client.sendBytes(request(HEAVY));
        assertThat(inFlight.await(10, TimeUnit.SECONDS)).isTrue();
        node.server().stopAccepting();
        stopping.countDown();
        assertThat(client.read(false).status()).isEqualTo(200);
      }
      assertThatThrownBy(() -> new PlainClient(node.port())).isInstanceOf(IOException.class);
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] request(String address) {
    return ("GET " + address + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private static int openCursors(TestNode node) {
    return IntStream.range(0, 4).map(i -> node.partition(i).openCursors()).sum();
  }
}
