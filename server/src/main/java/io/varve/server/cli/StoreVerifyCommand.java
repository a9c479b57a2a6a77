package io.varve.server.cli;

import io.varve.storage.engine.InspectedDay;
import io.varve.storage.engine.StoreInspector;
import io.varve.storage.inspect.DayReport;
import io.varve.storage.inspect.Finding;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve store verify}: checks all that a stopped node's stores hold. */
@Command(
    name = "verify",
    description = "Checks every checksum, order and index of a stopped node's stores.",
    footer = {
      "",
      "Exit code 1 if anything is damaged, all of which is named. A node makes damaged",
      "days again from the log. Notes are of what a start mends by itself."
    })
final class StoreVerifyCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("topic_partition", "day", "file", "finding");

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StoreFilesOption files;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure {
    files.refuseNode(
        "the files of a node that runs change while they are read, so that what is whole would look"
            + " damaged",
        "stop the node, then verify its folder with --data; while it runs it checks every block"
            + " that it opens, and makes damaged days again from the log");
    Walk walk = new Walk();
    files.walk(walk);
    walk.notes.stream().map(StoreFilesOption::text).forEach(output::note);
    if (!walk.damage.isEmpty()) {
      try (RecordPrinter printer = output.records(COLUMNS)) {
        walk.damage.forEach(each -> printer.print(record(each)));
      }
      output.note("damaged: findings=" + walk.damage.size() + " " + walk.counts());
      return ExitCode.FAILED;
    }
    output.printFacts(walk.ok());
    return ExitCode.OK;
  }

  private static Map<String, Object> record(Finding finding) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("topic_partition", finding.topicPartition());
    finding.day().ifPresent(day -> record.put("day", StoreFilesOption.date(day)));
    record.put("file", finding.file());
    record.put("finding", finding.what());
    return record;
  }

  private static final class Walk implements StoreFilesOption.Visitor {
    private final List<Finding> damage = new ArrayList<>();
    private final List<Finding> notes = new ArrayList<>();
    private long stores;
    private long days;
    private long partitions;
    private long rows;
    private long bytes;

    @Override
    public void store(StoreInspector store) throws IOException {
      stores++;
      store.findings().forEach(this::add);
    }

    @Override
    public void day(InspectedDay day) {
      DayReport report = day.report();
      days++;
      partitions += report.partitions().size();
      rows += report.rows();
      bytes += report.bytes();
      report.findings().forEach(this::add);
    }

    private void add(Finding finding) {
      (finding.damage() ? damage : notes).add(finding);
    }

    Map<String, Object> ok() {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("result", "ok");
      facts.put("topic_partitions", stores);
      facts.put("days", days);
      facts.put("partitions", partitions);
      facts.put("rows", rows);
      facts.put("bytes", bytes);
      return facts;
    }

    String counts() {
      return "topic_partitions=%d days=%d partitions=%d rows=%d"
          .formatted(stores, days, partitions, rows);
    }
  }
}
