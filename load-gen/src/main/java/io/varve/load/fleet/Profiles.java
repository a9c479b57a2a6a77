package io.varve.load.fleet;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Profiles as texts: comments behind {@code #}, lines {@code name = value}. The comment that a text
 * opens with says what the profile shows.
 */
public final class Profiles {
  /** Names of the profiles that come with Varve. */
  public static final List<String> NAMES =
      List.of(
          "uniform", "hot-one", "hot-ten", "late-arrivals", "reconnect-storm", "poison", "soak");

  private Profiles() {}

  /**
   * Finds a profile: one that comes with Varve by its name, else a file.
   *
   * @throws InvalidProfileException if there is neither, or the text is not understood
   */
  public static Profile find(String nameOrFile) throws InvalidProfileException {
    if (NAMES.contains(nameOrFile)) {
      return parse(nameOrFile, text(nameOrFile));
    }
    Path file = Path.of(nameOrFile);
    if (!Files.isRegularFile(file)) {
      throw new InvalidProfileException(
          "no such profile, and no such file: profile=" + nameOrFile,
          "give a file, or one of " + String.join(", ", NAMES));
    }
    try {
      return parse(nameOrFile, Files.readString(file));
    } catch (IOException e) {
      throw new InvalidProfileException(
          "profile " + nameOrFile + ": cannot be read: " + e.getMessage(),
          "check that it is a text file in UTF-8");
    }
  }

  /** The text of a profile that comes with Varve, as one to begin one's own with. */
  public static String text(String name) {
    try (InputStream in = Profiles.class.getResourceAsStream(name + ".profile")) {
      if (in == null) {
        throw new IllegalArgumentException("no such profile name=" + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a text.
   *
   * @throws InvalidProfileException at the first line that is not understood, or names a knob again
   */
  static Profile parse(String name, String text) throws InvalidProfileException {
    Map<Knob, String> values = new EnumMap<>(Knob.class);
    StringBuilder shows = new StringBuilder();
    int number = 0;
    boolean opening = true;
    for (String line : text.lines().toList()) {
      number++;
      String where = "profile " + name + " line " + number;
      if (line.startsWith("#")) {
        if (opening) {
          shows.append(shows.isEmpty() ? "" : " ").append(line.substring(1).strip());
        }
        continue;
      }
      opening = false;
      String content = line.replaceFirst("#.*", "").strip();
      if (content.isEmpty()) {
        continue;
      }
      int equals = content.indexOf('=');
      if (equals < 0) {
        throw new InvalidProfileException(
            where + ": no equals sign: got=" + content, "write name = value");
      }
      Knob knob = knob(content.substring(0, equals).strip(), where);
      String value = content.substring(equals + 1).strip();
      knob.check(value, where);
      if (values.put(knob, value) != null) {
        throw new InvalidProfileException(
            where + ": " + knob.text() + " is given twice", "remove one of the lines");
      }
    }
    return Profile.of(name, shows.toString(), values);
  }

  private static Knob knob(String name, String where) throws InvalidProfileException {
    Optional<Knob> knob = Knob.named(name);
    if (knob.isEmpty()) {
      throw new InvalidProfileException(
          where + ": there is no knob of this name: got=" + name,
          "knobs are "
              + Arrays.stream(Knob.values()).map(Knob::text).collect(Collectors.joining(", ")));
    }
    return knob.get();
  }
}
