package io.varve.server.cli;

import io.varve.load.fleet.KnobText;
import java.util.OptionalLong;

/** Reads counts and times as loads write them: {@code 100k}, {@code 1m30s}. */
final class LoadNumbers {
  private LoadNumbers() {}

  /** Reads a time. */
  static long nanos(String option, String text) throws CommandFailure {
    OptionalLong nanos = KnobText.nanos(text);
    if (nanos.isEmpty()) {
      throw usage(option + " must be a time of at most 100d: got=" + text, option + " 30s");
    }
    return nanos.getAsLong();
  }

  /** Reads a count above 0. */
  static long count(String option, String text) throws CommandFailure {
    OptionalLong count = KnobText.count(text);
    if (count.isEmpty() || count.getAsLong() == 0) {
      throw usage(option + " must be a whole number above 0: got=" + text, option + " 100k");
    }
    return count.getAsLong();
  }

  /** A failure for what was asked in a wrong way. */
  static CommandFailure usage(String what, String example) {
    return CommandFailure.usage(what, "for example " + example);
  }
}
