package io.varve.server.put;

/**
 * What came of a put.
 *
 * @param files files read to their end
 * @param unusableFiles files that were not, or only in part
 * @param rows rows sent and acknowledged; in a dry run, rows that would be sent
 * @param refusedLines lines that are no reading
 * @param failedRows rows that the brokers did not acknowledge
 * @param nanos how long it took
 */
public record PutReport(
    int files, int unusableFiles, long rows, long refusedLines, long failedRows, long nanos) {
  /** Whether everything went in. */
  public boolean complete() {
    return unusableFiles == 0 && refusedLines == 0 && failedRows == 0;
  }

  /** Rows a second. */
  public double rowsPerSecond() {
    return rows / Math.max(nanos / 1e9, 1e-3);
  }
}
