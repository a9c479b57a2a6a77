package io.varve.load.lab;

/**
 * What readers met on average in the model of pages; A is the order of arrival, B grouped by key.
 *
 * @param pagesA data pages touched by the latest rows
 * @param pagesB data pages touched by the latest rows
 * @param indexPagesA index pages on the way
 * @param indexPagesB index pages on the way
 * @param rowsOnPagesA rows on the data pages touched
 * @param rowsOnPagesB rows on the data pages touched
 * @param marchRows rows of March
 * @param marchPagesA data pages touched by the rows of March
 * @param marchPagesB data pages touched by the rows of March
 * @param marchExaminedA rows looked at for March
 * @param marchExaminedB rows looked at for March
 */
public record PagesFigures(
    double pagesA,
    double pagesB,
    double indexPagesA,
    double indexPagesB,
    double rowsOnPagesA,
    double rowsOnPagesB,
    double marchRows,
    double marchPagesA,
    double marchPagesB,
    double marchExaminedA,
    double marchExaminedB) {
  /** The same, summed over readers. */
  static final class Sums {
    long pagesA;
    long pagesB;
    long indexPagesA;
    long indexPagesB;
    long rowsOnPagesA;
    long rowsOnPagesB;
    long marchRows;
    long marchPagesA;
    long marchPagesB;
    long marchExaminedA;
    long marchExaminedB;

    PagesFigures means(double readers) {
      return new PagesFigures(
          pagesA / readers,
          pagesB / readers,
          indexPagesA / readers,
          indexPagesB / readers,
          rowsOnPagesA / readers,
          rowsOnPagesB / readers,
          marchRows / readers,
          marchPagesA / readers,
          marchPagesB / readers,
          marchExaminedA / readers,
          marchExaminedB / readers);
    }
  }
}
