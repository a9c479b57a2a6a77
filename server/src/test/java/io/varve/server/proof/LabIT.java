package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lab of pages puts its model's rows into a real node and reads that node's own counters. */
class LabIT {
  @Test
  void pagesOfARealNodeAreCountedBesideTheModel(@TempDir Path temporary) throws Exception {
    Path report = temporary.resolve("report");
    ChildCommand.Outcome outcome =
        ChildCommand.run(
            Duration.ofMinutes(10),
            List.of("-Djava.io.tmpdir=" + temporary),
            "lab",
            "pages",
            "--seeds=1",
            "--year-keys=20",
            "--report=" + report,
            "-o",
            "csv");
    assertThat(outcome.exitCode()).as("%s%n%s", outcome.out(), outcome.err()).isZero();
    assertThat(Files.readString(report.resolve("lab-pages.json")))
        .contains("\"latest 20, one day\"", "\"published\" : 19.99");
    assertThat(outcome.out())
        .contains("store.0.rows,20.0", "store.0.blocks,1.0", "store.0.rows_decoded,20.0");
    assertThat(report.resolve("lab-pages.html")).content().contains("<svg", "March");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("varve-node-"));
    }
  }
}
