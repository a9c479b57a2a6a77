package io.varve.server.put;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatNumbersTest {
  @Test
  void repeatsAreNumberedInFileOrder() {
    RepeatNumbers numbers = new RepeatNumbers();
    assertThat(numbers.next("a", 10)).isEqualTo(0);
    assertThat(numbers.next("a", 10)).isEqualTo(1);
    assertThat(numbers.next("b", 10)).isEqualTo(0);
    assertThat(numbers.next("a", 11)).isEqualTo(0);
    assertThat(numbers.next("a", 10)).isEqualTo(2);
    assertThat(numbers.next("b", 10)).isEqualTo(1);
  }

  /** As where a clock is put back an hour: the same hour comes again, not row after row. */
  @Test
  void hourThatComesTwiceIsNumbered() {
    RepeatNumbers numbers = new RepeatNumbers();
    for (int pass = 0; pass < 2; pass++) {
      for (int minute = 0; minute < 60; minute++) {
        assertThat(numbers.next("a", minute)).isEqualTo(pass);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void anyOrderIsNumberedLikeAnUnboundedCountWhileAllIsRemembered(long seed) {
    Random random = new Random(seed);
    RepeatNumbers numbers = new RepeatNumbers(20_000);
    Map<String, Long> model = new HashMap<>();
    for (int i = 0; i < 19_000; i++) {
      String sensor = "s" + random.nextInt(5);
      long timestamp = random.nextInt(2_000);
      long expected = model.merge(sensor + "@" + timestamp, 1L, Long::sum) - 1;
      assertThat(numbers.next(sensor, timestamp)).as("seed=%d row=%d", seed, i).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1})
  void orderedFilesNeedNoMemory(int direction) {
    RepeatNumbers numbers = new RepeatNumbers(8);
    for (int i = 0; i < 10_000; i++) {
      for (String sensor : new String[] {"a", "b", "c"}) {
        assertThat(numbers.next(sensor, (long) direction * i)).isEqualTo(0);
        assertThat(numbers.next(sensor, (long) direction * i)).isEqualTo(1);
      }
    }
  }

  /** The safety rule: never a number that another row of the same time already has. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void forgottenRowsAreNeverNumberedTwice(long seed) {
    Random random = new Random(seed);
    RepeatNumbers numbers = new RepeatNumbers(50);
    Map<String, Long> model = new HashMap<>();
    int unknown = 0;
    for (int i = 0; i < 20_000; i++) {
      String sensor = "s" + random.nextInt(3);
      long timestamp = random.nextInt(500);
      long number = numbers.next(sensor, timestamp);
      if (number == RepeatNumbers.UNKNOWN) {
        unknown++;
      } else {
        long expected = model.merge(sensor + "@" + timestamp, 1L, Long::sum) - 1;
        assertThat(number).as("seed=%d row=%d", seed, i).isEqualTo(expected);
      }
    }
    assertThat(unknown).isPositive();
  }

  @Test
  void sensorThatBeganLatelyIsFullyKnown() {
    RepeatNumbers numbers = new RepeatNumbers(50);
    for (int i = 0; i < 1_000; i++) {
      numbers.next("old", i);
    }
    numbers.next("new", 10);
    numbers.next("new", 30);
    assertThat(numbers.next("new", 20)).isEqualTo(0);
    assertThat(numbers.next("new", 20)).isEqualTo(1);
    assertThat(numbers.next("old", 5)).isEqualTo(RepeatNumbers.UNKNOWN);
  }
}
