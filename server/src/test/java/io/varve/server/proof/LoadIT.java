package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A load with everything at once finds a real node clean, also when the node, its broker with it,
 * is killed under it. In the gate some 50 000 readings and one kill; in full five million and two.
 */
class LoadIT {
  private static final String RATE = Proof.FULL ? "20k" : "3k";
  private static final String READINGS = Proof.FULL ? "5M" : "50k";
  private static final int KILLS = Proof.FULL ? 2 : 1;
  private static final Duration ATMOST = Duration.ofMinutes(Proof.FULL ? 30 : 6);

  @Test
  void killedNodeIsFoundCleanByTheLoadThatWasOn(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    Path report = folder.resolve("report");
    NodeProcess node = setup.start();
    try {
      CompletableFuture<ChildCommand.Outcome> load =
          CompletableFuture.supplyAsync(() -> load(setup, report));
      for (int kill = 1; kill <= KILLS; kill++) {
        long before = node.client.ledger().consumed();
        awaitConsumed(node, before + (Proof.FULL ? 1_000_000 : 8_000), load);
        node.kill();
        node = setup.launch();
        node.awaitReady(NodeProcess.START);
      }
      ChildCommand.Outcome outcome = load.join();
      System.out.println(outcome.out());
      assertThat(outcome.exitCode()).as("%s%n%s", outcome.out(), outcome.err()).isZero();
      assertThat(outcome.out())
          .contains("verdict: clean", "profile soak", "produce-to-visible")
          .contains("of 300 of 300 sensors");
      assertThat(Files.readString(report.resolve("load.json")))
          .contains("\"form\" : \"varve-load/1\"", "the target does not answer", "answers again");
    } finally {
      node.close();
    }
  }

  /** The same oracle on another system behind the same port. */
  @Test
  void applicationOverRocksDbIsAskedAndJudgedToo(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    try (NodeProcess node = setup.start()) {
      ChildCommand.Outcome outcome =
          ChildCommand.run(
              ATMOST,
              "load",
              "--target=streams",
              "-b",
              setup.bootstrap(),
              "--profile=late-arrivals",
              "--sensors=100",
              "--rate=2k",
              "--readings=20k",
              "--poison-share=0.1%",
              "--verify",
              "-o",
              "table");
      System.out.println(outcome.out());
      assertThat(outcome.exitCode()).as("%s%n%s", outcome.out(), outcome.err()).isZero();
      assertThat(outcome.out())
          .contains("Kafka Streams over RocksDB", "verdict: clean", "produce-to-visible");
      node.assertAlive();
    }
  }

  /** Stopped as soon as its group is known to the brokers, while the application still starts. */
  @Test
  void applicationThatIsStoppedWhileItStartsLeavesNothing(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    Path temporary = Files.createDirectory(folder.resolve("temporary"));
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    try (NodeProcess node = setup.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", setup.bootstrap()))) {
      Process load =
          ChildCommand.start(
              out,
              err,
              List.of("-Djava.io.tmpdir=" + temporary),
              "load",
              "--target=streams",
              "-b",
              setup.bootstrap());
      try {
        await("the application's group")
            .atMost(ATMOST)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> !ofStreams(admin).isEmpty());
        load.destroy();
        assertThat(load.waitFor(ATMOST.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } finally {
        load.destroyForcibly();
      }
      assertThat(load.exitValue()).as("%s", Files.readString(err)).isZero();
      assertThat(err).content().contains("stopped before anything was sent");
      assertThat(ofStreams(admin)).isEmpty();
      assertThat(admin.listTopics().names().get())
          .noneMatch(topic -> topic.startsWith("varve-load-streams-"));
      try (Stream<Path> left = Files.list(temporary)) {
        assertThat(left.map(file -> file.getFileName().toString()))
            .noneMatch(name -> name.startsWith("varve-load-streams"));
      }
      node.assertAlive();
    }
  }

  private static List<String> ofStreams(Admin admin)
      throws InterruptedException, ExecutionException {
    return admin.listGroups().all().get().stream()
        .map(GroupListing::groupId)
        .filter(id -> id.startsWith("varve-load-streams-"))
        .toList();
  }

  private static ChildCommand.Outcome load(NodeProcess.Setup setup, Path report) {
    try {
      return ChildCommand.run(
          ATMOST,
          "load",
          "-b",
          setup.bootstrap(),
          "--url",
          "http://127.0.0.1:" + setup.httpPort(),
          "--profile=soak",
          "--sensors=300",
          "--rate=" + RATE,
          "--readings=" + READINGS,
          "--poison-share=0.1%",
          "--verify",
          "--settle=120s",
          "--report=" + report,
          "-o",
          "table");
    } catch (java.io.IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitConsumed(
      NodeProcess node, long count, CompletableFuture<ChildCommand.Outcome> load) {
    await("readings of the load")
        .atMost(ATMOST)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              node.assertAlive();
              assertThat(load).as("the load is still on").isNotDone();
              return node.client.ledger().consumed() >= count;
            });
  }
}
