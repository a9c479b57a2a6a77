package io.varve.server.put;

/** Told what a put meets. Called on the thread that puts. */
public interface PutListener {
  /** A line that is no reading, at its line number counted from 1. */
  void refused(CsvSource source, long line, String reason);

  /** A file that cannot be read, or not beyond some line. */
  void unusable(CsvSource source, String reason);

  /** Something to know about a file that is put all the same. */
  void notice(CsvSource source, String text);

  /** Reads went on; called every few thousand lines. */
  void progress(long bytes, long rows);
}
