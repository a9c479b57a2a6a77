package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.varve.storage.Row;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node connects to nothing but loopback: every connect of the process is traced. */
class QuietIT {
  @Test
  void nodeConnectsToLoopbackOnly(@TempDir Path folder) throws Exception {
    Path trace = folder.resolve("connects");
    List<String> strace =
        List.of(
            "strace", "-f", "-qq", "--seccomp-bpf", "-e", "trace=connect", "-o", trace.toString());
    List<String> tried = new ArrayList<>(strace);
    tried.add("true");
    assumeTrue(
        Proof.runs(tried.toArray(String[]::new)), "strace is missing or not allowed to trace");
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data")).wrappedBy(strace);
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      feed.reading("quiet", Poison.NOON, 1);
      feed.flush();
      node.client.awaitConsumed(1, Duration.ofSeconds(20));
      assertThat(node.client.allRows("quiet", "desc", 10))
          .containsExactly(new Row(Poison.NOON, 0, 1));
      assertThat(node.client.statusOf("/metrics")).isEqualTo(200);
    }
    List<String> connects =
        Files.readAllLines(trace).stream().filter(line -> line.contains("connect(")).toList();
    assertThat(connects).as("the trace sees the broker's clients").isNotEmpty();
    assertThat(connects).allMatch(QuietIT::staysHome);
  }

  /** Loopback, a socket file of this machine, or the "unspec" that resets a socket. */
  private static boolean staysHome(String connect) {
    return connect.contains("inet_addr(\"127.")
        || connect.contains("\"::1\"")
        || connect.contains("\"::ffff:127.")
        || connect.contains("AF_UNIX")
        || connect.contains("AF_UNSPEC");
  }
}
