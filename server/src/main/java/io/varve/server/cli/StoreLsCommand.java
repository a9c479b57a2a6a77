package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.storage.inspect.DayReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve store ls}: what each day of a node takes. */
@Command(
    name = "ls",
    description = "Lists the days of a node's stores and what they take.",
    footer = {
      "",
      "form: live (plain blocks), tight (all sealed), rewriting (cut short), damaged.",
      "files: not told by a node that runs (--node).",
      "clean: whether an index says truly that every change is on disk."
    })
final class StoreLsCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of(
          "topic_partition",
          "day",
          "rows",
          "partitions",
          "files",
          "bytes",
          "bytes_a_row",
          "form",
          "clean");

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StoreFilesOption files;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Optional<NodeClient> node = files.node();
    if (node.isPresent()) {
      Map<String, Object> stats = StoreFilesOption.stats(node.get(), true);
      try (RecordPrinter printer = output.records(COLUMNS)) {
        StoreFilesOption.records(stats, "segments").forEach(printer::print);
        if (output.format() == OutputFormat.table) {
          printer.print(total(stats));
        }
      }
      return ExitCode.OK;
    }
    List<Map<String, Object>> records = new ArrayList<>();
    Totals totals = new Totals();
    files.walk(
        day -> {
          totals.add(day);
          records.add(record(day));
          day.findings().stream().map(StoreFilesOption::text).forEach(output::note);
        });
    if (output.format() == OutputFormat.table) {
      records.add(totals.record());
    }
    try (RecordPrinter printer = output.records(COLUMNS)) {
      records.forEach(printer::print); // only now: a folder in use must not look like an empty one
    }
    StoreFilesOption.noteDamage(output, totals.damaged);
    return ExitCode.OK;
  }

  private static Map<String, Object> total(Map<String, Object> stats) {
    Map<String, Object> total = new LinkedHashMap<>(stats);
    total.put("topic_partition", "total");
    total.put("day", stats.get("days") + " days");
    return total;
  }

  private static Map<String, Object> record(DayReport day) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("topic_partition", day.topicPartition());
    record.put("day", StoreFilesOption.date(day.day()));
    put(record, day.rows(), day.partitions().size(), day.files(), day.bytes());
    record.put("form", day.form().name().toLowerCase(Locale.ROOT));
    record.put("clean", day.clean() ? "yes" : "no");
    return record;
  }

  private static void put(
      Map<String, Object> record, long rows, long partitions, long files, long bytes) {
    record.put("rows", rows);
    record.put("partitions", partitions);
    record.put("files", files);
    record.put("bytes", bytes);
    record.put("bytes_a_row", bytesPerRow(bytes, rows));
  }

  /** With two decimals; none where there are no rows. */
  static Object bytesPerRow(long bytes, long rows) {
    return rows == 0 ? Optional.empty() : Math.round(100.0 * bytes / rows) / 100.0;
  }

  private static final class Totals {
    private long rows;
    private long partitions;
    private long files;
    private long bytes;
    private long days;
    private long clean;
    private long damaged;

    void add(DayReport day) {
      days++;
      rows += day.rows();
      partitions += day.partitions().size();
      files += day.files();
      bytes += day.bytes();
      clean += day.clean() ? 1 : 0;
      damaged += day.damaged() ? 1 : 0;
    }

    Map<String, Object> record() {
      Map<String, Object> record = new LinkedHashMap<>();
      record.put("topic_partition", "total");
      record.put("day", days + " days");
      put(record, rows, partitions, files, bytes);
      record.put("clean", clean + " of " + days);
      return record;
    }
  }
}
