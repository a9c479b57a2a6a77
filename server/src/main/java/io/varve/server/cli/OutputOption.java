package io.varve.server.cli;

import io.varve.server.client.JsonTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option {@code -o}, what it decides, and where the command that has it writes. */
@Command
final class OutputOption {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "${COMPLETION-CANDIDATES}. Default: table on a terminal, else json.")
  private Optional<OutputFormat> format = Optional.empty();

  OutputFormat format() {
    return format.orElse(Terminal.stdout() ? OutputFormat.table : OutputFormat.json);
  }

  /** Opens a printer of records that all have the same columns. */
  RecordPrinter records(List<String> columns) {
    PrintWriter out = command.commandLine().getOut();
    return switch (format()) {
      case table -> new RecordPrinter.Table(out, columns);
      case json -> new RecordPrinter.Json(out, columns);
      case csv -> new RecordPrinter.Csv(out, columns);
    };
  }

  /** Prints the objects of one list of a tree as records of some columns. */
  void printRecords(Map<String, Object> tree, String list, List<String> columns) {
    try (RecordPrinter printer = records(columns)) {
      records(tree.getOrDefault(list, List.of())).forEach(printer::print);
    }
  }

  /** Says something about the output that is not part of it. */
  void note(String text) {
    command.commandLine().getErr().println("varve: " + text);
  }

  /**
   * Prints one tree: as it is in JSON, else a line for each leaf; in a table, lists of objects at
   * any depth are tables of their own before that.
   */
  void printFacts(Map<String, ?> tree) {
    PrintWriter out = command.commandLine().getOut();
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
    Map<String, Object> rest = new LinkedHashMap<>();
    boolean tables = format() == OutputFormat.table;
    tree.forEach((name, value) -> rest.put(name, tables ? withoutTables(name, value) : value));
    Map<String, Object> leaves = new LinkedHashMap<>();
    flatten("", rest, leaves);
    try (RecordPrinter printer = records(List.of("name", "value"))) {
      leaves.forEach((name, value) -> printer.print(Map.of("name", name, "value", value)));
    }
  }

  /** Prints the lists of objects in a tree as tables; returns what is left of it. */
  private Object withoutTables(String path, Object node) {
    List<Map<String, Object>> records = records(node);
    if (!records.isEmpty()) {
      printTable(path, records);
      command.commandLine().getOut().println();
      return List.of();
    }
    if (!(node instanceof Map<?, ?> map)) {
      return node;
    }
    Map<String, Object> rest = new LinkedHashMap<>();
    map.forEach((name, value) -> rest.put("" + name, withoutTables(path + "." + name, value)));
    return rest;
  }

  /** The objects of a list that holds nothing else; empty for any other node. */
  private static List<Map<String, Object>> records(Object node) {
    List<Map<String, Object>> records = new ArrayList<>();
    if (node instanceof List<?> list) {
      for (Object element : list) {
        if (!(element instanceof Map<?, ?> object)) {
          return List.of();
        }
        Map<String, Object> record = new LinkedHashMap<>();
        object.forEach((name, value) -> record.put("" + name, value));
        records.add(record);
      }
    }
    return records;
  }

  private void printTable(String name, List<Map<String, Object>> records) {
    Set<String> columns = new LinkedHashSet<>();
    records.forEach(record -> columns.addAll(record.keySet()));
    command.commandLine().getOut().println(name);
    try (RecordPrinter printer = records(List.copyOf(columns))) {
      records.forEach(printer::print);
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
