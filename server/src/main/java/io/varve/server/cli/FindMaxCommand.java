package io.varve.server.cli;

import io.varve.load.fleet.Knob;
import io.varve.load.fleet.KnobText;
import io.varve.load.fleet.Profile;
import io.varve.load.report.FindMaxFiles;
import io.varve.load.report.FindMaxTree;
import io.varve.load.search.FindMax;
import io.varve.load.search.Objective;
import io.varve.load.search.SearchPlan;
import io.varve.load.search.SearchResult;
import io.varve.load.search.Step;
import io.varve.load.target.TargetException;
import io.varve.server.node.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve find-max}: the highest rate at which a node is fresh and fast enough. */
@Command(
    name = "find-max",
    sortOptions = false,
    modelTransformer = KnobOptions.class,
    description =
        "Looks for the highest rate of a simulated fleet at which a running node meets an"
            + " objective: doubling, then halving what is between. --rate is where it begins."
            + " Exit code 1 when no rate meets it.")
final class FindMaxCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private FleetOptions what;

  @Option(
      names = "--visible-p99",
      paramLabel = "TIME",
      defaultValue = "100ms",
      description = "Longest p99 from produce to visible. Default: ${DEFAULT-VALUE}")
  private String visible = "";

  @Option(
      names = "--latest-p99",
      paramLabel = "TIME",
      defaultValue = "5ms",
      description =
          "Longest p99 of an answer with the newest 100 rows of a sensor. Default:"
              + " ${DEFAULT-VALUE}")
  private String latest = "";

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long each rate is measured. Default: ${DEFAULT-VALUE}")
  private String duration = "";

  @Option(
      names = "--within",
      paramLabel = "SHARE",
      defaultValue = "5%",
      description = "How close to come. Default: ${DEFAULT-VALUE}")
  private String resolution = "";

  @Option(
      names = "--highest",
      paramLabel = "N",
      defaultValue = "4M",
      description = "Highest rate to try. Default: ${DEFAULT-VALUE}")
  private String highest = "";

  @Option(
      names = "--repeats",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Searches; those after the first begin where it ended, and show the spread. Default:"
              + " ${DEFAULT-VALUE}")
  private String repeats = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the first rate; each further one has the next. Default: 1")
  private long seed;

  @Option(
      names = "--markers",
      paramLabel = "TIME",
      defaultValue = "20ms",
      description =
          "Time between readings by which visibility is measured. Default: ${DEFAULT-VALUE}")
  private String markers = "";

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "50",
      description = "Queries a second, of five kinds in turn. Default: ${DEFAULT-VALUE}")
  private double queries;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TargetOptions where;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write find-max.html and find-max.json there.")
  private Optional<Path> report = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Verbosity.quietClients();
    SearchPlan plan = plan();
    LiveLine line = new LiveLine(spec.commandLine().getErr(), Terminal.stderr());
    FindMax search =
        new FindMax(
            plan,
            where.target(),
            step -> line.show(text(step), System.nanoTime()),
            (rate, now) ->
                line.show(
                    String.format(Locale.ROOT, "find-max: %,d/s   ", rate) + LoadProgress.text(now),
                    System.nanoTime()));
    StopSignal.install().whenWished(search::stop);
    SearchResult result;
    try {
      result = search.run();
      if (report.isPresent()) {
        FindMaxFiles.write(report.get(), result);
      }
    } catch (TargetException e) {
      return TargetOptions.end(e, output);
    } catch (IOException e) {
      throw TargetOptions.noReport(e);
    }
    line.end();
    print(result);
    return result.median() > 0 ? ExitCode.OK : ExitCode.FAILED;
  }

  private static String text(Step step) {
    return String.format(
        Locale.ROOT,
        "find-max: %,.0f/s %s",
        step.figures().askedPerSecond(),
        step.met() ? "meets it" : "does not: " + String.join("; ", step.misses()));
  }

  private void print(SearchResult result) {
    Map<String, Object> tree = FindMaxTree.of(result);
    if (output.format() == OutputFormat.json) {
      output.printFacts(tree);
      return;
    }
    try (RecordPrinter table = output.records(FindMaxTree.COLUMNS)) {
      result.steps().forEach(step -> table.print(FindMaxTree.row(step)));
    }
    if (output.format() != OutputFormat.table) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%nhighest rate that meets it: %,d/s; each search: %s%n",
        result.median(),
        result.found());
    if (result.unlimited()) {
      out.println("the highest rate allowed met it: raise --highest");
    }
    result.limitedBy().forEach(why -> out.println("limited by: " + why));
    out.flush();
  }

  private SearchPlan plan() throws CommandFailure {
    Profile fleet = what.fleet();
    OptionalDouble close = KnobText.share(resolution);
    if (close.isEmpty() || close.getAsDouble() < 0.001) {
      throw LoadNumbers.usage(
          "--within must be a share of at least 0.1%: got=" + resolution, "--within 5%");
    }
    long most = LoadNumbers.count("--highest", highest);
    if (fleet.count(Knob.RATE) > most) {
      throw LoadNumbers.usage(
          "--highest must not be below --rate: got=" + highest, "--rate 10k --highest 4M");
    }
    if (!(queries > 0 && queries <= 100_000)) {
      throw LoadNumbers.usage(
          "--queries must be above 0, to 100000: got=" + queries, "--queries 50");
    }
    long every = LoadNumbers.nanos("--markers", markers);
    if (every == 0) {
      throw LoadNumbers.usage("--markers must be above 0s: got=" + markers, "--markers 20ms");
    }
    return new SearchPlan(
        fleet,
        seed,
        new Objective(
            LoadNumbers.nanos("--visible-p99", visible), LoadNumbers.nanos("--latest-p99", latest)),
        fleet.count(Knob.RATE),
        most,
        close.getAsDouble(),
        (int) Math.min(100, LoadNumbers.count("--repeats", repeats)),
        what.warmUpNanos(),
        LoadNumbers.nanos("--for", duration),
        every,
        queries,
        what.patienceNanos(),
        "varve " + Version.varve());
  }
}
