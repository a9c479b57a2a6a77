package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The labs put their rows into a real node, read its own counters, and leave nothing behind. */
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
    assertNoNodeIsLeft(temporary);
  }

  @Test
  void latestRowsOverShardsAndDaysAreRightAndCostWhatTheMergeMust(@TempDir Path temporary)
      throws Exception {
    Path report = temporary.resolve("report");
    ChildCommand.Outcome outcome =
        ChildCommand.run(
            Duration.ofMinutes(4),
            List.of("-Djava.io.tmpdir=" + temporary),
            "lab",
            "merge",
            "--shards=1,8",
            "--days=1,30",
            "--dense-rows=2000",
            "--repetitions=3",
            "--report=" + report,
            "-o",
            "csv");
    assertThat(outcome.exitCode()).as("%s%n%s", outcome.out(), outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("verdict,clean", "cells.1.days,30", "cells.1.rows,100", "cells.1.blocks,25.0")
        .contains("cells.7.shards,8", "cells.7.fragments,8.0", "cells.7.rows_decoded,107.0");
    assertThat(report.resolve("lab-merge.html")).content().contains("<svg", "clean");
    assertThat(report.resolve("lab-merge.json")).content().contains("varve-lab-merge/1");
    assertNoNodeIsLeft(temporary);
  }

  private static void assertNoNodeIsLeft(Path temporary) throws IOException {
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("varve-node-"));
    }
  }
}
