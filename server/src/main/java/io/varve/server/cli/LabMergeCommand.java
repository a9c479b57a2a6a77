package io.varve.server.cli;

import io.varve.load.http.VarveAdmin;
import io.varve.load.http.VarveTarget;
import io.varve.load.lab.MergeCell;
import io.varve.load.lab.MergeLab;
import io.varve.load.lab.MergePlan;
import io.varve.load.report.LabMerge;
import io.varve.load.report.LabMergeTree;
import io.varve.load.target.QueryException;
import io.varve.load.target.TargetException;
import io.varve.server.node.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve lab merge}: what the latest rows cost over shards and days. */
@Command(
    name = "merge",
    sortOptions = false,
    description =
        "What does \"latest 100 of a sensor\" cost when its rows are spread over shards and days?"
            + " Sparse and dense sensors in a node of its own, which is deleted at the end.",
    footer = {
      "",
      "Every answer is compared with the rows that the seed makes; one that is wrong or",
      "partial ends in exit code 1."
    })
final class LabMergeCommand implements Callable<Integer> {
  private static final int LATEST = 100;
  private static final int MOST_DAYS = 3_650;
  private static final int MOST_ROWS = 1_000_000;

  @Option(
      names = "--shards",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "1,2,4,8,16,32,64",
      description = "Shards of a sensor: powers of two up to 64. Default: ${DEFAULT-VALUE}")
  private List<Integer> shards = List.of();

  @Option(
      names = "--days",
      paramLabel = "N,…",
      split = ",",
      defaultValue = "1,7,30,365",
      description = "Days that a sensor has rows on. Default: ${DEFAULT-VALUE}")
  private List<Integer> days = List.of();

  @Option(
      names = "--dense-rows",
      paramLabel = "N",
      defaultValue = "10000",
      description =
          "Rows of a dense sensor's newest day; each older day has a fortieth."
              + " Default: ${DEFAULT-VALUE}")
  private int denseRows;

  @Option(
      names = "--sparse-rows",
      paramLabel = "N",
      defaultValue = "4",
      description = "Rows of each day of a sparse sensor. Default: ${DEFAULT-VALUE}")
  private int sparseRows;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "300",
      description = "Measured questions to each sensor. Default: ${DEFAULT-VALUE}")
  private int repetitions;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Decides times and values. Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write lab-merge.html, with drawings, and lab-merge.json there.")
  private Optional<Path> report = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure {
    long began = System.nanoTime();
    MergePlan plan = plan();
    Verbosity.quietClients();
    Verbosity.quietNode();
    LiveLine line = new LiveLine(spec.commandLine().getErr(), Terminal.stderr());
    try {
      List<MergeCell> cells = run(plan, line);
      line.end();
      Map<String, Object> tree =
          LabMergeTree.of(
              plan, cells, "varve " + Version.varve(), (System.nanoTime() - began) / 1e9);
      if (report.isPresent()) {
        LabMerge.write(report.get(), tree);
      }
      print(tree);
      return cells.stream().anyMatch(cell -> cell.fault().isPresent())
          ? ExitCode.FAILED
          : ExitCode.OK;
    } catch (TargetException | QueryException | IOException e) {
      line.end();
      throw TemporaryNode.noResult("lab", e);
    }
  }

  private MergePlan plan() throws CommandFailure {
    for (int count : shards) {
      if (count < 1 || count > 64 || Integer.bitCount(count) != 1) {
        throw LoadNumbers.usage(
            "--shards takes powers of two up to 64: got=" + count, "--shards 1,8,64");
      }
    }
    for (int count : days) {
      within("--days", count, MOST_DAYS);
    }
    within("--dense-rows", denseRows, MOST_ROWS);
    within("--sparse-rows", sparseRows, MOST_ROWS);
    within("--repetitions", repetitions, MOST_ROWS);
    return new MergePlan(shards, days, denseRows, sparseRows, LATEST, repetitions, seed);
  }

  private static void within(String option, int count, int most) throws CommandFailure {
    if (count < 1 || count > most) {
      throw LoadNumbers.usage(option + " must be 1 to " + most + ": got=" + count, option + " 10");
    }
  }

  private static List<MergeCell> run(MergePlan plan, LiveLine line)
      throws CommandFailure, TargetException, QueryException, IOException {
    line.show("lab: starting a node", System.nanoTime());
    StopSignal stop = StopSignal.install();
    try (TemporaryNode node = TemporaryNode.start(stop)) {
      VarveTarget target = node.ready();
      try (VarveAdmin admin = new VarveAdmin(node.url())) {
        return new MergeLab(
                plan,
                target,
                admin::split,
                () -> stop.await(Duration.ZERO),
                what -> line.show("lab: " + what, System.nanoTime()))
            .run();
      }
    }
  }

  private void print(Map<String, Object> tree) {
    if (output.format() != OutputFormat.table) {
      output.printFacts(tree);
      return;
    }
    output.printRecords(tree, "cells", LabMergeTree.COLUMNS);
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.println(
        tree.get("program")
            + ", "
            + tree.get("seconds")
            + " s in all, seed "
            + tree.get("seed")
            + "; answers judged: "
            + tree.get("verdict"));
    for (String name : List.of("faults", "notes")) {
      if (tree.get(name) instanceof List<?> lines) {
        lines.forEach(text -> out.println(name.replaceFirst("s$", ": ") + text));
      }
    }
    out.flush();
  }
}
