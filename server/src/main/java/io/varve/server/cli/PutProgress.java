package io.varve.server.cli;

import io.varve.server.put.CsvSource;
import io.varve.server.put.PutListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * What a reading of CSV files shows on stderr: refused lines, a bar on a terminal, a line every ten
 * seconds elsewhere. The progress library is imported here only.
 */
final class PutProgress implements PutListener, AutoCloseable {
  /** More would hide what they say; the count is in the summary. */
  private static final int SHOWN_REFUSALS = 100;

  private static final long SPEAK_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long MEBIBYTE = 1L << 20;

  private final PrintWriter err;
  private final String task;
  private final long totalBytes;
  private final long startNanos = System.nanoTime();
  private final Optional<ProgressBar> bar;
  private long refusals;
  private long spokenNanos = startNanos;

  /**
   * @param task what is done, in a word
   * @param totalBytes bytes of all files; 0 when not known
   * @param terminal whether a person watches
   */
  PutProgress(PrintWriter err, String task, long totalBytes, boolean terminal) {
    this.err = err;
    this.task = task;
    this.totalBytes = totalBytes;
    this.bar =
        terminal
            ? Optional.of(
                new ProgressBarBuilder()
                    .setTaskName(task)
                    .setInitialMax(totalBytes == 0 ? -1 : totalBytes)
                    .setUnit(" MiB", MEBIBYTE)
                    .setUpdateIntervalMillis(200)
                    .setConsumer(new ConsoleProgressBarConsumer(System.err))
                    .build())
            : Optional.empty();
  }

  @Override
  public void refused(CsvSource source, long line, String reason) {
    refusals++;
    if (refusals <= SHOWN_REFUSALS) {
      say(source.label() + ":" + line + ": " + reason);
    } else if (refusals == SHOWN_REFUSALS + 1) {
      say("further refused lines are counted, not shown");
    }
  }

  @Override
  public void unusable(CsvSource source, String reason) {
    say(source.label() + ": " + reason);
  }

  @Override
  public void notice(CsvSource source, String text) {
    say(source.label() + ": " + text);
  }

  private void say(String line) {
    if (bar.isPresent()) {
      err.print("\r\u001b[K"); // the bar draws itself anew below
    }
    err.println(line);
    err.flush();
  }

  @Override
  public void progress(long bytes, long rows) {
    if (bar.isPresent()) {
      bar.get().stepTo(bytes);
      bar.get().setExtraMessage(String.format(Locale.ROOT, " %,d rows", rows));
      return;
    }
    long now = System.nanoTime();
    if (now - spokenNanos < SPEAK_NANOS) {
      return;
    }
    spokenNanos = now;
    double seconds = (now - startNanos) / 1e9;
    String left =
        totalBytes == 0 || bytes == 0
            ? ""
            : String.format(Locale.ROOT, ", %.0f s left", seconds / bytes * (totalBytes - bytes));
    err.printf(Locale.ROOT, "%s: %,d rows, %,.0f rows/s%s%n", task, rows, rows / seconds, left);
    err.flush();
  }

  @Override
  public void close() {
    bar.ifPresent(ProgressBar::close);
  }
}
