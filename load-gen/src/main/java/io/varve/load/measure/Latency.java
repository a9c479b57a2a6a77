package io.varve.load.measure;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.Recorder;

/**
 * How long one kind of thing takes: all of the run, and the interval under way.
 *
 * <p>Any thread records. One thread turns intervals over and reads.
 */
public final class Latency {
  static final long HIGHEST_NANOS = 3_600_000_000_000L;
  private static final long LOWEST_NANOS = 1_000;
  private static final int DIGITS = 3;
  private static final int HALVINGS = 5;
  private static final double NANOS_A_MILLI = 1e6;

  private final String name;
  private final long fromNanos;
  private final Recorder recorder = new Recorder(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  private final Histogram total = new Histogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
  private Histogram interval = recorder.getIntervalHistogram();

  /**
   * @param name of letters, digits and hyphens: it becomes a tag and part of a file name
   * @param fromNanos what is due before, in nanoseconds since the start, is warming up and not
   *     recorded
   */
  public Latency(String name, long fromNanos) {
    this.name = name;
    this.fromNanos = fromNanos;
  }

  /** What is measured. */
  public String name() {
    return name;
  }

  /**
   * Records one duration; what is longer than an hour counts as an hour.
   *
   * @param dueNanos when what took so long was due, in nanoseconds since the start
   */
  public void record(long dueNanos, long nanos) {
    if (dueNanos >= fromNanos) {
      recorder.recordValue(Math.max(0, Math.min(nanos, HIGHEST_NANOS)));
    }
  }

  /** Records the same duration several times. */
  public void record(long dueNanos, long nanos, long times) {
    if (dueNanos >= fromNanos) {
      recorder.recordValueWithCount(Math.max(0, Math.min(nanos, HIGHEST_NANOS)), times);
    }
  }

  /** Ends the interval under way, adds it to the total, and returns it. */
  public Summary turnOver() {
    interval = recorder.getIntervalHistogram(interval);
    total.add(interval);
    return summary(interval);
  }

  Histogram lastInterval() {
    return interval;
  }

  /** All of the run up to the last turn. */
  public Summary total() {
    return summary(total);
  }

  private static Summary summary(Histogram h) {
    return new Summary(
        h.getTotalCount(),
        (long) h.getMean(),
        h.getValueAtPercentile(50),
        h.getValueAtPercentile(90),
        h.getValueAtPercentile(99),
        h.getValueAtPercentile(99.9),
        h.getValueAtPercentile(99.99),
        h.getMaxValue());
  }

  /** Points of the total's distribution, from the least to the greatest, denser at the end. */
  public List<Quantile> distribution() {
    List<Quantile> points = new ArrayList<>();
    for (HistogramIterationValue value : total.percentiles(HALVINGS)) {
      points.add(
          new Quantile(
              value.getPercentileLevelIteratedTo() / 100,
              value.getValueIteratedTo(),
              value.getTotalCountToThisValue()));
    }
    return points;
  }

  /** Writes the total's distribution in milliseconds, in the text form of HdrHistogram. */
  public void writeDistribution(Path file) throws IOException {
    try (PrintStream out = new PrintStream(file.toFile(), StandardCharsets.UTF_8)) {
      total.outputPercentileDistribution(out, HALVINGS, NANOS_A_MILLI);
      if (out.checkError()) {
        throw new FileNotFoundException("cannot be written file=" + file);
      }
    }
  }
}
