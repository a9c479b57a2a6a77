package io.varve.server.cli;

import io.varve.schemas.SchemasRefusedException;
import io.varve.schemas.WriterSchemas;
import io.varve.server.advise.Advice;
import io.varve.server.advise.Candidate;
import io.varve.server.advise.Guides;
import io.varve.server.advise.KeyJudge;
import io.varve.server.advise.ReplayFeed;
import io.varve.server.advise.ReplayFigures;
import io.varve.server.client.NumberText;
import io.varve.server.put.CsvScan;
import io.varve.server.put.CsvSource;
import io.varve.server.scan.ScanException;
import io.varve.server.scan.TopicScan;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve advise}: which partition key a sample of rows asks for. */
@Command(
    name = "advise",
    sortOptions = false,
    description = "Judges partition keys by a sample of rows and proposes one.",
    footer = {
      "",
      "Files have the columns that put takes: sensor_id,timestamp,value. A topic is",
      "read from its oldest record to where it ends now; nothing is committed.",
      "Each key, of a sensor alone or with an hour, day, week or month, has 1 to 64",
      "shards. It is judged by, in this order:",
      "",
      "alignment: one query touches at most --max-touched partitions.",
      "cardinality: 16 partitions or more are written to at one time, and most have",
      "2 rows or more.",
      "skew: the largest is at most 10 times the median, unless it is within the",
      "guide and takes at most a tenth of all rows.",
      "growth: the largest stays within --guide-rows and --guide-bytes."
    })
final class AdviseCommand implements Callable<Integer> {
  private static final double SILENT_SECONDS = 2;

  @Parameters(arity = "0..*", paramLabel = "FILE", description = "CSV files; - is standard input.")
  private List<String> files = List.of();

  @Option(names = "--topic", paramLabel = "NAME", description = "Or: a topic of readings.")
  private Optional<String> topic = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private KafkaOptions kafka;

  @Option(
      names = "--schemas",
      paramLabel = "DIR",
      description = "Folder of writers' schemas (.avsc) of the topic.")
  private Optional<Path> schemas = Optional.empty();

  @Option(
      names = "--sensor",
      paramLabel = "NAME",
      description = "Sensor of all rows, for files of timestamp,value.")
  private Optional<String> sensor = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private GuideOptions guides;

  @Option(
      names = "--node",
      paramLabel = "URL",
      description = "Ask this node how many bytes a row takes in Varve.")
  private Optional<URI> node = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Verbosity.quietClients();
    Guides against = guides.guides();
    if (files.isEmpty() == topic.isEmpty()) {
      throw CommandFailure.usage(
          "give CSV files or --topic NAME, one of the two", "see ./varve advise --help");
    }
    OptionalDouble varveBytes = node.isPresent() ? varveBytes(node.get()) : OptionalDouble.empty();
    try (ReplayFeed feed = new ReplayFeed()) {
      long start = System.nanoTime();
      if (topic.isPresent()) {
        readTopic(topic.get(), feed);
      } else {
        readFiles(feed);
      }
      if (feed.rows() == 0) {
        throw new CommandFailure(
            ExitCode.FAILED, "there are no rows to judge by", "", "give a sample that has some");
      }
      ReplayFigures figures = feed.figures();
      double seconds = Math.max(1e-3, (System.nanoTime() - start) / 1e9);
      say(
          "advise: %,d rows in %.1f s (%,.0f rows/s)",
          figures.rows(), seconds, figures.rows() / seconds);
      String measured =
          topic.isPresent() ? "Avro or JSON, key and value of the record" : "CSV, cells and commas";
      Advice advice = KeyJudge.judge(figures, against);
      print(new AdviceTree(measured, figures, against, advice, varveBytes), advice);
    }
    return ExitCode.OK;
  }

  private void print(AdviceTree tree, Advice advice) {
    if (output.format() == OutputFormat.json) {
      output.printFacts(tree.tree());
      return;
    }
    boolean table = output.format() == OutputFormat.table;
    PrintWriter words = table ? spec.commandLine().getOut() : spec.commandLine().getErr();
    tree.head().forEach(words::println);
    words.println();
    words.flush();
    try (RecordPrinter printer = output.records(AdviceTree.COLUMNS)) {
      for (Candidate each : advice.candidates()) {
        printer.print(tree.line(each));
      }
    }
    words.println();
    tree.tail().forEach(words::println);
    words.flush();
  }

  private void readFiles(ReplayFeed feed) throws CommandFailure, InterruptedException {
    List<CsvSource> sources = new ArrayList<>();
    long bytes = 0;
    for (String file : files) {
      Optional<Path> path = file.equals("-") ? Optional.empty() : Optional.of(Path.of(file));
      if (path.isPresent() && !Files.isRegularFile(path.get())) {
        throw new CommandFailure(
            ExitCode.NOT_FOUND, "no such file: file=" + file, "", "correct the path");
      }
      bytes += path.map(p -> p.toFile().length()).orElse(0L);
      sources.add(new CsvSource(file, path, sensor));
    }
    PrintWriter err = spec.commandLine().getErr();
    try (PutProgress progress = new PutProgress(err, "advise", bytes, Terminal.stderr())) {
      CsvScan scan = new CsvScan(feed, progress);
      scan.run(sources);
      if (scan.unusableFiles() > 0) {
        throw new CommandFailure(
            ExitCode.FAILED,
            scan.unusableFiles() + " of " + sources.size() + " files can't be read to their end",
            "said above, by file",
            "correct or leave out those files");
      }
      if (scan.refusedLines() > 0) {
        say("advise: lines that are no readings, left out: %,d", scan.refusedLines());
      }
    }
  }

  private void readTopic(String name, ReplayFeed feed) throws CommandFailure, InterruptedException {
    LiveLine line = new LiveLine(spec.commandLine().getErr(), Terminal.stderr());
    long start = System.nanoTime();
    try (TopicScan scan =
        TopicScan.open(kafka.brokers(), name, kafka.settings(), writerSchemas(), feed)) {
      scan.run(
          (read, all) -> {
            long now = System.nanoTime();
            double seconds = (now - start) / 1e9;
            if (seconds < SILENT_SECONDS) {
              return; // too early to tell how long it takes
            }
            line.show(
                String.format(
                    Locale.ROOT,
                    "advise: %,d of %,d records, %,d rows, %,.0f rows/s, %.0f s left",
                    read,
                    all,
                    feed.rows(),
                    feed.rows() / seconds,
                    read == 0 ? 0 : seconds / read * (all - read)),
                now);
          });
      line.end();
      if (scan.refused() + scan.undecodable() > 0) {
        say(
            "advise: left out: readings without a usable id, timestamp or value: %,d; records that"
                + " can't be decoded: %,d",
            scan.refused(), scan.undecodable());
      }
    } catch (ScanException e) {
      line.end();
      throw failure(e);
    }
  }

  private static CommandFailure failure(ScanException e) {
    return switch (e.kind()) {
      case SETTINGS -> KafkaOptions.badSettings(e);
      case UNREACHABLE -> KafkaOptions.unreachable(e);
      case NO_TOPIC -> KafkaOptions.noTopic(e, "name another with --topic");
    };
  }

  private WriterSchemas writerSchemas() throws CommandFailure {
    try {
      return schemas.isPresent() ? WriterSchemas.open(schemas.get()) : WriterSchemas.released();
    } catch (SchemasRefusedException e) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "the schemas can't be used",
          String.valueOf(e.getMessage()),
          "correct the folder, or leave --schemas out",
          e);
    }
  }

  /** What a row takes in the node's stores; empty while it has none. */
  private static OptionalDouble varveBytes(URI url) throws CommandFailure, InterruptedException {
    Map<String, Object> status =
        NodeOption.get(NodeOption.client("--node", url), "/v1/status", Map.of());
    if (status.get("disk") instanceof Map<?, ?> disk
        && disk.get("bytes_a_row") instanceof Map<?, ?> bytes
        && bytes.get("store") instanceof NumberText number) {
      return OptionalDouble.of(Double.parseDouble(number.text()));
    }
    return OptionalDouble.empty();
  }

  private void say(String form, Object... values) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf(Locale.ROOT, form + "%n", values);
    err.flush();
  }
}
