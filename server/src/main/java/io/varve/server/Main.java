package io.varve.server;

import io.varve.server.cli.VarveCommand;

/** Entry point of the runnable jar. */
public final class Main {
  private Main() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] args) {
    quiet();
    System.exit(VarveCommand.run(args));
  }

  /**
   * Keeps libraries from phoning home and from banners; must run before their first class loads.
   * Chronicle's reporter is not in the jar either: this holds if somebody adds it to the class
   * path.
   */
  static void quiet() {
    System.setProperty("chronicle.analytics.disable", "true");
    System.setProperty("chronicle.announcer.disable", "true");
  }
}
