package io.varve.server.cli;

import io.varve.load.fleet.Knob;
import io.varve.load.report.ResultTree;
import io.varve.load.run.LoadResult;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a load found, as a table for people or a tree for programs. */
final class LoadSummary {
  private static final List<String> COLUMNS =
      List.of("milliseconds", "count", "p50", "p90", "p99", "p99.9", "p99.99", "max");

  private final OutputOption output;
  private final PrintWriter out;

  LoadSummary(OutputOption output, PrintWriter out) {
    this.output = output;
    this.out = out;
  }

  void print(LoadResult result) {
    Map<String, Object> tree = ResultTree.summary(result);
    if (output.format() != OutputFormat.table) {
      output.printFacts(tree);
      return;
    }
    try (RecordPrinter table = output.records(COLUMNS)) {
      map(tree, "latency_ms").forEach((name, value) -> table.print(row(name, value)));
      table.print(row("schedule-error", map(tree, "schedule_error_ms")));
    }
    out.println();
    lines(result, tree);
    for (Object note : (List<?>) tree.getOrDefault("notes", List.of())) {
      out.println("note: " + note);
    }
    out.flush();
  }

  private void lines(LoadResult result, Map<String, Object> tree) {
    out.println(result.target());
    out.printf(
        Locale.ROOT,
        "%s loop, profile %s, seed %d: workload %s over %,d readings and %,d bad records%n",
        tree.get("loop"),
        result.plan().profile().name(),
        result.plan().seed(),
        result.workloadHash(),
        result.readings(),
        result.poisons());
    out.printf(
        Locale.ROOT,
        "rate asked %,d/s, reached %,.0f/s; acknowledged %,d, failed %,d; markers seen %,d of %,d;"
            + " questions %,d, unanswered %,d%n",
        result.plan().profile().count(Knob.RATE),
        result.rateReached(),
        result.tally().acknowledgedReadings(),
        result.tally().failedReadings(),
        result.markersSeen(),
        result.markers(),
        result.asked(),
        result.unanswered());
    result
        .verdict()
        .ifPresent(
            verdict -> {
              out.printf(
                  Locale.ROOT,
                  "verdict: %s; read %,d rows of %,d of %,d sensors, judged %,d answers while"
                      + " loading%n",
                  verdict.word(),
                  verdict.rows(),
                  verdict.sensors(),
                  verdict.ofSensors(),
                  verdict.answers());
              verdict.notVerified().ifPresent(why -> out.println("  " + why));
              verdict
                  .counts()
                  .forEach(
                      (kind, count) -> out.printf(Locale.ROOT, "  %s: %,d%n", kind.text(), count));
              verdict.first().forEach(fault -> out.println("  " + fault));
            });
  }

  private static Map<String, Object> row(String name, Object summary) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put(COLUMNS.get(0), name);
    if (summary instanceof Map<?, ?> map) {
      map.forEach((column, value) -> row.put("" + column, value));
    }
    return row;
  }

  @SuppressWarnings("unchecked") // trees have maps by name only
  private static Map<String, Object> map(Map<String, Object> tree, String name) {
    return tree.get(name) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
