package io.varve.server.cli;

import io.varve.load.report.Comparison;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code varve report compare}: two results of loads side by side. */
@Command(name = "compare", description = "Sets two results of varve load --report side by side.")
final class ReportCompareCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "A.json", description = "The result compared with.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path a;

  @Parameters(index = "1", paramLabel = "B.json", description = "The result compared.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path b;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure {
    Comparison comparison = Comparison.of(read(a), read(b));
    try (RecordPrinter table = output.records(List.of("figure", "a", "b", "b/a"))) {
      comparison.rows().forEach(table::print);
    }
    comparison.warnings().forEach(output::note);
    return ExitCode.OK;
  }

  private static Map<String, Object> read(Path file) throws CommandFailure {
    if (!Files.isRegularFile(file)) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND, "no such file: file=" + file, "", "name load.json of a report");
    }
    try {
      return Comparison.read(file);
    } catch (IOException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          "not a result of a load: file=" + file,
          String.valueOf(e.getMessage()),
          "name load.json of a folder that varve load --report wrote",
          e);
    }
  }
}
