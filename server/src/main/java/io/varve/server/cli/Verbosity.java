package io.varve.server.cli;

/** Whether the user asked for details; must be raised before the first logger exists. */
final class Verbosity {
  private static final String RAISED = "varve.verbose";

  private Verbosity() {}

  /** Turns on stack traces and the log lines of libraries. Read by {@code logback.xml}. */
  static void raise() {
    System.setProperty(RAISED, "true");
    System.setProperty("varve.log.exceptions", "%n%ex");
    System.setProperty("varve.log.ours", "DEBUG");
    System.setProperty("varve.log.foreign", "INFO");
    System.setProperty("varve.log.clients", "INFO");
  }

  /** Silences Kafka's clients, for a command that tells their trouble itself. */
  static void quietClients() {
    if (!raised()) {
      System.setProperty("varve.log.clients", "ERROR");
    }
  }

  /** Silences a node that lives for a command only: no line of what goes well. */
  static void quietNode() {
    if (!raised()) {
      System.setProperty("varve.log.ours", "WARN");
      System.setProperty("varve.log.foreign", "ERROR");
    }
  }

  static boolean raised() {
    return Boolean.getBoolean(RAISED);
  }
}
