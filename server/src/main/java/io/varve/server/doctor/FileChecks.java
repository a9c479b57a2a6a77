package io.varve.server.doctor;

import java.util.Locale;

/** Whether the node may open what it needs. */
final class FileChecks {
  private static final long FEW = 4096;
  private static final String RAISE =
      "raise the limit of the node's process (ulimit -n, LimitNOFILE of systemd) and restart it";

  private FileChecks() {}

  static Diagnosis openFiles(Examined examined) {
    String check = "open-files";
    NodeFigures node = examined.after();
    if (node.openFiles().isEmpty() || node.maxOpenFiles().isEmpty()) {
      return Diagnosis.warn(
          check,
          "the node does not tell how many files it has open",
          "look at ulimit -n where it runs");
    }
    long open = node.openFiles().getAsLong();
    long most = node.maxOpenFiles().getAsLong();
    double part = (double) open / most;
    String saw =
        String.format(Locale.ROOT, "%,d of %,d files open (%.0f %%)", open, most, 100 * part);
    if (part > 0.8) {
      return Diagnosis.bad(check, saw, RAISE);
    }
    return part > 0.5 || most < FEW ? Diagnosis.warn(check, saw, RAISE) : Diagnosis.ok(check, saw);
  }
}
