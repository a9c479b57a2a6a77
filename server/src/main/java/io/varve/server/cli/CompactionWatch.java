package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.server.client.NodeRequestException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Shows on stderr how far a node is with a compaction, on a thread of its own, until closed. */
final class CompactionWatch implements AutoCloseable {
  private static final long ASK_MILLIS = 500;

  private final NodeClient client;
  private final LiveLine line;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::watch, "compaction-watch");

  private CompactionWatch(NodeClient client, LiveLine line) {
    this.client = client;
    this.line = line;
  }

  /** Starts to ask; what is done within half a second is not spoken of. */
  static CompactionWatch start(NodeClient client, PrintWriter err, boolean terminal) {
    CompactionWatch watch = new CompactionWatch(client, new LiveLine(err, terminal));
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  private void watch() {
    try {
      while (!closed.await(ASK_MILLIS, TimeUnit.MILLISECONDS)) {
        show(client.get("/v1/status", Map.of()));
      }
    } catch (NodeRequestException e) {
      // The command waits for an answer of the same node, and tells what becomes of it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    line.end();
  }

  private void show(Map<String, Object> status) {
    if (closed.getCount() > 0 && status.get("compaction") instanceof Map<?, ?> compaction) {
      line.show(
          "varve: compacting: days="
              + compaction.get("days_done")
              + " of="
              + compaction.get("days"),
          System.nanoTime());
    }
  }

  /** Ends the line, so that what is printed next has its own. */
  @Override
  public void close() throws InterruptedException {
    closed.countDown();
    thread.interrupt(); // it may wait for an answer that a node in trouble owes
    thread.join();
  }
}
