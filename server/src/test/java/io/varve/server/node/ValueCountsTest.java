package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ValueCountsTest {
  private static ValueCounts of(long... values) {
    ValueCounts counts = new ValueCounts();
    Arrays.stream(values).forEach(counts::add);
    return counts;
  }

  @Test
  void oneValueIsAll() {
    assertThat(of(7).summary()).isEqualTo(List.of(7L, 7L, 7L, 7L, 7L, 7L, 7L));
    assertThat(of(1_000_001).summary()).allMatch(each -> each == 1_000_001);
    assertThat(ValueCounts.names()).hasSize(7);
    assertThat(new ValueCounts().isEmpty()).isTrue();
  }

  @Test
  void percentilesAreByTheNearestRank() {
    long[] values = new long[100];
    Arrays.setAll(values, i -> i + 1);
    assertThat(of(values).summary()).isEqualTo(List.of(1L, 50L, 75L, 95L, 98L, 99L, 100L));
    assertThat(of(1, 2).summary().get(1)).isEqualTo(1);
  }

  @Test
  void largeValuesAreAsNearAsIsSaid() {
    SplittableRandom random = new SplittableRandom(3);
    long[] values = random.longs(10_000, 0, 1L << 40).sorted().toArray();
    List<Long> summary = of(values).summary();
    int[] ranks = {1, 5_000, 7_500, 9_500, 9_800, 9_900, 10_000};
    for (int i = 0; i < ranks.length; i++) {
      long exact = values[ranks[i] - 1];
      assertThat(summary.get(i)).isBetween((long) (exact * 0.999), exact);
    }
    assertThat(summary.get(6)).isEqualTo(values[9_999]);
  }
}
