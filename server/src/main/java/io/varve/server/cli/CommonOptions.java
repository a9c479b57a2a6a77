package io.varve.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options that every command has. */
@Command
final class CommonOptions {
  @Option(
      names = "--verbose",
      description = "Stack traces, and the log lines of libraries from INFO on.")
  void verbose(boolean on) {
    if (on) {
      Verbosity.raise();
    }
  }

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  private boolean help;
}
