package io.varve.server;

import io.varve.server.cli.VarveCommand;
import java.util.Locale;

/** Entry point of the runnable jar. */
public final class Main {
  private Main() {}

  /** Runs the command line and ends the process with its exit code. */
  public static void main(String[] args) {
    speakPlainly();
    quiet();
    System.exit(VarveCommand.run(args));
  }

  /**
   * Takes the machine's language out of play. Kafka 4.4 turns names into constants by the default
   * locale's upper case and does not start in Turkish ({@code CLASSİC}); nothing here is
   * translated.
   */
  private static void speakPlainly() {
    Locale.setDefault(Locale.ROOT);
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
