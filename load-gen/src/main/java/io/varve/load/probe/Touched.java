package io.varve.load.probe;

/**
 * What answers of one kind cost the target, as it says itself, all of them together.
 *
 * @param answers how many there were; a walk is one
 * @param rows rows in them
 * @param blocks blocks touched for them
 * @param rowsDecoded rows decoded for them
 */
public record Touched(long answers, long rows, long blocks, long rowsDecoded) {
  /** Nothing yet. */
  public static final Touched NOTHING = new Touched(0, 0, 0, 0);

  /** This and one more answer. */
  Touched plus(long moreRows, long moreBlocks, long moreRowsDecoded) {
    return new Touched(
        answers + 1, rows + moreRows, blocks + moreBlocks, rowsDecoded + moreRowsDecoded);
  }

  /** How much of something is there for each answer; 0 without any. */
  public double each(long whole) {
    return answers == 0 ? 0 : (double) whole / answers;
  }
}
