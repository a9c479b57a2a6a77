package io.varve.query.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Seeded;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.random.RandomGenerator;

/** The exact sum against BigDecimal. */
class ExactSumProperties {
  private final ExactSum sum = new ExactSum();

  @Seeded
  void sumIsTheExactOneRoundedOnce(RandomGenerator random) {
    for (int round = 0; round < 300; round++) {
      double[] values = values(random, 1 + random.nextInt(200));
      BigDecimal exact = BigDecimal.ZERO;
      sum.clear();
      for (double value : values) {
        exact = exact.add(new BigDecimal(value));
        sum.add(value);
      }
      assertThat(sum.sum()).as("round=%d", round).isEqualTo(exact.doubleValue());
      double average = exact.divide(BigDecimal.valueOf(values.length), EXACT_ENOUGH).doubleValue();
      assertThat(Math.abs(sum.average(values.length) - average))
          .as("round=%d", round)
          .isLessThanOrEqualTo(Math.ulp(average));
    }
  }

  @Seeded
  void orderDoesNotMatter(RandomGenerator random) {
    double[] values = values(random, 5_000);
    sum.clear();
    for (double value : values) {
      sum.add(value);
    }
    final double forwards = sum.sum();
    sum.clear();
    for (int i = values.length - 1; i >= 0; i--) {
      sum.add(values[i]);
    }
    assertThat(sum.sum()).isEqualTo(forwards);
  }

  @Seeded
  void columnsAddUpLikeTheirValues(RandomGenerator random) {
    double[] others = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0};
    for (int round = 0; round < 100; round++) {
      double[] values = values(random, 1 + random.nextInt(5_000));
      long[] bits = new long[values.length];
      for (int i = 0; i < values.length; i++) {
        boolean other = random.nextInt(50) == 0;
        double value = other ? others[random.nextInt(others.length)] : values[i];
        values[i] = Double.isFinite(value) ? value : 0;
        bits[i] = Double.doubleToRawLongBits(value);
      }
      sum.clear();
      for (double value : values) {
        sum.add(value);
      }
      final double oneByOne = sum.sum();
      sum.clear();
      for (int from = 0; from < bits.length; ) {
        int to = Math.min(bits.length, from + 1 + random.nextInt(700));
        sum.add(bits, from, to);
        from = to;
      }
      assertThat(sum.sum()).as("round=%d", round).isEqualTo(oneByOne);
    }
  }

  private static final MathContext EXACT_ENOUGH = new MathContext(60, RoundingMode.HALF_EVEN);

  /** Values of every size, or of one size, so that carries and cancellation both happen. */
  private static double[] values(RandomGenerator random, int count) {
    double[] values = new double[count];
    int kind = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (kind) {
            case 0 -> Double.longBitsToDouble(random.nextLong() & ~(1L << 62));
            case 1 -> random.nextGaussian() * 1e9;
            case 2 -> (random.nextBoolean() ? 1 : -1) * 1e16 + random.nextInt(10);
            default -> Double.MIN_VALUE * random.nextInt(1_000) * (random.nextBoolean() ? 1 : -1);
          };
      if (!Double.isFinite(values[i])) {
        values[i] = 1;
      }
    }
    return values;
  }
}
