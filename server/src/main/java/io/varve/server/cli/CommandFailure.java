package io.varve.server.cli;

import org.jspecify.annotations.Nullable;

/** The end of a command that did not work, said for a person. */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final String what;
  private final String why;
  private final String whatToDo;

  /**
   * @param exitCode one of {@link ExitCode}
   * @param what what did not work
   * @param why the cause; empty where {@code what} says it
   * @param whatToDo the next step
   */
  CommandFailure(
      int exitCode, String what, String why, String whatToDo, @Nullable Throwable cause) {
    super(what, cause);
    this.exitCode = exitCode;
    this.what = what;
    this.why = why;
    this.whatToDo = whatToDo;
  }

  CommandFailure(int exitCode, String what, String why, String whatToDo) {
    this(exitCode, what, why, whatToDo, null);
  }

  /** A failure for what was asked in a wrong way and {@code what} says why. */
  static CommandFailure usage(String what, String whatToDo) {
    return new CommandFailure(ExitCode.USAGE, what, "", whatToDo);
  }

  int exitCode() {
    return exitCode;
  }

  /** The lines for stderr. */
  String text() {
    StringBuilder text = new StringBuilder("varve: ").append(oneLine(what));
    if (!why.isEmpty()) {
      text.append("\n  why: ").append(oneLine(why));
    }
    if (!whatToDo.isEmpty()) {
      text.append("\n  do:  ").append(oneLine(whatToDo));
    }
    return text.toString();
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("[\\r\\n]+", " | ");
  }
}
