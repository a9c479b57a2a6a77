package io.varve.server.config;

import io.varve.ingest.StoreLimits;
import io.varve.ingest.sharder.Sharding;
import io.varve.schemas.Durations;
import io.varve.schemas.TimeText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Turns the texts of settings into {@link NodeSettings}, or says which one is wrong and how. */
public final class SettingsReader {
  /** Kafka's rule for topic names. */
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,249}");

  /** Shorter than a topic: Varve's topics are the name, a dot and more. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  private static final Pattern BROKERS =
      Pattern.compile("[^\\s,:]+:\\d{1,5}|\\[[0-9A-Fa-f:.]+]:\\d{1,5}");
  private static final int MOST_PARTITIONS = 1024;
  private static final int MOST_THREADS = 64;

  private final Layers layers;

  private SettingsReader(Layers layers) {
    this.layers = layers;
  }

  /**
   * Reads a node's settings.
   *
   * @param flags flags given on the command line, by long name without dashes; a repeated one
   *     joined by commas
   * @param kafka settings given by {@code -X}
   * @param environment the process's environment
   * @param file configuration file
   * @param warn told of what is odd but no error
   * @throws InvalidSettingException for the first setting that cannot be used
   */
  public static NodeSettings read(
      Map<String, String> flags,
      Map<String, String> kafka,
      Map<String, String> environment,
      Optional<Path> file,
      Consumer<String> warn)
      throws InvalidSettingException {
    Map<String, String> commandLine = new HashMap<>();
    flags.forEach((flag, text) -> commandLine.put("varve." + flag, text));
    kafka.forEach((key, text) -> commandLine.put(Layers.KAFKA + key, text));
    return new SettingsReader(Layers.of(commandLine, environment, file, warn)).read();
  }

  /** Whether a long flag without its dashes is a setting of a node. */
  public static boolean isFlag(String flag) {
    return Setting.ofKey("varve." + flag).isPresent();
  }

  private NodeSettings read() throws InvalidSettingException {
    NodeSettings settings = settings();
    if (settings.brokers().isEmpty() && settings.host().isEmpty()) {
      throw new InvalidSettingException(
          "--bind "
              + settings.bind()
              + " listens on every address, but Kafka clients must be told one of them",
          "add --advertise HOST with the name or address that clients reach this machine by");
    }
    return settings;
  }

  private NodeSettings settings() throws InvalidSettingException {
    return new NodeSettings(
        brokers(),
        Path.of(text(Setting.DATA, "varve-data")),
        whole(Setting.HTTP_PORT, 0, 65_535).orElseThrow(),
        whole(Setting.BROKER_PORT, 0, 65_535).orElseThrow(),
        text(Setting.BIND, "127.0.0.1"),
        optional(Setting.ADVERTISE),
        whole(Setting.THREADS, 1, MOST_THREADS).orElse(defaultThreads()),
        duration(Setting.RETENTION),
        limits(),
        duration(Setting.CLOSE_AFTER).orElseThrow(),
        sharding(),
        duration(Setting.MAX_FUTURE).orElseThrow(),
        folder(Setting.SCHEMAS),
        topics(),
        name(),
        whole(Setting.PARTITIONS, 1, MOST_PARTITIONS),
        flag(Setting.ALLOW_1970),
        duration(Setting.READINGS_RETENTION).orElseThrow(),
        layers.kafka());
  }

  private Sharding sharding() throws InvalidSettingException {
    Layers.Given given = layers.find(Setting.SHARDING).orElseThrow();
    Sharding.Mode mode =
        switch (given.text()) {
          case "auto" -> Sharding.Mode.AUTO;
          case "advise" -> Sharding.Mode.ADVISE;
          case "off" -> Sharding.Mode.OFF;
          default -> throw wrong(given, "must be auto, advise or off", "--sharding advise");
        };
    return new Sharding(
        mode,
        whole(Setting.SHARD_RATE, 1, 100_000_000).orElseThrow(),
        duration(Setting.SHARD_COOL_DOWN).orElseThrow());
  }

  private static int defaultThreads() {
    return Math.min(4, Runtime.getRuntime().availableProcessors());
  }

  private Optional<String> brokers() throws InvalidSettingException {
    Optional<Layers.Given> given = layers.find(Setting.BROKERS);
    if (given.isPresent()) {
      for (String broker : given.get().text().split(",", -1)) {
        if (!BROKERS.matcher(broker.strip()).matches()) {
          throw wrong(given.get(), "must be host:port, several joined by commas", "-b kafka:9092");
        }
      }
    }
    return given.map(Layers.Given::text);
  }

  private List<String> topics() throws InvalidSettingException {
    Layers.Given given = layers.find(Setting.TOPIC).orElseThrow();
    List<String> topics =
        Arrays.stream(given.text().split(",")).map(String::strip).distinct().toList();
    for (String topic : topics) {
      if (!TOPIC.matcher(topic).matches() || topic.equals(".") || topic.equals("..")) {
        throw wrong(
            given, "must be a topic name: letters, digits, '.', '_' and '-'", "--topic readings");
      }
    }
    return topics;
  }

  private String name() throws InvalidSettingException {
    Layers.Given given = layers.find(Setting.NAME).orElseThrow();
    if (!NAME.matcher(given.text()).matches()) {
      throw wrong(given, "must be 1 to 100 letters, digits, '.', '_' and '-'", "--name plant-3");
    }
    return given.text();
  }

  private String text(Setting setting, String otherwise) {
    return optional(setting).orElse(otherwise);
  }

  private Optional<String> optional(Setting setting) {
    return layers.find(setting).map(Layers.Given::text);
  }

  private OptionalInt whole(Setting setting, int from, int to) throws InvalidSettingException {
    Optional<Layers.Given> given = layers.find(setting);
    if (given.isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      int number = Integer.parseInt(given.get().text());
      if (number >= from && number <= to) {
        return OptionalInt.of(number);
      }
    } catch (NumberFormatException e) {
      // said below, with the range
    }
    throw wrong(
        given.get(),
        "must be a whole number from " + from + " to " + to,
        setting.flag() + " " + (setting.defaultText().isEmpty() ? "4" : setting.defaultText()));
  }

  private boolean flag(Setting setting) throws InvalidSettingException {
    Layers.Given given = layers.find(setting).orElseThrow();
    return switch (given.text()) {
      case "true" -> true;
      case "false" -> false;
      default -> throw wrong(given, "must be true or false", setting.variable() + "=true");
    };
  }

  private Optional<Duration> duration(Setting setting) throws InvalidSettingException {
    Optional<Layers.Given> given = layers.find(setting);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    try {
      long micros = Durations.parseMicros(given.get().text());
      if (micros == 0) {
        throw wrong(given.get(), "must be longer than 0", setting.flag() + " 7d");
      }
      return Optional.of(Duration.of(micros, ChronoUnit.MICROS));
    } catch (TimeText.Invalid e) {
      throw wrong(given.get(), e.reason(), setting.flag() + " " + e.example());
    }
  }

  private StoreLimits limits() throws InvalidSettingException {
    return new StoreLimits(
        bytes(Setting.MAX_STORE_BYTES, 1),
        bytes(Setting.GUARDRAIL_BYTES, 0).orElseThrow(),
        whole(Setting.GUARDRAIL_ROWS, 0, Integer.MAX_VALUE).orElseThrow());
  }

  private OptionalLong bytes(Setting setting, long from) throws InvalidSettingException {
    Optional<Layers.Given> given = layers.find(setting);
    if (given.isEmpty()) {
      return OptionalLong.empty();
    }
    OptionalLong bytes = ByteSizes.parse(given.get().text());
    if (bytes.isEmpty() || bytes.getAsLong() < from) {
      throw wrong(
          given.get(),
          "must be a number of bytes from " + from + ", whole, with or without " + ByteSizes.UNITS,
          setting.flag()
              + " "
              + (setting.defaultText().isEmpty() ? "20GiB" : setting.defaultText()));
    }
    return bytes;
  }

  private Optional<Path> folder(Setting setting) throws InvalidSettingException {
    Optional<Layers.Given> given = layers.find(setting);
    if (given.isEmpty()) {
      return Optional.empty();
    }
    Path folder = Path.of(given.get().text());
    if (!Files.isDirectory(folder)) {
      throw wrong(given.get(), "must be a folder that exists", setting.flag() + " ./schemas");
    }
    return Optional.of(folder);
  }

  private static InvalidSettingException wrong(Layers.Given given, String rule, String example) {
    return new InvalidSettingException(
        given.where() + " " + rule + ": got=" + given.text(), "for example " + example);
  }
}
