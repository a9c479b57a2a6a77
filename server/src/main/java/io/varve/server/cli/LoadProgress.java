package io.varve.server.cli;

import io.varve.load.measure.Summary;
import io.varve.load.run.Progress;
import java.io.PrintWriter;
import java.util.Locale;

/** The line that says where a load is. */
final class LoadProgress {
  private final LiveLine line;

  LoadProgress(PrintWriter err) {
    this.line = new LiveLine(err, Terminal.stderr());
  }

  void show(Progress progress) {
    line.show(text(progress), System.nanoTime());
  }

  static String text(Progress p) {
    String lag =
        p.lagRecords().isPresent()
            ? String.format(Locale.ROOT, "%,d", p.lagRecords().getAsLong())
            : "unknown";
    return switch (p.phase()) {
      case SENDING ->
          String.format(
              Locale.ROOT,
              "load: asked %,.0f/s, reached %,.0f/s   lag %s records   p99 acknowledged %s, visible"
                  + " %s   %.0f s left",
              p.rateAsked(),
              p.rateReached(),
              lag,
              Summary.text(p.acknowledged().p99()),
              Summary.text(p.visible().p99()),
              p.leftNanos() / 1e9);
      case SETTLING -> "load: all is sent; waiting until it is visible   lag " + lag + " records";
      case CHECKING ->
          String.format(
              Locale.ROOT,
              "load: checking   %,d of %,d sensors read",
              p.sensorsChecked(),
              p.sensorsToCheck());
    };
  }

  void end() {
    line.end();
  }
}
