package io.varve.server.cli;

import io.varve.load.http.VarveTarget;
import io.varve.load.target.TargetException;
import io.varve.schemas.Topics;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that say which node a load is put on. */
@Command
final class TargetOptions {
  @Option(
      names = {"-b", "--brokers", "--bootstrap"},
      paramLabel = "HOST:PORT",
      defaultValue = "${env:VARVE_BROKERS:-127.0.0.1:9092}",
      description = "Kafka brokers, or in VARVE_BROKERS. Default: 127.0.0.1:9092")
  private String brokers = "";

  @Option(
      names = {"--url", "--node"},
      paramLabel = "URL",
      defaultValue = "${env:VARVE_URL:-http://127.0.0.1:8080}",
      description = "Address of a node, or in VARVE_URL. Default: http://127.0.0.1:8080")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private URI url;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      defaultValue = Topics.DEFAULT_SOURCE,
      description = "Topic to send to. Default: ${DEFAULT-VALUE}")
  private String topic = "";

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Any Kafka producer setting; may be repeated.")
  private Map<String, String> kafka = Map.of();

  /** The node, which may not be there. */
  VarveTarget target() throws CommandFailure {
    if (!"http".equals(url.getScheme()) || url.getHost() == null) {
      throw LoadNumbers.usage(
          "--url must be a plain http address: got=" + url, "--url http://127.0.0.1:8080");
    }
    return new VarveTarget(brokers, topic, url, kafka);
  }

  /** What to tell of a target that cannot be used. */
  static CommandFailure failure(TargetException e) {
    String what = String.valueOf(e.getMessage());
    return switch (e.kind()) {
      case UNREACHABLE ->
          new CommandFailure(
              ExitCode.UNREACHABLE,
              what,
              "",
              "start one with ./varve up, or name another with --brokers and --url",
              e);
      case NO_TOPIC ->
          new CommandFailure(
              ExitCode.NOT_FOUND, what, "", "name a source topic of the node with --topic", e);
      case SETTINGS -> new CommandFailure(ExitCode.USAGE, what, "", "correct --brokers or -X", e);
      case STOPPED -> new CommandFailure(ExitCode.FAILED, what, "", "run it again", e);
    };
  }
}
