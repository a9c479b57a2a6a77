package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts and stops as an operator sees them: exit codes, and messages that say what to change. */
class LifecycleIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void freshFolderServesStopsCleanlyAndStartsAgain(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    try (NodeProcess node = setup.start()) {
      JsonNode unknown = node.client.readings("nobody", "");
      assertThat(unknown.path("known").asBoolean(true)).isFalse();
      assertThat(unknown.path("rows")).isEmpty();
      assertThat(setup.data().resolve("store")).isDirectory();
      assertThat(setup.data().resolve("broker")).isDirectory();
      try (Feed feed = new Feed(setup.bootstrap())) {
        feed.reading("plant-3/temp", Poison.NOON, 21.5);
        feed.flush();
      }
      node.client.awaitConsumed(1, SOON);
      secondNodeIsRefused(setup);
      assertThat(node.client.statusOf("/ready")).isEqualTo(200);
      node.stop();
      stopsStepByStep(node.log());
    }
    try (NodeProcess again = setup.start()) {
      assertThat(again.client.allRows("plant-3/temp", "desc", 10))
          .containsExactly(new Row(Poison.NOON, 0, 21.5));
      again.stop();
    }
  }

  /** C175, with the first node long up. */
  private static void secondNodeIsRefused(NodeProcess.Setup setup) throws Exception {
    NodeProcess.Setup other = NodeProcess.Setup.in(setup.data());
    try (NodeProcess second = other.launch()) {
      assertThat(second.awaitExit(SOON)).isNotZero();
      assertThat(second.log()).contains(setup.data().toString()).doesNotContain("\tat ");
    }
  }

  private static void stopsStepByStep(String log) {
    List<String> steps = log.lines().filter(l -> !l.isBlank()).toList();
    assertThat(steps.size()).as("lines\n%s", log).isLessThan(60);
    assertThat(log).doesNotContain("\tat ").doesNotContain("ERROR");
    assertThat(log.toLowerCase(java.util.Locale.ROOT)).contains("stop");
  }

  /** C175. */
  @Test
  void ofTwoNodesStartedAtOnceOneRuns(@TempDir Path folder) throws Exception {
    NodeProcess.Setup one = NodeProcess.Setup.in(folder.resolve("data"));
    NodeProcess.Setup two = NodeProcess.Setup.in(folder.resolve("data"));
    try (NodeProcess first = one.launch();
        NodeProcess second = two.launch()) {
      await("one of two ends").atMost(SOON).until(() -> first.alive() != second.alive());
      NodeProcess loser = first.alive() ? second : first;
      NodeProcess winner = first.alive() ? first : second;
      assertThat(loser.awaitExit(SOON)).isNotZero();
      assertThat(loser.log()).contains(one.data().toString());
      winner.awaitReady(NodeProcess.START);
      winner.stop();
    }
  }

  @Test
  void takenPortIsNamedWithItsFlag(@TempDir Path folder) throws Exception {
    for (String flag : List.of("--http-port", "--broker-port")) {
      NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data" + flag));
      int port = flag.equals("--http-port") ? setup.httpPort() : setup.brokerPort();
      try (ServerSocket taken = new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
          NodeProcess node = setup.launch()) {
        assertThat(taken.isBound()).isTrue();
        assertThat(node.awaitExit(SOON)).isEqualTo(1);
        assertThat(node.log())
            .contains(flag, "" + port, "taken")
            .doesNotContain("\tat ", "ERROR", "jetty");
        assertThat(node.log().lines().count()).isLessThanOrEqualTo(7);
      }
    }
  }

  @Test
  void unreachableBrokerIsNamed(@TempDir Path folder) throws Exception {
    String nobody = "127.0.0.1:" + Proof.freePort();
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"), "-b", nobody);
    try (NodeProcess node = setup.launch()) {
      int exit = node.awaitExit(Duration.ofSeconds(60));
      assertThat(exit).as(node.log()).isEqualTo(4);
      assertThat(node.log()).contains(nobody).doesNotContain("\tat ");
    }
  }
}
