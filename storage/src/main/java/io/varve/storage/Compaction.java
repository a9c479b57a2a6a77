package io.varve.storage;

/**
 * How far a store has come with rewriting its days into tight form.
 *
 * @param running whether a day is being rewritten now
 * @param daysDone days rewritten, of those below
 * @param days days that the last or current request for all of them covers; 0 before the first
 */
public record Compaction(boolean running, int daysDone, int days) {
  /** Nothing asked for yet. */
  public static final Compaction NONE = new Compaction(false, 0, 0);
}
