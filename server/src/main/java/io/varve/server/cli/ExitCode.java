package io.varve.server.cli;

/** Exit codes of the command line. */
final class ExitCode {
  /** Done; also a clean stop on a signal. */
  static final int OK = 0;

  /** Tried and failed, wholly or in part. */
  static final int FAILED = 1;

  /** The command line or a setting is wrong; nothing was tried. */
  static final int USAGE = 2;

  /** What was asked for does not exist. */
  static final int NOT_FOUND = 3;

  /** A node or broker did not answer. */
  static final int UNREACHABLE = 4;

  private ExitCode() {}
}
