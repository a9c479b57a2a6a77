package io.varve.server.cli;

import io.varve.load.http.VarveTarget;
import io.varve.load.target.TargetException;
import io.varve.schemas.Topics;
import java.io.IOException;
import java.net.URI;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say which node a load is put on. */
@Command
final class TargetOptions {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private KafkaOptions kafka;

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

  /** The node, which may not be there. */
  VarveTarget target() throws CommandFailure {
    if (!"http".equals(url.getScheme()) || url.getHost() == null) {
      throw LoadNumbers.usage(
          "--url must be a plain http address: got=" + url, "--url http://127.0.0.1:8080");
    }
    return new VarveTarget(kafka.brokers(), topic, url, kafka.settings());
  }

  /**
   * Ends a command that has no result: with a note where that was wished, else as the failure.
   *
   * @return the exit code
   */
  static int end(TargetException e, OutputOption output) throws CommandFailure {
    switch (e.kind()) {
      case STOPPED -> {
        output.note(String.valueOf(e.getMessage()));
        return ExitCode.OK;
      }
      case UNREACHABLE -> throw KafkaOptions.unreachable(e);
      case NO_TOPIC ->
          throw KafkaOptions.noTopic(e, "name a source topic of the node with --topic");
      case SETTINGS -> throw KafkaOptions.badSettings(e);
    }
    throw new IllegalStateException("kind=" + e.kind(), e);
  }

  /** The end of a command whose {@code --report} has no place. */
  static CommandFailure noReport(IOException e) {
    return new CommandFailure(
        ExitCode.FAILED, "the report cannot be written", e.toString(), "name another folder", e);
  }
}
