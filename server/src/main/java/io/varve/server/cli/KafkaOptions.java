package io.varve.server.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that say which brokers are used and how, and what to tell where they can't be. */
@Command
final class KafkaOptions {
  @Option(
      names = {"-b", "--brokers", "--bootstrap"},
      paramLabel = "HOST:PORT",
      defaultValue = "${env:VARVE_BROKERS:-127.0.0.1:9092}",
      description = "Kafka brokers, or in VARVE_BROKERS. Default: 127.0.0.1:9092")
  private String brokers = "";

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Any Kafka client setting; may be repeated.")
  private Map<String, String> settings = Map.of();

  String brokers() {
    return brokers;
  }

  /** Kafka settings that win over the command's own. */
  Map<String, String> settings() {
    return settings;
  }

  /** The end of a command whose Kafka client refuses its settings. */
  static CommandFailure badSettings(Exception e) {
    return new CommandFailure(
        ExitCode.USAGE, String.valueOf(e.getMessage()), "", "correct --brokers or -X", e);
  }

  /** The end of a command that nobody answers. */
  static CommandFailure unreachable(Exception e) {
    return new CommandFailure(
        ExitCode.UNREACHABLE,
        String.valueOf(e.getMessage()),
        "",
        "start one with ./varve up, or name another with --brokers",
        e);
  }

  /** The end of a command whose topic is not there. */
  static CommandFailure noTopic(Exception e, String whatToDo) {
    return new CommandFailure(ExitCode.NOT_FOUND, String.valueOf(e.getMessage()), "", whatToDo, e);
  }
}
