package io.varve.server.config;

import io.smallrye.config.ConfigValue;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Settings as text from the four places they may come from: command line over environment over file
 * over defaults.
 *
 * <p>A key in the file that Varve does not know is an error. A variable in the environment that it
 * does not know is only told: container platforms set {@code VARVE_…} variables of their own.
 */
final class Layers {
  static final String KAFKA = "kafka.";
  private static final String VARIABLES = "VARVE_";
  private static final String KAFKA_VARIABLES = "VARVE_KAFKA_";

  /** Variables that the start script, client commands and images read. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("VARVE_OPTS", "VARVE_URL", "VARVE_CONFIG");

  private static final int COMMAND_LINE = 400;
  private static final int ENVIRONMENT = 300;
  private static final int FILE = 200;
  private static final int DEFAULTS = 100;

  private final SmallRyeConfig config;
  private final Optional<Path> file;

  private Layers(SmallRyeConfig config, Optional<Path> file) {
    this.config = config;
    this.file = file;
  }

  /**
   * Puts the layers over one another.
   *
   * @param flags settings given on the command line, by {@link Setting#key}
   * @param environment the process's environment
   * @param file configuration file ({@code key=value} lines)
   * @param warn told of variables that look like ours and are not
   */
  static Layers of(
      Map<String, String> flags,
      Map<String, String> environment,
      Optional<Path> file,
      Consumer<String> warn)
      throws InvalidSettingException {
    SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
    Map<String, String> defaults = new HashMap<>();
    for (Setting setting : Setting.values()) {
      if (!setting.defaultText().isEmpty()) {
        defaults.put(setting.key(), setting.defaultText());
      }
    }
    builder.withSources(
        new PropertiesConfigSource(flags, "command line", COMMAND_LINE),
        new PropertiesConfigSource(fromEnvironment(environment, warn), "environment", ENVIRONMENT),
        new PropertiesConfigSource(defaults, "default", DEFAULTS));
    if (file.isPresent()) {
      builder.withSources(new PropertiesConfigSource(fromFile(file.get()), "file", FILE));
    }
    return new Layers(builder.build(), file);
  }

  private static Map<String, String> fromEnvironment(
      Map<String, String> environment, Consumer<String> warn) {
    Map<String, String> values = new HashMap<>();
    new TreeMap<>(environment)
        .forEach(
            (variable, value) -> {
              Optional<Setting> setting = Setting.ofVariable(variable);
              if (setting.isPresent()) {
                values.put(setting.get().key(), value);
              } else if (variable.startsWith(KAFKA_VARIABLES)) {
                String key = variable.substring(KAFKA_VARIABLES.length());
                values.put(KAFKA + key.toLowerCase(Locale.ROOT).replace('_', '.'), value);
              } else if (variable.startsWith(VARIABLES) && !OTHER_VARIABLES.contains(variable)) {
                warn.accept("environment variable unknown to Varve, ignored: name=" + variable);
              }
            });
    return values;
  }

  private static Map<String, String> fromFile(Path file) throws InvalidSettingException {
    Properties properties = new Properties();
    try (var in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(in);
    } catch (NoSuchFileException e) {
      throw new InvalidSettingException(
          "configuration file does not exist: file=" + file, "correct the path after --config");
    } catch (IOException | IllegalArgumentException e) {
      throw new InvalidSettingException(
          "configuration file cannot be read: file=" + file + " cause=" + e.getMessage(),
          "it holds lines of key=value in UTF-8, such as varve.http-port=8080");
    }
    Map<String, String> values = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      if (!key.startsWith(KAFKA) && Setting.ofKey(key).isEmpty()) {
        throw new InvalidSettingException(
            "unknown key in configuration file: key=" + key + " file=" + file,
            "did you mean " + nearest(key) + "? Kafka settings begin with " + KAFKA);
      }
      values.put(key, properties.getProperty(key));
    }
    return values;
  }

  private static String nearest(String key) {
    String best = Setting.DATA.key();
    int bestDistance = Integer.MAX_VALUE;
    for (Setting setting : Setting.values()) {
      int distance = EditDistance.between(key, setting.key());
      if (distance < bestDistance) {
        bestDistance = distance;
        best = setting.key();
      }
    }
    return best;
  }

  /** The text of a setting and the words for where it was given. */
  record Given(String text, String where) {}

  /** Finds a setting's text; empty when it is given nowhere or as empty text. */
  Optional<Given> find(Setting setting) {
    ConfigValue value = config.getConfigValue(setting.key());
    String text = value.getValue();
    if (text == null || text.isBlank()) {
      return Optional.empty();
    }
    String where =
        switch (value.getConfigSourceOrdinal()) {
          case COMMAND_LINE -> setting.flag();
          case ENVIRONMENT -> "environment variable " + setting.variable();
          case FILE -> setting.key() + " in " + file.map(Path::toString).orElse("the file");
          default -> setting.key();
        };
    return Optional.of(new Given(text.strip(), where));
  }

  /** All Kafka settings, without their prefix. */
  Map<String, String> kafka() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String key : config.getPropertyNames()) {
      if (key.startsWith(KAFKA)) {
        settings.put(key.substring(KAFKA.length()), config.getRawValue(key));
      }
    }
    return settings;
  }
}
