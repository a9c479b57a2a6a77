package io.varve.server.cli;

import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profile;
import io.varve.load.fleet.Profiles;
import io.varve.load.http.VarveTarget;
import io.varve.load.report.ReportFiles;
import io.varve.load.run.LoadPlan;
import io.varve.load.run.LoadResult;
import io.varve.load.run.LoadRun;
import io.varve.load.streams.StreamsTarget;
import io.varve.load.target.Target;
import io.varve.load.target.TargetException;
import io.varve.server.node.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve load}: a simulated fleet on a running node, measured and judged. */
@Command(
    name = "load",
    sortOptions = false,
    modelTransformer = KnobOptions.class,
    description =
        "Sends a simulated fleet's readings to a node and measures it, open loop: what is due is"
            + " sent, whether the node keeps up or not. Exit code 1 when --verify finds a fault.")
final class LoadCommand implements Callable<Integer> {
  private static final long NANOS_A_SECOND = 1_000_000_000;

  /** As many as a Varve node has on two cores. */
  private static final int STREAMS_THREADS = 2;

  /** What a signal can end: the sending, then the judging. */
  private static final int STAGES = 2;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private FleetOptions what;

  @Option(
      names = "--print-profile",
      description = "Print the text of the profile, to begin a file of one's own with, and end.")
  private boolean printProfile;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "How long to send and measure. Default: 30s, or as long as --readings take")
  private Optional<String> duration = Optional.empty();

  @Option(names = "--readings", paramLabel = "N", description = "Send so many readings.")
  private Optional<String> readings = Optional.empty();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Decides all that the profile leaves open; the same seed gives the same readings."
              + " Default: ${DEFAULT-VALUE}")
  private long seed;

  @Option(names = "--verify", description = "Judge answers: lost, repeated, altered rows and more.")
  private boolean verify;

  @Option(
      names = "--verify-sample",
      paramLabel = "N",
      description = "Read only so many sensors whole at the end. Default: all")
  private Optional<String> verifySample = Optional.empty();

  @Option(
      names = "--settle",
      paramLabel = "TIME",
      defaultValue = "60s",
      description = "How long what is acknowledged may stay invisible. Default: ${DEFAULT-VALUE}")
  private String settle = "";

  @Option(
      names = "--markers",
      paramLabel = "TIME",
      defaultValue = "100ms",
      description =
          "Time between readings by which visibility is measured, 0s for none. Default:"
              + " ${DEFAULT-VALUE}")
  private String markers = "";

  @Option(
      names = "--queries",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Queries a second, of five kinds in turn; 0 for none. Default: ${DEFAULT-VALUE}")
  private double queries;

  @Option(
      names = "--closed-loop",
      description = "Wait for each answer before the next record. Hides stalls; for comparison.")
  private boolean closedLoop;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TargetOptions where;

  @Option(
      names = "--target",
      paramLabel = "NAME",
      defaultValue = "varve",
      description =
          "What is measured: varve, the node at --url; or streams, a Kafka Streams application over"
              + " RocksDB that this command runs on the same topic, for comparison. Default:"
              + " ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private LoadedSystem kind;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write load.html, load.json, load.hlog and *.hgrm there.")
  private Optional<Path> report = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Verbosity.quietClients(); // connection trouble is said by the summary
    PrintWriter out = spec.commandLine().getOut();
    if (printProfile) {
      out.print(profileText());
      out.flush();
      return ExitCode.OK;
    }
    LoadPlan plan = plan();
    VarveTarget target = where.target();
    LoadProgress progress = new LoadProgress(spec.commandLine().getErr());
    StopSignal stop = StopSignal.install(STAGES);
    LoadResult result;
    try {
      result =
          kind == LoadedSystem.streams
              ? runStreams(plan, target, progress, stop)
              : run(plan, target, progress, stop);
    } catch (TargetException e) {
      return TargetOptions.end(e, output);
    } catch (IOException e) {
      throw TargetOptions.noReport(e);
    }
    progress.end();
    new LoadSummary(output, out).print(result);
    boolean clean = result.verdict().isEmpty() || result.verdict().get().clean();
    boolean fine = clean && result.failedAnswers() == 0 && result.givenUp().isEmpty();
    return fine ? ExitCode.OK : ExitCode.FAILED;
  }

  private LoadResult runStreams(
      LoadPlan plan, VarveTarget way, LoadProgress progress, StopSignal stop)
      throws TargetException, IOException, InterruptedException {
    try (StreamsTarget target =
        StreamsTarget.create(way.bootstrap(), way.topic(), way, STREAMS_THREADS)) {
      return run(plan, target, progress, stop);
    }
  }

  private LoadResult run(LoadPlan plan, Target target, LoadProgress progress, StopSignal stop)
      throws TargetException, IOException, InterruptedException {
    Optional<Path> log =
        report.isPresent() ? Optional.of(ReportFiles.intervalLog(report.get())) : Optional.empty();
    LoadRun run = new LoadRun(plan, target, progress::show, log);
    stop.whenWished(run::stop);
    LoadResult result = run.run();
    if (report.isPresent()) {
      ReportFiles.write(report.get(), result);
    }
    return result;
  }

  private String profileText() throws CommandFailure {
    if (!Profiles.NAMES.contains(what.profile())) {
      throw LoadNumbers.usage(
          "--print-profile prints those that come with Varve: got=" + what.profile(),
          "--profile soak");
    }
    return Profiles.text(what.profile());
  }

  private LoadPlan plan() throws CommandFailure {
    Profile fleet = what.fleet();
    long most =
        readings.isPresent() ? LoadNumbers.count("--readings", readings.get()) : Long.MAX_VALUE;
    long runNanos;
    if (duration.isPresent()) {
      runNanos = LoadNumbers.nanos("--for", duration.get());
    } else if (readings.isPresent()) {
      // Late, held and repeated readings make the end hard to tell: with room to spare.
      runNanos = 2 * (most / fleet.count(Knob.RATE) + 60) * NANOS_A_SECOND;
    } else {
      runNanos = 30 * NANOS_A_SECOND;
    }
    long warmUpNanos = what.warmUpNanos();
    if (!(queries >= 0 && queries <= 100_000)) {
      throw LoadNumbers.usage("--queries must be 0 to 100000: got=" + queries, "--queries 20");
    }
    long sample =
        verifySample.isPresent()
            ? LoadNumbers.count("--verify-sample", verifySample.get())
            : Integer.MAX_VALUE;
    return new LoadPlan(
        fleet,
        seed,
        warmUpNanos,
        warmUpNanos + runNanos,
        most,
        closedLoop,
        LoadNumbers.nanos("--markers", markers),
        queries,
        verify,
        (int) Math.min(Integer.MAX_VALUE, sample),
        LoadNumbers.nanos("--settle", settle),
        what.patienceNanos(),
        "varve " + Version.varve());
  }
}
