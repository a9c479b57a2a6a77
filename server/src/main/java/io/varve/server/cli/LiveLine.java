package io.varve.server.cli;

import java.io.PrintWriter;
import java.time.Duration;

/**
 * A status line that is written over on a terminal, and repeated every ten seconds elsewhere.
 * Single-threaded.
 */
final class LiveLine {
  private static final long REPEAT_NANOS = Duration.ofSeconds(10).toNanos();

  /** Back to the first column, and clear to the end of the line. */
  private static final String OVERWRITE = "\r\u001b[K";

  private final PrintWriter err;
  private final boolean terminal;
  private boolean printed;
  private long lastNanos;

  LiveLine(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  /** Shows a new state of the line. */
  void show(String text, long nowNanos) {
    if (terminal) {
      err.print(OVERWRITE + text);
      err.flush();
    } else if (!printed || nowNanos - lastNanos >= REPEAT_NANOS) {
      err.println(text);
      err.flush();
      lastNanos = nowNanos;
    }
    printed = true;
  }

  /** Leaves the line as it is and goes to the next. */
  void end() {
    if (terminal && printed) {
      err.println();
      err.flush();
    }
  }
}
