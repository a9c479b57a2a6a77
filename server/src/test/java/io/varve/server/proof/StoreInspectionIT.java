package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that runs tells of its stores what its files tell once it has stopped. */
class StoreInspectionIT {
  private static final long FIRST_DAY = 1_717_200_000_000_000L; // 2024-06-01
  private static final long DAY = 86_400_000_000L;
  private static final long SECOND = 1_000_000L;
  private static final int DAYS = 2;
  private static final int SENSORS = 10;
  private static final Duration COMMAND = Duration.ofSeconds(120);

  @Test
  void runningNodeTellsWhatItsFilesTell(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"), "--partitions", "2");
    List<List<String>> running = new ArrayList<>();
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      long sent = fill(feed);
      node.client.awaitConsumed(sent, Duration.ofSeconds(60));
      String url = "http://127.0.0.1:" + setup.httpPort();
      // The first day in tight form and closed, the second as it was written.
      assertThat(node.client.post("/v1/store/compact", "").status()).isEqualTo(200);
      for (String command : new String[] {"ls", "stats", "histograms"}) {
        running.add(lines(command, "--node", url));
      }
      ChildCommand.Outcome refused = ChildCommand.run(COMMAND, "store", "verify", "--node", url);
      assertThat(refused.exitCode()).isEqualTo(2);
      assertThat(refused.err()).contains("change while they are read", "stop the node");
      node.stop();
    }
    String data = setup.data().toString();
    List<String> ls = lines("ls", "--data", data);
    assertThat(column(running.get(0), "partitions")).isEqualTo(column(ls, "partitions"));
    assertThat(column(running.get(0), "rows")).isEqualTo(column(ls, "rows"));
    assertThat(column(running.get(0), "form")).isEqualTo(column(ls, "form"));
    assertThat(lines("stats", "--data", data))
        .contains(lineOf(running.get(1), "rows"), lineOf(running.get(1), "partitions"))
        .contains(lineOf(running.get(1), "days_by_form.tight"))
        .contains(lineOf(running.get(1), "arrival.late"));
    assertThat(running.get(1)).anyMatch(line -> line.startsWith("by_day.1.bytes_a_row,"));
    assertThat(running.get(2)).isEqualTo(lines("histograms", "--data", data));
  }

  /** Some sensors with more rows than others, and some late ones; returns how many in all. */
  private static long fill(Feed feed) {
    long sent = 0;
    for (int day = 0; day < DAYS; day++) {
      for (int s = 0; s < SENSORS; s++) {
        for (int i = 0; i < 40 * s + 3; i++) {
          feed.reading("inspected/" + s, FIRST_DAY + day * DAY + (i + 1) * SECOND, i);
          sent++;
        }
        feed.reading("inspected/" + s, FIRST_DAY + day * DAY, -1);
        sent++;
      }
    }
    feed.flush();
    return sent;
  }

  private static List<String> lines(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("store"));
    all.addAll(Arrays.asList(arguments));
    all.addAll(List.of("-o", "csv"));
    ChildCommand.Outcome outcome = ChildCommand.run(COMMAND, all.toArray(String[]::new));
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    return outcome.out().lines().toList();
  }

  private static String lineOf(List<String> lines, String name) {
    return lines.stream().filter(line -> line.startsWith(name + ",")).findFirst().orElseThrow();
  }

  private static List<String> column(List<String> lines, String name) {
    int index = Arrays.asList(lines.get(0).split(",", -1)).indexOf(name);
    assertThat(index).as("column %s in %s", name, lines.get(0)).isNotNegative();
    return lines.stream().map(line -> line.split(",", -1)[index]).toList();
  }
}
