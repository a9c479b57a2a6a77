package io.varve.query.plan;

import io.varve.storage.Order;
import java.util.Set;

/**
 * The rows of one time bucket, folded as they pass. Single-threaded, reused from bucket to bucket.
 *
 * <p>Rules, the same for both orders of the walk and for every split over shards:
 *
 * <ul>
 *   <li>NaN rows are skipped by every aggregate; a bucket of nothing else counts as empty.
 *   <li>{@code sum} is the exact sum, rounded once; {@code avg} is that sum over the count and does
 *       not overflow on the way. A sum beyond the range of doubles is an infinity. Infinities of
 *       one sign give that infinity, of both signs NaN. A sum of zeros is 0.0, whatever their
 *       signs.
 *   <li>{@code min} and {@code max} take −0.0 as less than 0.0.
 *   <li>{@code first} and {@code last} are the values of the oldest and newest row by (timestamp,
 *       sequence), bit for bit.
 * </ul>
 */
public final class Bucket {
  private final boolean sums;
  private final boolean bounds;
  private final boolean newestFirst;
  private final ExactSum sum = new ExactSum();
  private long count;
  private long positiveInfinities;
  private long negativeInfinities;
  private double min;
  private double max;
  private double firstSeen;
  private double lastSeen;

  Bucket(Set<Aggregate> aggregates, Order order) {
    this.sums = aggregates.contains(Aggregate.SUM) || aggregates.contains(Aggregate.AVG);
    this.bounds = aggregates.contains(Aggregate.MIN) || aggregates.contains(Aggregate.MAX);
    this.newestFirst = order == Order.NEWEST_FIRST;
  }

  void clear() {
    sum.clear();
    count = 0;
    positiveInfinities = 0;
    negativeInfinities = 0;
    min = Double.POSITIVE_INFINITY;
    max = Double.NEGATIVE_INFINITY;
  }

  /**
   * Adds rows {@code [from, to)} of a column that stands oldest first.
   *
   * @param valueBits bits of doubles
   */
  void add(long[] valueBits, int from, int to) {
    if (newestFirst) {
      for (int i = to - 1; i >= from; i--) {
        add(Double.longBitsToDouble(valueBits[i]));
      }
    } else {
      for (int i = from; i < to; i++) {
        add(Double.longBitsToDouble(valueBits[i]));
      }
    }
    if (sums) {
      sum.add(valueBits, from, to);
    }
  }

  private void add(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    if (count == 0) {
      firstSeen = value;
    }
    lastSeen = value;
    count++;
    if (Double.isInfinite(value)) {
      positiveInfinities += value > 0 ? 1 : 0;
      negativeInfinities += value > 0 ? 0 : 1;
    }
    if (bounds) {
      min = Math.min(min, value);
      max = Math.max(max, value);
    }
  }

  /** Number of rows that are not NaN. */
  public long count() {
    return count;
  }

  /**
   * Returns an aggregate of a bucket that is not empty.
   *
   * @param aggregate one that was asked for when the walk began
   */
  public double value(Aggregate aggregate) {
    return switch (aggregate) {
      case COUNT -> count;
      case MIN -> min;
      case MAX -> max;
      case FIRST -> newestFirst ? lastSeen : firstSeen;
      case LAST -> newestFirst ? firstSeen : lastSeen;
      case SUM -> hasInfinity() ? infinite() : sum.sum();
      case AVG -> hasInfinity() ? infinite() : sum.average(count);
    };
  }

  private boolean hasInfinity() {
    return positiveInfinities + negativeInfinities > 0;
  }

  private double infinite() {
    if (positiveInfinities > 0 && negativeInfinities > 0) {
      return Double.NaN;
    }
    return positiveInfinities > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
  }
}
