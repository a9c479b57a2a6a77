package io.varve.server.advise;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Judges candidate keys by what a replay showed of them.
 *
 * <p>Proposed is, among the keys that fail nothing, the one that touches the fewest partitions for
 * a query, of several the one with the widest bucket. Where each fails something, it is the one
 * whose first failing property has the least weight.
 */
public final class KeyJudge {
  private static final int MOST_SHARDS = 64;

  /** A median partition of no more rows is no partition but a row. */
  private static final double ONE_ROW = 1.5;

  private final ReplayFigures figures;
  private final Guides guides;

  private KeyJudge(ReplayFigures figures, Guides guides) {
    this.figures = figures;
    this.guides = guides;
  }

  /** Returns the advice on a sample. */
  public static Advice judge(ReplayFigures figures, Guides guides) {
    return new KeyJudge(figures, guides).advice();
  }

  private Advice advice() {
    List<Candidate> candidates = new ArrayList<>();
    for (KeyFigures key : figures.keys()) {
      for (int shards = 1; shards <= MOST_SHARDS; shards *= 2) {
        candidates.add(candidate(key, shards));
      }
    }
    Candidate proposal = candidates.stream().min(BY_WORTH).orElseThrow();
    Remarks remarks = new Remarks(figures, guides, candidates, proposal);
    return new Advice(candidates, proposal, remarks.warnings(), remarks.notes());
  }

  private static final Comparator<Candidate> BY_WORTH =
      Comparator.comparingInt(
              (Candidate c) ->
                  -c.firstFailing().map(Property::ordinal).orElse(Property.values().length))
          .thenComparingInt(c -> c.failing().size())
          .thenComparingLong(Candidate::touched)
          .thenComparing(Comparator.comparing(Candidate::width).reversed())
          .thenComparingInt(Candidate::shards);

  private Candidate candidate(KeyFigures key, int shards) {
    LargestPartitions.Largest largest = key.largest();
    double toFull = toFull(key.width()) / shards;
    Candidate unjudged =
        new Candidate(
            key.width(),
            shards,
            touched(key.width()) * shards,
            key.partitions(shards),
            key.p50Rows(shards),
            shareOf(largest.rows(), shards),
            shareOf(largest.rowsAtMost(), shards),
            shareOf(largest.bytes(), shards),
            largest.rows() * toFull,
            largest.bytes() * toFull,
            List.of());
    return unjudged.failing(failing(unjudged));
  }

  private static long shareOf(long all, int shards) {
    return (all + shards - 1) / shards;
  }

  /** How many times as long as the sample its largest partition goes on; 1 at least. */
  private double toFull(BucketWidth width) {
    double days = width == BucketWidth.NONE ? guides.keepDays() : width.hours() / 24.0;
    return Math.max(1, days / figures.daysCovered());
  }

  /** Buckets that a query needs when it begins where one does. */
  private long touched(BucketWidth width) {
    if (width == BucketWidth.NONE) {
      return 1;
    }
    double hours = guides.query().hours(figures.medianRowsAnHour());
    return Math.max(1, (long) Math.ceil(hours / width.hours() - 1e-9));
  }

  private List<Property> failing(Candidate c) {
    List<Property> failing = new ArrayList<>();
    boolean over = c.fullRows() > guides.rows() || c.fullBytes() > guides.bytes();
    if (c.touched() > guides.touched()) {
      failing.add(Property.ALIGNMENT);
    }
    if (figures.sensors() * c.shards() < guides.keys() || c.p50Rows() < ONE_ROW) {
      failing.add(Property.CARDINALITY);
    }
    boolean busy = figures.largestShare() / c.shards() > guides.share();
    if (c.skew() > guides.skew() && (over || busy)) {
      failing.add(Property.SKEW);
    }
    if (over) {
      failing.add(Property.GROWTH);
    }
    return failing;
  }
}
