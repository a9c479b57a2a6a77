package io.varve.server.config;

import static java.util.Locale.ROOT;

import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The language of sizes: a whole number of bytes, or of a unit. Units of 1000: kB, MB, GB, TB;
 * units of 1024: KiB, MiB, GiB, TiB.
 */
public final class ByteSizes {
  /** The units in words, for messages. */
  public static final String UNITS = "kB, MB, GB, TB, KiB, MiB, GiB or TiB";

  private static final Pattern SIZE = Pattern.compile("(\\d{1,18}) ?(|B|[kMGT]B|[KMGT]iB)");
  private static final List<String> POWERS = List.of("K", "M", "G", "T");

  private ByteSizes() {}

  /** Reads a size; empty if the text is none, or more than 64 bits hold. */
  public static OptionalLong parse(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return OptionalLong.empty();
    }
    String unit = size.group(2);
    long base = unit.endsWith("iB") ? 1024 : 1000;
    int power = unit.length() < 2 ? 0 : POWERS.indexOf(unit.substring(0, 1).toUpperCase(ROOT)) + 1;
    try {
      long bytes = Long.parseLong(size.group(1));
      for (int i = 0; i < power; i++) {
        bytes = Math.multiplyExact(bytes, base);
      }
      return OptionalLong.of(bytes);
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }
}
