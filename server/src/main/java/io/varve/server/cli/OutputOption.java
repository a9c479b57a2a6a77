package io.varve.server.cli;

import io.varve.server.client.JsonTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option {@code -o} and what it decides. */
@Command
final class OutputOption {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "${COMPLETION-CANDIDATES}. Default: table on a terminal, else json.")
  private Optional<OutputFormat> format = Optional.empty();

  OutputFormat format() {
    return format.orElse(Terminal.stdout() ? OutputFormat.table : OutputFormat.json);
  }

  /** Opens a printer of records that all have the same columns. */
  RecordPrinter records(PrintWriter out, List<String> columns) {
    return switch (format()) {
      case table -> new RecordPrinter.Table(out, columns);
      case json -> new RecordPrinter.Json(out, columns);
      case csv -> new RecordPrinter.Csv(out, columns);
    };
  }

  /** Prints one tree: as it is in JSON, else a line for each leaf. */
  void printFacts(PrintWriter out, Map<String, ?> tree) {
    if (format() == OutputFormat.json) {
      try {
        JsonTree.Printer json = new JsonTree.Printer(out, true);
        json.write(tree);
        json.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      out.println();
      out.flush();
      return;
    }
    Map<String, Object> leaves = new LinkedHashMap<>();
    flatten("", tree, leaves);
    try (RecordPrinter printer = records(out, List.of("name", "value"))) {
      leaves.forEach((name, value) -> printer.print(Map.of("name", name, "value", value)));
    }
  }

  private static void flatten(String path, Object node, Map<String, Object> leaves) {
    if (node instanceof Map<?, ?> map) {
      map.forEach(
          (name, value) -> flatten(path.isEmpty() ? "" + name : path + "." + name, value, leaves));
    } else if (node instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        flatten(path + "." + i, list.get(i), leaves);
      }
    } else {
      leaves.put(path, node);
    }
  }
}
