package io.varve.query.api;

import io.varve.query.api.Problem.Fault;
import io.varve.schemas.Durations;
import io.varve.schemas.TimeText;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The parameters of one request, read from the query as it was sent.
 *
 * <p>Names and values are percent-decoded as UTF-8, and a plus is a space, as in forms. Whatever
 * can't be understood is noted as a fault and goes on with a harmless value; {@link #check} then
 * tells all faults at once.
 */
final class Parameters {
  private static final int MAX_FAULTS = 16;
  private static final int MAX_SHOWN = 60;

  /** Names that other services understand; silence about them would give wrong answers. */
  private static final Map<String, String> FOREIGN =
      Map.of(
          "zone", "is not supported: days and buckets are UTC",
          "tz", "is not supported: days and buckets are UTC",
          "timezone", "is not supported: days and buckets are UTC",
          "fill", "is not supported: empty buckets are left out",
          "offset", "is not supported: page with page_token",
          "cursor", "is not supported: page with page_token",
          "sensor", "is not known: the sensor is named by sensor_id",
          "id", "is not known: the sensor is named by sensor_id",
          "start", "is not known: the range is from and to",
          "end", "is not known: the range is from and to");

  private final Map<String, List<String>> values = new LinkedHashMap<>();
  private final Set<String> known;
  private final List<Fault> faults = new ArrayList<>(0);

  private Parameters(Set<String> known) {
    this.known = known;
  }

  /**
   * Reads a query.
   *
   * @param rawQuery query as it was sent; empty for none
   * @param known names that the resource understands
   * @param repeatable names that may occur more than once
   */
  static Parameters parse(String rawQuery, Set<String> known, Set<String> repeatable) {
    Parameters parameters = new Parameters(known);
    int start = 0;
    while (start < rawQuery.length()) {
      int end = rawQuery.indexOf('&', start);
      end = end < 0 ? rawQuery.length() : end;
      if (end > start) {
        parameters.add(rawQuery.substring(start, end), repeatable);
      }
      start = end + 1;
    }
    return parameters;
  }

  private void add(String pair, Set<String> repeatable) {
    int equals = pair.indexOf('=');
    String rawName = equals < 0 ? pair : pair.substring(0, equals);
    Optional<String> name = decode(rawName);
    Optional<String> value = decode(equals < 0 ? "" : pair.substring(equals + 1));
    if (name.isEmpty() || value.isEmpty()) {
      fault(
          name.orElse(rawName),
          "is not percent-encoded UTF-8: every % must be followed by two hexadecimal digits",
          "sensor_id=50%25");
      return;
    }
    if (!known.contains(name.get())) {
      unknown(name.get());
      return;
    }
    List<String> all = values.computeIfAbsent(name.get(), absent -> new ArrayList<>(1));
    if (!all.isEmpty() && !repeatable.contains(name.get())) {
      fault(name.get(), "is given more than once", name.get() + "=" + shown(all.get(0)));
      return;
    }
    all.add(value.get());
  }

  private void unknown(String name) {
    String why = FOREIGN.getOrDefault(name, "is not a parameter of this resource");
    fault(
        name,
        why,
        known.isEmpty()
            ? "no parameters"
            : "one of " + String.join(", ", known.stream().sorted().toList()));
  }

  /** Decodes percent-encoding; empty if it is malformed. */
  static Optional<String> decode(String raw) {
    if (raw.indexOf('%') < 0 && isAscii(raw)) {
      return Optional.of(raw.indexOf('+') < 0 ? raw : raw.replace('+', ' '));
    }
    byte[] text = raw.getBytes(StandardCharsets.UTF_8);
    ByteBuffer decoded = ByteBuffer.allocate(text.length);
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '%') {
        int high = i + 2 < text.length ? Character.digit(text[i + 1], 16) : -1;
        int low = i + 2 < text.length ? Character.digit(text[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          return Optional.empty();
        }
        decoded.put((byte) (high << 4 | low));
        i += 2;
      } else {
        decoded.put(text[i] == '+' ? (byte) ' ' : text[i]);
      }
    }
    try {
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(decoded.flip()).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > '~') {
        return false;
      }
    }
    return true;
  }

  /** Notes that a parameter is at fault. */
  void fault(String parameter, String detail, String example) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(new Fault(shown(parameter), detail, example));
    }
  }

  /** Cuts a text that a client sent to a length that can be shown. */
  static String shown(String text) {
    return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "…";
  }

  /**
   * Ends the request if any parameter was at fault.
   *
   * @throws ProblemException that names each of them
   */
  void check() {
    if (!faults.isEmpty()) {
      throw new ProblemException(Problem.parameters(List.copyOf(faults)));
    }
  }

  Optional<String> get(String name) {
    List<String> all = values.get(name);
    return all == null ? Optional.empty() : Optional.of(all.get(0));
  }

  /** All values of a repeatable parameter, in the order written. */
  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /** The text of a parameter that must be there. */
  String required(String name, String example) {
    Optional<String> value = get(name);
    if (value.isEmpty()) {
      fault(name, "is missing", name + "=" + example);
    }
    return value.orElse(example);
  }

  /** A whole number within bounds. */
  int integer(String name, int absent, int min, int max) {
    Optional<String> value = get(name);
    if (value.isEmpty()) {
      return absent;
    }
    try {
      int number = Integer.parseInt(value.get());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, in the same words as a number out of bounds.
    }
    fault(
        name,
        "must be a whole number from " + min + " to " + max + ", not " + shown(value.get()),
        name + "=" + absent);
    return absent;
  }

  /** One of a few words; the first one when absent. */
  String word(String name, List<String> words) {
    String value = get(name).orElse(words.get(0));
    if (!words.contains(value)) {
      fault(name, "is none of " + String.join(", ", words), name + "=" + words.get(0));
      return words.get(0);
    }
    return value;
  }

  /** How to write instants. */
  TimeFormat timeFormat() {
    String text = word("ts", List.of("rfc3339", "epoch_us", "epoch_ms"));
    return text.equals("epoch_us")
        ? TimeFormat.EPOCH_US
        : text.equals("epoch_ms") ? TimeFormat.EPOCH_MS : TimeFormat.RFC3339;
  }

  /** An instant, in microseconds since 1970. */
  OptionalLong instant(String name, long nowMicros) {
    Optional<String> value = get(name);
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(TimeText.parse(value.get(), nowMicros));
    } catch (TimeText.Invalid e) {
      String plus =
          value.get().indexOf(' ') > 10 ? "; in an address a plus must be written %2B" : "";
      fault(name, e.reason() + ": " + shown(value.get()) + plus, name + "=" + e.example());
      return OptionalLong.of(0);
    }
  }

  /** A duration within bounds, in microseconds. */
  OptionalLong duration(String name, long minMicros, long maxMicros, String example) {
    Optional<String> value = get(name);
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      long micros = Durations.parseMicros(value.get());
      if (micros >= minMicros && micros <= maxMicros) {
        return OptionalLong.of(micros);
      }
      fault(
          name,
          "must be from " + Durations.format(minMicros) + " to " + Durations.format(maxMicros),
          name + "=" + example);
    } catch (TimeText.Invalid e) {
      fault(name, e.reason() + ": " + shown(value.get()), name + "=" + example);
    }
    return OptionalLong.of(minMicros);
  }
}
