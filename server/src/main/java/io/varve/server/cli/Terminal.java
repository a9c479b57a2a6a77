package io.varve.server.cli;

/**
 * What the process's streams are connected to.
 *
 * <p>Java 17 cannot tell for one stream, so the start script does, by a system property for each.
 */
final class Terminal {
  private Terminal() {}

  /** Whether a person reads stdout. */
  static boolean stdout() {
    return Boolean.getBoolean("varve.terminal.stdout");
  }

  /** Whether a person reads stderr. */
  static boolean stderr() {
    return Boolean.getBoolean("varve.terminal.stderr");
  }

  /** Whether text may be coloured: on a terminal, unless NO_COLOR asks for none. */
  static boolean ansi() {
    String noColor = System.getenv("NO_COLOR");
    return stdout() && (noColor == null || noColor.isEmpty());
  }
}
