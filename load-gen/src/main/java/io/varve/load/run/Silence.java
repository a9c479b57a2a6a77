package io.varve.load.run;

/**
 * Decides when a target of which something is due has been silent for too long. It is told what
 * came so far, at some moments; single-threaded.
 */
final class Silence {
  private long seen;
  private long sinceNanos;
  private boolean begun;

  /**
   * Tells whether nothing came for so long.
   *
   * @param nowNanos the moment, in nanoseconds since some fixed one
   * @param came how much came so far
   * @param owed whether more is due to come
   * @param limitNanos the longest silence
   */
  boolean over(long nowNanos, long came, boolean owed, long limitNanos) {
    if (!begun || came != seen || !owed) {
      begun = true;
      seen = came;
      sinceNanos = nowNanos;
      return false;
    }
    return nowNanos - sinceNanos >= limitNanos;
  }
}
