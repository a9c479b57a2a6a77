package io.varve.server.cli;

import io.varve.load.bench.Bench;
import io.varve.load.bench.BenchPlan;
import io.varve.load.bench.BenchResult;
import io.varve.load.http.VarveAdmin;
import io.varve.load.http.VarveTarget;
import io.varve.load.report.BenchTree;
import io.varve.load.target.TargetException;
import io.varve.server.node.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve bench}: a node of its own, all that matters of it in one table, and its end. */
@Command(
    name = "bench",
    sortOptions = false,
    description =
        "Starts a node in a temporary folder, measures it for less than a minute, and deletes it.",
    footer = {
      "",
      "Node, broker and load share this machine: the figures are those of a first look,",
      "to be compared with others of the same machine. varve load measures a node that runs."
    })
final class BenchCommand implements Callable<Integer> {
  @Option(
      names = "--readings",
      paramLabel = "N",
      defaultValue = "500k",
      description =
          "Single readings to drain from the topic; four times as many go in batches of 100."
              + " A slow machine sends fewer."
              + " Default: ${DEFAULT-VALUE}")
  private String readings = "";

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "10k",
      description =
          "Readings a second while freshness and queries are measured. Default: ${DEFAULT-VALUE}")
  private String rate = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "6s",
      description = "How long they are measured. Default: ${DEFAULT-VALUE}")
  private String duration = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Decides the readings. Default: ${DEFAULT-VALUE}")
  private long seed;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    long began = System.nanoTime();
    Verbosity.quietClients();
    Verbosity.quietNode();
    BenchPlan plan =
        new BenchPlan(
            LoadNumbers.count("--readings", readings),
            LoadNumbers.count("--rate", rate),
            LoadNumbers.nanos("--for", duration),
            seed,
            "varve " + Version.varve());
    StopSignal stop = StopSignal.install();
    LiveLine line = new LiveLine(spec.commandLine().getErr(), Terminal.stderr());
    line.show("bench: starting a node", System.nanoTime());
    try (TemporaryNode node = TemporaryNode.start(stop)) {
      BenchResult result = bench(plan, node, stop, line);
      line.end();
      print(BenchTree.of(result, (System.nanoTime() - began) / 1e9));
      return result.load().verdict().map(v -> v.clean()).orElse(false)
          ? ExitCode.OK
          : ExitCode.FAILED;
    } catch (TargetException e) {
      if (e.kind() == TargetException.Kind.STOPPED) {
        return stopped(String.valueOf(e.getMessage()), line);
      }
      throw TemporaryNode.noResult("bench", e);
    } catch (IOException e) {
      throw TemporaryNode.noResult("bench", e);
    }
  }

  private int stopped(String how, LiveLine line) {
    line.end();
    output.note(how);
    return ExitCode.OK;
  }

  private static BenchResult bench(
      BenchPlan plan, TemporaryNode node, StopSignal stop, LiveLine line)
      throws TargetException, IOException, InterruptedException {
    VarveTarget target = node.ready();
    try (VarveAdmin admin = new VarveAdmin(node.url())) {
      Bench bench =
          new Bench(plan, target, admin, stage -> line.show("bench: " + stage, System.nanoTime()));
      stop.whenWished(bench::stop);
      return bench.run();
    }
  }

  private void print(Map<String, Object> tree) {
    if (output.format() != OutputFormat.table) {
      output.printFacts(tree);
      return;
    }
    try (RecordPrinter table = output.records(BenchTree.COLUMNS)) {
      BenchTree.table(tree).forEach(table::print);
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println();
    out.printf(
        Locale.ROOT,
        "%s, %s s in all, seed %s; answers judged: %s%n",
        tree.get("program"),
        tree.get("seconds"),
        tree.get("seed"),
        tree.get("verdict"));
    if (tree.get("notes") instanceof List<?> notes) {
      notes.forEach(note -> out.println("note: " + note));
    }
    out.flush();
  }
}
