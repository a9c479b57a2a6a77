package io.varve.load.search;

import java.util.OptionalLong;

/**
 * Decides which rate to try next when the highest one is looked for that meets an objective: it
 * grows until a rate fails, or shrinks until one passes, and then halves what is between in ratio,
 * until that is within the resolution. Each rate is tried once, so it always ends; what noise does
 * to it, repeats show. Single-threaded.
 */
public final class RateSearch {
  /** A first rate that fails is divided by this at most: what is slower meets nothing. */
  private static final long DEEPEST = 64;

  private final long start;
  private final double growth;
  private final double resolution;
  private final long highest;

  /** The highest rate that passed, below each that failed; 0 for none. */
  private long passed;

  /** The lowest rate that failed; beyond the highest for none. */
  private long failed;

  private long next;
  private boolean over;

  /**
   * Begins a search.
   *
   * @param start the first rate to try, in readings a second
   * @param growth factor to the next rate as long as the limit is not enclosed, above 1
   * @param resolution the share by which the lowest rate that failed may be above the answer
   * @param highest the highest rate to try
   */
  public RateSearch(long start, double growth, double resolution, long highest) {
    if (start < 1 || highest < start || !(growth > 1) || !(resolution > 0)) {
      throw new IllegalArgumentException(
          "no search: start=" + start + " growth=" + growth + " resolution=" + resolution);
    }
    this.start = start;
    this.growth = growth;
    this.resolution = resolution;
    this.highest = highest;
    this.failed = Long.MAX_VALUE;
    this.next = start;
  }

  /** The rate to try next; empty when the search is over. */
  public OptionalLong next() {
    return over ? OptionalLong.empty() : OptionalLong.of(next);
  }

  /** Takes the outcome of {@link #next}. */
  public void tried(boolean met) {
    if (over) {
      throw new IllegalStateException("the search is over");
    }
    if (met) {
      passed = next;
    } else {
      failed = next;
    }
    if (failed == Long.MAX_VALUE) {
      over = passed == highest;
      next = Math.min(highest, Math.max(passed + 1, Math.round(passed * growth)));
    } else if (passed == 0) {
      next = Math.min(failed - 1, Math.round(failed / growth));
      over = next < 1 || next < start / DEEPEST;
    } else {
      next = Math.round(Math.sqrt((double) passed * failed));
      over = failed <= passed * (1 + resolution) || next <= passed || next >= failed;
    }
  }

  /** The highest rate that met the objective; empty when none did. */
  public OptionalLong found() {
    return passed == 0 ? OptionalLong.empty() : OptionalLong.of(passed);
  }

  /** Whether the highest rate allowed met it, so that the limit may be higher. */
  public boolean unlimited() {
    return passed == highest;
  }
}
