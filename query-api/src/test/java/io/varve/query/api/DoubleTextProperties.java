package io.varve.query.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.NumberOutput;
import io.varve.storage.Seeded;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Decimal text of doubles: the same bits when read back, and never longer than need be. */
class DoubleTextProperties {
  private final char[] text = new char[DoubleText.MAX_LENGTH];

  private String write(double value) {
    return new String(text, 0, DoubleText.write(value, text, 0));
  }

  private void check(double value) {
    String written = write(value);
    assertThat(Double.doubleToRawLongBits(Double.parseDouble(written)))
        .as(written)
        .isEqualTo(Double.doubleToRawLongBits(value));
    assertThat(digits(written)).isEqualTo(digits(NumberOutput.toString(value, true)));
  }

  /** The significant digits alone. */
  private static String digits(String written) {
    String mantissa = written.split("E", -1)[0].replace(".", "").replace("-", "");
    return mantissa.replaceFirst("^0+", "").replaceFirst("0+$", "");
  }

  @Test
  void plainValuesArePlainText() {
    assertThat(write(0)).isEqualTo("0.0");
    assertThat(write(-0.0)).isEqualTo("-0.0");
    assertThat(write(21.5)).isEqualTo("21.5");
    assertThat(write(-5)).isEqualTo("-5.0");
    assertThat(write(0.001)).isEqualTo("0.001");
    assertThat(write(0.1 + 0.2)).isEqualTo("0.30000000000000004");
    assertThat(write(123456789.125)).isEqualTo("123456789.125");
    assertThat(write(99999999999999.9)).isEqualTo("99999999999999.9");
    assertThat(write(Double.MIN_VALUE)).isEqualTo("4.9E-324");
  }

  @Seeded
  void decimalsReadBack(RandomGenerator random) {
    for (int i = 0; i < 20_000; i++) {
      double power = Math.pow(10, random.nextInt(12));
      check(Math.rint(random.nextGaussian() * 1e6) / power);
    }
  }

  @Seeded
  void allBitPatternsReadBack(RandomGenerator random) {
    for (int i = 0; i < 20_000; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        check(value);
      }
    }
  }

  @Seeded
  void neighboursOfDecimalsReadBack(RandomGenerator random) {
    for (int i = 0; i < 20_000; i++) {
      double value = random.nextInt(1_000_000) / Math.pow(10, random.nextInt(8));
      check(Math.nextUp(value));
      check(Math.nextDown(value));
    }
  }
}
