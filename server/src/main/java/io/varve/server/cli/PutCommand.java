package io.varve.server.cli;

import io.varve.schemas.Topics;
import io.varve.server.put.CsvSource;
import io.varve.server.put.Put;
import io.varve.server.put.PutReport;
import io.varve.server.put.RowSink;
import io.varve.server.put.SinkException;
import io.varve.server.put.TopicSink;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code varve put}: CSV files into a source topic. */
@Command(
    name = "put",
    sortOptions = false,
    description = "Sends CSV files to a topic and waits until all rows are acknowledged.",
    footer = {
      "",
      "The first line names the columns, in any order: sensor_id,timestamp,value",
      "and optionally sequence. Without a column sequence, rows of one file with",
      "equal sensor and timestamp are numbered 0, 1, 2 in the order of the file, so",
      "that none is lost and a second put of the file stores nothing twice. Lines",
      "that are no reading are refused by file and line; the others go in, and the",
      "exit code is 1."
    })
final class PutCommand implements Callable<Integer> {
  @Parameters(arity = "1..*", paramLabel = "FILE", description = "CSV files; - is standard input.")
  private List<String> files = List.of();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private KafkaOptions kafka;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      defaultValue = Topics.DEFAULT_SOURCE,
      description = "Topic to send to. Default: ${DEFAULT-VALUE}")
  private String topic = "";

  @Option(
      names = "--sensor",
      paramLabel = "NAME",
      description = "Sensor of all rows, for files of timestamp,value.")
  private Optional<String> sensor = Optional.empty();

  @Option(
      names = "--sensor-from-name",
      description = "Sensor of each file's rows is the file's name without .csv.")
  private boolean sensorFromName;

  @Option(names = "--dry-run", description = "Check the files and send nothing.")
  private boolean dryRun;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure {
    Verbosity.quietClients(); // connection trouble is said once, by the summary
    PrintWriter err = spec.commandLine().getErr();
    List<CsvSource> sources = sources();
    try (RowSink sink = dryRun ? RowSink.dryRun() : connect()) {
      PutReport report;
      try (PutProgress progress = new PutProgress(err, "put", bytes(sources), Terminal.stderr())) {
        report = new Put(sink, progress).run(sources);
      }
      err.println(summary(report));
      if (report.failedRows() > 0 && sink instanceof TopicSink topicSink) {
        err.println(
            "  why: "
                + topicSink.firstFailure().orElse("unknown")
                + "\n  do:  put the same files again; rows that went in are not stored twice");
      }
      err.flush();
      return report.complete() ? ExitCode.OK : ExitCode.FAILED;
    }
  }

  private String summary(PutReport report) {
    return String.format(
        Locale.ROOT,
        "put: %s %,d rows of %d files in %.1f s (%,.0f rows/s); refused %,d lines, failed %,d rows,"
            + " unusable %d files",
        dryRun ? "checked" : "acknowledged",
        report.rows(),
        report.files() + report.unusableFiles(),
        report.nanos() / 1e9,
        report.rowsPerSecond(),
        report.refusedLines(),
        report.failedRows(),
        report.unusableFiles());
  }

  private List<CsvSource> sources() throws CommandFailure {
    if (sensor.isPresent() && sensorFromName) {
      throw CommandFailure.usage(
          "--sensor and --sensor-from-name exclude each other", "give one of them");
    }
    List<CsvSource> sources = new ArrayList<>();
    for (String file : files) {
      if (file.equals("-")) {
        if (sensorFromName) {
          throw CommandFailure.usage(
              "standard input has no name to take the sensor from", "use --sensor NAME");
        }
        sources.add(new CsvSource("-", Optional.empty(), sensor));
        continue;
      }
      Path path = Path.of(file);
      if (!Files.exists(path)) {
        throw new CommandFailure(
            ExitCode.NOT_FOUND,
            "no such file: file=" + file,
            "",
            "correct the path; nothing was sent");
      }
      if (!Files.isRegularFile(path)) {
        throw CommandFailure.usage(
            "not a file: file=" + file, "name the CSV files in it, such as " + file + "/*.csv");
      }
      sources.add(
          new CsvSource(
              file, Optional.of(path), sensorFromName ? Optional.of(nameOf(path)) : sensor));
    }
    return sources;
  }

  private static String nameOf(Path path) {
    return String.valueOf(path.getFileName()).replaceFirst("(?i)\\.csv$", "");
  }

  private RowSink connect() throws CommandFailure {
    try {
      return TopicSink.open(kafka.brokers(), topic, kafka.settings());
    } catch (SinkException e) {
      throw switch (e.kind()) {
        case SETTINGS -> KafkaOptions.badSettings(e);
        case UNREACHABLE -> KafkaOptions.unreachable(e);
        case NO_TOPIC -> KafkaOptions.noTopic(e, "create it, or name another with --topic");
      };
    }
  }

  private static long bytes(List<CsvSource> sources) {
    long bytes = 0;
    for (CsvSource source : sources) {
      if (source.path().isPresent()) {
        bytes += source.path().get().toFile().length();
      }
    }
    return bytes;
  }
}
