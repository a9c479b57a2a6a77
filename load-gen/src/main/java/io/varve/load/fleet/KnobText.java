package io.varve.load.fleet;

import io.varve.schemas.Durations;
import io.varve.schemas.TimeText;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads the values of knobs; empty for what is not understood. */
public final class KnobText {
  private static final Pattern COUNT = Pattern.compile("[0-9]{1,12}");
  private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
  private static final long NANOS_A_MICRO = 1_000;
  private static final long MAX_MICROS = 100L * 86_400_000_000L;

  private KnobText() {}

  /** Reads a whole number, with k or M for thousands and millions. */
  public static OptionalLong count(String text) {
    long unit = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
    String digits = unit == 1 ? text : text.substring(0, text.length() - 1);
    return COUNT.matcher(digits).matches()
        ? OptionalLong.of(Long.parseLong(digits) * unit)
        : OptionalLong.empty();
  }

  static Optional<long[]> counts(String text) {
    String[] words = text.split(" +", -1);
    long[] counts = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      OptionalLong count = count(words[i]);
      if (count.isEmpty() || count.getAsLong() == 0 || count.getAsLong() > 1_000_000) {
        return Optional.empty();
      }
      counts[i] = count.getAsLong();
    }
    return Optional.of(counts);
  }

  /** Reads a share, 0 to 1 or in percent; empty if it is none. */
  public static OptionalDouble share(String text) {
    boolean percent = text.endsWith("%");
    OptionalDouble number = decimal(percent ? text.substring(0, text.length() - 1) : text);
    if (number.isEmpty()) {
      return number;
    }
    double share = percent ? number.getAsDouble() / 100 : number.getAsDouble();
    return share <= 1 ? OptionalDouble.of(share) : OptionalDouble.empty();
  }

  static OptionalDouble decimal(String text) {
    return DECIMAL.matcher(text).matches()
        ? OptionalDouble.of(Double.parseDouble(text))
        : OptionalDouble.empty();
  }

  /** Reads a duration of at most 100 days. */
  public static OptionalLong nanos(String text) {
    try {
      long micros = Durations.parseMicros(text);
      return micros <= MAX_MICROS ? OptionalLong.of(micros * NANOS_A_MICRO) : OptionalLong.empty();
    } catch (TimeText.Invalid e) {
      return OptionalLong.empty(); // the caller says what a duration looks like
    }
  }
}
