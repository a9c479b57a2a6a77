package io.varve.load.lab;

/**
 * What a node says that answers cost it, on average.
 *
 * @param rows rows of an answer
 * @param blocks blocks touched for it
 * @param decoded rows decoded for it
 */
public record StoreFigures(double rows, double blocks, double decoded) {
  /** Rows decoded for each row returned; 0 without any. */
  public double decodedPerRow() {
    return rows == 0 ? 0 : decoded / rows;
  }
}
