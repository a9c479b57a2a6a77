package io.varve.load.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** The search on targets that are a rule: no clock, no I/O. */
class RateSearchTest {
  private static final long HIGHEST = 4_000_000;

  private static List<Long> run(RateSearch search, LongPredicate meets) {
    List<Long> tried = new ArrayList<>();
    while (search.next().isPresent()) {
      long rate = search.next().getAsLong();
      assertThat(tried).as("no rate is tried twice").doesNotContain(rate);
      assertThat(rate).isBetween(1L, HIGHEST);
      tried.add(rate);
      assertThat(tried).as("it ends").hasSizeLessThan(60);
      search.tried(meets.test(rate));
    }
    return tried;
  }

  @Test
  void limitIsFoundWithinTheResolutionWhereverItIs() {
    for (long start : new long[] {1, 10_000, 400_000}) {
      for (long limit : new long[] {50_000, 9_999, 10_000, 10_001, 137_000, 3_999_999}) {
        RateSearch search = new RateSearch(start, 2, 0.05, HIGHEST);
        run(search, rate -> rate <= limit);
        assertThat(search.found()).as("start=%s limit=%s", start, limit).isPresent();
        assertThat((double) search.found().getAsLong()).isBetween(limit / 1.05 - 1, (double) limit);
        assertThat(search.unlimited()).isFalse();
      }
    }
  }

  @Test
  void searchTakesStepsByTheLogarithm() {
    RateSearch search = new RateSearch(10_000, 2, 0.05, HIGHEST);
    assertThat(run(search, rate -> rate <= 300_000)).hasSizeLessThanOrEqualTo(11);
  }

  @Test
  void targetThatMeetsNothingIsGivenUp() {
    RateSearch search = new RateSearch(10_000, 2, 0.05, HIGHEST);
    List<Long> tried = run(search, rate -> false);
    assertThat(search.found()).isEmpty();
    assertThat(tried).hasSizeLessThanOrEqualTo(8);
    RateSearch slowest = new RateSearch(1, 2, 0.05, HIGHEST);
    assertThat(run(slowest, rate -> false)).containsExactly(1L);
  }

  @Test
  void targetThatMeetsEverythingEndsAtTheHighestRate() {
    RateSearch search = new RateSearch(10_000, 2, 0.05, HIGHEST);
    run(search, rate -> true);
    assertThat(search.found()).hasValue(HIGHEST);
    assertThat(search.unlimited()).isTrue();
  }

  @Test
  void noiseMovesTheAnswerAndNeverHoldsUpTheSearch() {
    for (long seed = 1; seed <= 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RateSearch search = new RateSearch(10_000, 2, 0.05, HIGHEST);
      long[] lowestFailed = {Long.MAX_VALUE};
      run(
          search,
          rate -> {
            boolean met = rate * (0.7 + 0.6 * random.nextDouble()) <= 200_000;
            lowestFailed[0] = met ? lowestFailed[0] : Math.min(lowestFailed[0], rate);
            return met;
          });
      assertThat(search.found().orElseThrow())
          .as("seed=%s", seed)
          .isBetween(150_000L, 290_000L)
          .isLessThan(lowestFailed[0]);
    }
  }

  @Test
  void repeatFromNearIsShort() {
    RateSearch search = new RateSearch(120_000, 1.2, 0.05, HIGHEST);
    assertThat(run(search, rate -> rate <= 110_000)).hasSizeLessThanOrEqualTo(5);
    assertThat(search.found().orElseThrow()).isBetween(104_000L, 110_000L);
  }

  @Test
  void searchWithoutSenseIsRefused() {
    assertThatThrownBy(() -> new RateSearch(10, 1, 0.05, 100))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RateSearch(10, 2, 0.05, 9))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
