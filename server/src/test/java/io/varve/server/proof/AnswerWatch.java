package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.storage.Row;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A client that asks one sensor every 20 ms from the moment a process starts. Until the node is
 * complete it may get no answer or a 503 that says when to come back; an answer must hold all rows,
 * or the newest of them together with the word that the deadline cut it.
 */
final class AnswerWatch implements AutoCloseable {
  private final NodeClient client;
  private final String query;
  private final List<Row> want;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private volatile String fault = "";
  private final Thread thread;

  /**
   * Starts asking.
   *
   * @param want all rows of the sensor, newest first, at most a page
   */
  AnswerWatch(NodeProcess node, String sensor, List<Row> want) {
    this.client = node.client;
    this.query = "/v1/readings?ts=epoch_us&limit=10000&sensor_id=" + NodeClient.encode(sensor);
    this.want = want;
    this.thread = new Thread(this::run, "answer-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!stop.await(20, TimeUnit.MILLISECONDS) && fault.isEmpty()) {
        try {
          judge(client.get(query));
        } catch (UncheckedIOException notListening) {
          if (answers.get() > 0) {
            fail("no answer after one: " + notListening);
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      fail(e.toString());
    }
  }

  private void judge(NodeClient.Answer answer) {
    if (answer.status() == 503) {
      refusals.incrementAndGet();
      if (answer.header("Retry-After").isEmpty()) {
        fail("503 without Retry-After: " + answer.body());
      }
      return;
    }
    answers.incrementAndGet();
    if (answer.status() != 200) {
      fail(answer.status() + " " + answer.body());
      return;
    }
    List<Row> rows = NodeClient.rows(answer.json());
    boolean saysShort = answer.json().path("stop_reason").asText().equals("deadline");
    if (saysShort && !rows.isEmpty() && rows.equals(want.subList(0, rows.size()))) {
      return; // a machine too busy to answer in time, said so
    }
    if (!rows.equals(want)) {
      fail(
          "wanted %d rows, got %d after %d refusals"
              .formatted(want.size(), rows.size(), refusals.get()));
    }
  }

  private void fail(String what) {
    if (fault.isEmpty()) {
      fault = what;
    }
  }

  /** Waits for answers and fails when one was wrong. */
  void assertNeverShort() {
    int from = answers.get();
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> answers.get() >= from + 10 || !fault.isEmpty());
    assertThat(fault).isEmpty();
  }

  @Override
  public void close() throws InterruptedException {
    stop.countDown();
    thread.join(10_000);
  }
}
