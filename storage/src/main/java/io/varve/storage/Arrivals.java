package io.varve.storage;

/**
 * How rows came to some stores, as they were applied: what is replayed into an empty store counts
 * anew, what is replayed over rows that are there counts as a duplicate.
 *
 * @param stored rows that were new under their key, also those that have left since
 * @param late those of them that did not come behind the newest row of their partition
 * @param overwritten rows that replaced another value
 * @param duplicates rows that were there already
 */
public record Arrivals(long stored, long late, long overwritten, long duplicates) {
  /** No rows. */
  public static final Arrivals NONE = new Arrivals(0, 0, 0, 0);

  /** These and others together. */
  public Arrivals plus(Arrivals others) {
    return new Arrivals(
        stored + others.stored,
        late + others.late,
        overwritten + others.overwritten,
        duplicates + others.duplicates);
  }

  /** New rows that came behind the newest of their partition. */
  public long inOrder() {
    return Math.max(0, stored - late);
  }

  /** Late rows among the new ones; 0 where there are none. */
  public double lateRatio() {
    return stored == 0 ? 0 : Math.min(1, (double) late / stored);
  }

  /** Overwritten rows among all that came; 0 where there are none. */
  public double overwriteRatio() {
    long all = stored + overwritten + duplicates;
    return all == 0 ? 0 : (double) overwritten / all;
  }
}
