package io.varve.load.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The model against the published figures, and against cases that can be counted by hand. */
class PagesModelTest {
  @Test
  void meansOfTenSeedsAreThePublishedFigures() {
    List<PagesFigures> seeds =
        LongStream.rangeClosed(1, 10)
            .mapToObj(seed -> new PagesModel(PagesSettings.PUBLISHED, seed).ask())
            .toList();
    assertThat(mean(seeds, PagesFigures::pagesA)).isEqualTo(19.99, within(0.02));
    assertThat(mean(seeds, PagesFigures::pagesB)).isEqualTo(1.48, within(0.03));
    assertThat(mean(seeds, PagesFigures::indexPagesA)).isEqualTo(3.04, within(0.02));
    assertThat(mean(seeds, PagesFigures::indexPagesB)).isEqualTo(2);
    assertThat(mean(seeds, PagesFigures::rowsOnPagesA)).isEqualTo(799.7, within(0.8));
    assertThat(mean(seeds, PagesFigures::rowsOnPagesB)).isEqualTo(59.2, within(1.2));
    assertThat(mean(seeds, PagesFigures::marchRows)).isEqualTo(8.5, within(0.2));
    assertThat(mean(seeds, PagesFigures::marchPagesA)).isEqualTo(8.5, within(0.2));
    assertThat(mean(seeds, PagesFigures::marchPagesB)).isEqualTo(1.19, within(0.04));
    assertThat(mean(seeds, PagesFigures::marchExaminedA)).isEqualTo(8.5, within(0.2));
    assertThat(mean(seeds, PagesFigures::marchExaminedB)).isBetween(28.0, 29.5);
  }

  private static double mean(List<PagesFigures> seeds, ToDoubleFunction<PagesFigures> figure) {
    return seeds.stream().mapToDouble(figure).average().orElseThrow();
  }

  /** The newest rows of the only key there is begin at a page's edge. */
  @Test
  void oneAccountOfAMillionRowsReadsOnePage() {
    PagesFigures figures = new PagesModel(PagesSettings.PUBLISHED.ofOneKey(1_000_000), 7).ask();
    assertThat(figures.pagesB()).isEqualTo(1);
    assertThat(figures.pagesA()).isGreaterThan(19);
  }

  /** Four rows a page and one key: what lies where can be counted. */
  @Test
  void fewRowsOnFewPagesAreCountedExactly() {
    PagesFigures figures = new PagesModel(new PagesSettings(8, 1, 800, 200, 16, 1, 8), 3).ask();
    assertThat(figures.pagesA()).isEqualTo(2);
    assertThat(figures.pagesB()).isEqualTo(2);
    assertThat(figures.rowsOnPagesB()).isEqualTo(8);
    assertThat(figures.indexPagesA()).isEqualTo(1);
  }

  @Test
  void theSameSeedGivesTheSameFigures() {
    assertThat(new PagesModel(PagesSettings.PUBLISHED, 42).ask())
        .isEqualTo(new PagesModel(PagesSettings.PUBLISHED, 42).ask());
  }

  @Test
  void aPageThatHoldsNoRowIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PagesSettings(1, 1, 100, 200, 16, 1, 1))
        .withMessageContaining("page_bytes=100 row_bytes=200");
  }
}
