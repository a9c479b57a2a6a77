package io.varve.ingest.traffic;

import java.util.ArrayList;
import java.util.List;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.ItemsSketch;

/**
 * The most frequent items of a stream of weighted samples, in bounded memory: at most {@value
 * #MOST_ITEMS} items are held, and a weight is off by at most 3.5/1024 of all (Misra and Gries, as
 * the sketch library does it). What sampling adds to that is reckoned here. Not thread-safe.
 */
final class HeavyHitters<T> {
  /** Counters of the sketch at its largest, of which three in four are used. */
  private static final int COUNTERS = 1024;

  private static final int MOST_ITEMS = COUNTERS * 3 / 4;

  /** Bounds hold for all but one in some hundred. */
  private static final double SIGMAS = 3;

  private final ItemsSketch<T> sketch = new ItemsSketch<>(COUNTERS);
  private long total;

  /** Sum of the variances that sampling gives the weights: 0 where each row was seen. */
  private double variance;

  /**
   * Adds a sample.
   *
   * @param weight what it counts, at least 1
   * @param standsFor rows that it stands for, itself included
   */
  void add(T item, long weight, int standsFor) {
    sketch.update(item, weight);
    total += weight;
    variance += (double) weight * weight * (1 - 1.0 / standsFor);
  }

  /** All parts together. */
  static <T> HeavyHitters<T> sum(List<HeavyHitters<T>> parts) {
    HeavyHitters<T> sum = new HeavyHitters<>();
    parts.forEach(sum::addAll);
    return sum;
  }

  private void addAll(HeavyHitters<T> other) {
    ItemsSketch<T> unused = sketch.merge(other.sketch);
    total += other.total;
    variance += other.variance;
  }

  /** What the item counts so far, at least, but for sampling. */
  long atLeast(T item) {
    return sketch.getLowerBound(item);
  }

  /** Weight of all samples. */
  long total() {
    return total;
  }

  void clear() {
    sketch.reset();
    total = 0;
    variance = 0;
  }

  /** Returns the most frequent items, the busiest first. */
  List<Hit<T>> top(int most) {
    List<Hit<T>> hits = new ArrayList<>();
    if (total == 0) {
      return hits;
    }
    double variancePerWeight = variance / total;
    for (ItemsSketch.Row<T> row : sketch.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
      if (hits.size() == most) {
        break;
      }
      long bySampling = (long) Math.ceil(SIGMAS * Math.sqrt(row.getEstimate() * variancePerWeight));
      hits.add(
          new Hit<>(
              row.getItem(),
              row.getEstimate(),
              Math.max(0, row.getLowerBound() - bySampling),
              row.getUpperBound() + bySampling));
    }
    return hits;
  }
}
