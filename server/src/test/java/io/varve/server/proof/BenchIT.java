package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A small bench of a real node ends by itself, is found clean, and leaves nothing behind. */
class BenchIT {
  @Test
  void benchMeasuresANodeOfItsOwnAndLeavesNothing(@TempDir Path temporary) throws Exception {
    ChildCommand.Outcome outcome =
        ChildCommand.run(
            Duration.ofMinutes(4),
            List.of("-Djava.io.tmpdir=" + temporary),
            "bench",
            "--readings=10k",
            "--rate=1k",
            "--for=1s",
            "-o",
            "json");
    assertThat(outcome.exitCode()).as("%s%n%s", outcome.out(), outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("\"form\" : \"varve-bench/1\"", "\"verdict\" : \"clean\"", "\"query-walk\" : {");
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .noneMatch(name -> name.startsWith("varve-node-"));
    }
  }
}
