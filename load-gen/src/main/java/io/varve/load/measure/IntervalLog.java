package io.varve.load.measure;

import java.io.FileNotFoundException;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/** The intervals of several measurements in one file, each under its tag. Single-threaded. */
public final class IntervalLog implements AutoCloseable {
  private static final double NANOS_A_MILLI = 1e6;

  private final HistogramLogWriter writer;

  /**
   * Begins a file.
   *
   * @param startMillis when the run began, in milliseconds since 1970
   */
  public IntervalLog(Path file, long startMillis) throws FileNotFoundException {
    this.writer = new HistogramLogWriter(file.toFile());
    writer.outputComment("Durations in nanoseconds; the last column is in milliseconds.");
    writer.outputLogFormatVersion();
    writer.outputStartTime(startMillis);
    writer.setBaseTime(startMillis);
    writer.outputLegend();
  }

  /**
   * Writes the interval that each measurement has just ended.
   *
   * @param fromNanos where the interval began, in nanoseconds since the start
   * @param toNanos where it ended
   */
  public void write(List<Latency> latencies, long fromNanos, long toNanos) {
    for (Latency latency : latencies) {
      Histogram interval = latency.lastInterval();
      interval.setTag(latency.name());
      writer.outputIntervalHistogram(fromNanos / 1e9, toNanos / 1e9, interval, NANOS_A_MILLI);
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
