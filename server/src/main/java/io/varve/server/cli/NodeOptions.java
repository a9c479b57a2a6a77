package io.varve.server.cli;

import io.varve.server.config.InvalidSettingException;
import io.varve.server.config.NodeSettings;
import io.varve.server.config.SettingsReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The options of a node. They are texts here: {@link SettingsReader} gives them their meaning
 * together with what environment and file say, so that each rule stands once.
 */
@Command
final class NodeOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec command;

  @Option(
      names = {"-b", "--brokers"},
      paramLabel = "HOST:PORT",
      description = "Use this Kafka cluster instead of the in-process broker.")
  private Optional<String> brokers = Optional.empty();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder of the node: DIR/store and DIR/broker. Default: ./varve-data")
  private Optional<String> data = Optional.empty();

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "Port of HTTP, 0 for a free one. Default: 8080")
  private Optional<String> httpPort = Optional.empty();

  @Option(
      names = "--broker-port",
      paramLabel = "PORT",
      description = "Port of the in-process broker, 0 for a free one. Default: 9092")
  private Optional<String> brokerPort = Optional.empty();

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description = "Address to listen on. Default: 127.0.0.1")
  private Optional<String> bind = Optional.empty();

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description = "Name that others reach this machine by. Default: what --bind says")
  private Optional<String> advertise = Optional.empty();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Stream threads. Default: one a core, at most 4")
  private Optional<String> threads = Optional.empty();

  @Option(
      names = "--retention",
      paramLabel = "TIME",
      description = "Keep rows this long by their own time, such as 30d. Default: keep all")
  private Optional<String> retention = Optional.empty();

  @Option(
      names = "--max-store-bytes",
      paramLabel = "SIZE",
      description =
          "Above this, such as 20GiB, the oldest days leave; the newest stays."
              + " Default: any size")
  private Optional<String> maxStoreBytes = Optional.empty();

  @Option(
      names = "--guardrail-bytes",
      paramLabel = "SIZE",
      description =
          "Tell when one sensor's day takes more than this in one place; 0 never. Default: 100MB")
  private Optional<String> guardrailBytes = Optional.empty();

  @Option(
      names = "--guardrail-rows",
      paramLabel = "N",
      description = "The same in rows. Default: 0, never")
  private Optional<String> guardrailRows = Optional.empty();

  @Option(
      names = "--close-after",
      paramLabel = "TIME",
      description =
          "Rewrite a day into tight form once it has been quiet this long: less than 1 %% of its"
              + " rows came. Default: 1h")
  private Optional<String> closeAfter = Optional.empty();

  @Option(
      names = "--sharding",
      paramLabel = "MODE",
      description =
          "Whether hot sensors get more shards by themselves: auto, advise (only tell), off."
              + " Default: auto")
  private Optional<String> sharding = Optional.empty();

  @Option(
      names = "--shard-rate",
      paramLabel = "N",
      description = "Rows a second that one shard may take. Default: 5000")
  private Optional<String> shardRate = Optional.empty();

  @Option(
      names = "--shard-cool-down",
      paramLabel = "TIME",
      description = "How long a sensor must have been cool to get fewer shards. Default: 1h")
  private Optional<String> shardCoolDown = Optional.empty();

  @Option(
      names = "--max-future",
      paramLabel = "TIME",
      description = "Refuse readings further ahead than this. Default: 1h")
  private Optional<String> maxFuture = Optional.empty();

  @Option(
      names = "--schemas",
      paramLabel = "DIR",
      description = "Folder with .avsc files of other writers.")
  private Optional<String> schemas = Optional.empty();

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      description = "Source topic; may be repeated. Default: readings")
  private List<String> topics = List.of();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Prefix of Varve's own topics and of the application id. Default: varve")
  private Optional<String> name = Optional.empty();

  @Option(
      names = "--partitions",
      paramLabel = "N",
      description = "Topic partitions of rows, fixed for life. Default: 8")
  private Optional<String> partitions = Optional.empty();

  @Option(
      names = "--allow-1970",
      description = "Admit timestamps in January 1970, else refused as a likely unit mistake.")
  private boolean allow1970;

  @Option(
      names = "--readings-retention",
      paramLabel = "TIME",
      description = "How long the in-process broker keeps readings. Default: 7d")
  private Optional<String> readingsRetention = Optional.empty();

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description = "Any Kafka client or Streams setting; may be repeated.")
  private Map<String, String> kafka = Map.of();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "File of key=value lines: varve.http-port=8080, kafka.linger.ms=5. The command line wins"
              + " over the environment (VARVE_HTTP_PORT, VARVE_KAFKA_LINGER_MS), that over the file.")
  private Optional<Path> config = Optional.empty();

  /**
   * Reads the settings that hold for this command line.
   *
   * @throws CommandFailure with {@link ExitCode#USAGE} when one cannot be used
   */
  NodeSettings settings() throws CommandFailure {
    Map<String, String> flags = new HashMap<>();
    for (OptionSpec option : command.commandLine().getParseResult().matchedOptions()) {
      String flag = option.longestName().replaceFirst("^--", "");
      if (SettingsReader.isFlag(flag)) {
        flags.put(flag, String.join(",", option.stringValues()));
      }
    }
    Optional<Path> file =
        config.or(() -> Optional.ofNullable(System.getenv("VARVE_CONFIG")).map(Path::of));
    try {
      return SettingsReader.read(
          flags,
          new LinkedHashMap<>(kafka),
          System.getenv(),
          file,
          warning -> command.commandLine().getErr().println("varve: " + warning));
    } catch (InvalidSettingException e) {
      throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), "", e.whatToDo(), e);
    }
  }
}
