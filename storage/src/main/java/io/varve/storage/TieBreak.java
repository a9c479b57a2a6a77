package io.varve.storage;

/** Which of two sources of a merge is shown when both stand on one clustering key. */
@FunctionalInterface
public interface TieBreak {
  /** The source listed first. */
  TieBreak FIRST = (timestampMicros, sequence, a, b) -> a < b;

  /**
   * Tells whether source {@code a} is shown rather than {@code b}; for one key, the same answer
   * each time, of any two sources one.
   */
  boolean prefers(long timestampMicros, long sequence, int a, int b);
}
