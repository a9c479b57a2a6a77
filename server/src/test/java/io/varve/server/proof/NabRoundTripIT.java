package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of real series go in by {@code varve put} and come back row for row and bit for bit.
 *
 * <p>In the gate pages of 7 are asked of the small files only, as 89 000 answers take a while.
 */
class NabRoundTripIT {
  private static final int PAGES_OF_SEVEN_IN_THE_GATE = 2_700;

  @Test
  void bundledSeriesComeBackRowForRow(@TempDir Path folder) throws Exception {
    List<CsvSeries> series = CsvSeries.below(Path.of("src/test/resources/proof/csv"));
    assertThat(series).hasSize(2);
    assertThat(series.stream().flatMap(s -> s.rows().stream()).filter(r -> r.sequence() > 0))
        .as("lines that repeat an instant")
        .isNotEmpty();
    roundTrip(series, folder);
  }

  @Test
  void nabSeriesComeBackRowForRow(@TempDir Path folder) throws Exception {
    Optional<Path> nab = Proof.sharedData("nab");
    assumeTrue(nab.isPresent(), "shared/data/nab is not beside the project");
    List<CsvSeries> series = CsvSeries.below(nab.get());
    assertThat(series).hasSize(41);
    assertThat(series.stream().mapToInt(s -> s.rows().size()).sum()).isEqualTo(311_596);
    assertThat(
            series.stream()
                .flatMap(s -> s.rows().stream())
                .map(r -> Math.floorDiv(r.timestampMicros(), 86_400_000_000L))
                .distinct())
        .hasSize(694);
    roundTrip(series, folder);
  }

  private void roundTrip(List<CsvSeries> series, Path folder) throws Exception {
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(folder.resolve("data"))
            .withJvmFlags("-Duser.timezone=America/Los_Angeles");
    try (NodeProcess node = setup.start()) {
      long total = series.stream().mapToLong(s -> s.rows().size()).sum();
      long putStarted = System.nanoTime();
      put(setup, series, total);
      node.client.awaitConsumed(total, Duration.ofSeconds(60));
      double seconds = (System.nanoTime() - putStarted) / 1e9;
      assertThat(node.client.ledger()).isEqualTo(new NodeClient.Ledger(total, 0, 0, 0, 0));
      sensorsAreListed(node, series);
      for (CsvSeries one : series) {
        comesBack(node, one, 10_000);
        comesBack(node, one, 100);
        if (Proof.FULL || one.rows().size() <= PAGES_OF_SEVEN_IN_THE_GATE) {
          comesBack(node, one, 7);
        }
      }
      comesBack(node, smallest(series), 1);
      long bytes = Proof.bytesBelow(setup.data().resolve("store"));
      System.out.printf(
          "round trip: files=%d rows=%d put_and_visible=%.1fs store=%.1fMB%n",
          series.size(), total, seconds, bytes / 1e6);
      assertThat(bytes).as("bytes of the store").isLessThanOrEqualTo(200_000_000);
      node.stop();
    }
  }

  private static void put(NodeProcess.Setup setup, List<CsvSeries> series, long total)
      throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.add("put");
    series.forEach(s -> arguments.add(s.file().toString()));
    arguments.addAll(List.of("--sensor-from-name", "-b", setup.bootstrap()));
    ChildCommand.Outcome outcome =
        ChildCommand.run(
            Duration.ofSeconds(120),
            List.of("-Duser.timezone=Asia/Kolkata"),
            arguments.toArray(String[]::new));
    assertThat(outcome.exitCode()).as("%s\n%s", outcome.out(), outcome.err()).isZero();
    assertThat((outcome.out() + outcome.err()).replaceAll("[ ,_]", ""))
        .as("the summary says how many")
        .contains("" + total);
  }

  private static void sensorsAreListed(NodeProcess node, List<CsvSeries> series) {
    NodeClient.Answer answer = node.client.get("/v1/sensors?limit=1000");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    List<String> listed = new ArrayList<>();
    for (JsonNode sensor : answer.json().path("sensors")) {
      listed.add(sensor.path("sensor_id").asText() + " " + sensor.path("rows").asLong());
    }
    assertThat(listed)
        .containsExactlyInAnyOrderElementsOf(
            series.stream().map(s -> s.sensor() + " " + s.rows().size()).toList());
  }

  private static void comesBack(NodeProcess node, CsvSeries series, int limit) {
    assertSame(node.client.allRows(series.sensor(), "asc", limit), series.rows(), series, limit);
    List<Row> newestFirst = new ArrayList<>(series.rows());
    Collections.reverse(newestFirst);
    assertSame(node.client.allRows(series.sensor(), "desc", limit), newestFirst, series, limit);
  }

  private static void assertSame(List<Row> got, List<Row> want, CsvSeries series, int limit) {
    if (!got.equals(want)) {
      assertThat(got).as("%s by pages of %d", series.sensor(), limit).isEqualTo(want);
    }
  }

  private static CsvSeries smallest(List<CsvSeries> series) {
    return Collections.min(series, Comparator.comparingInt(s -> s.rows().size()));
  }
}
