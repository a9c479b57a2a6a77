package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RationedTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 500);
  private final AtomicInteger looks = new AtomicInteger();

  private final Rationed<Integer> rationed =
      new Rationed<>(
          () -> {
            nanos.addAndGet(10);
            return looks.incrementAndGet();
          },
          nanos::get);

  @Test
  void looksTakeAHundredthOfTheTimeHoweverOftenOneAsks() {
    for (int i = 0; i < 10_000; i++) {
      rationed.get();
      nanos.incrementAndGet();
    }
    // One look takes 10 and stands for 1 000 after it; the clock ran over its end meanwhile.
    assertThat(looks).hasValue(10);
  }

  @Test
  void tellsWhatWasSeenLastUntilItsTimeIsUp() {
    assertThat(rationed.get()).isEqualTo(1);
    nanos.addAndGet(999);
    assertThat(rationed.get()).isEqualTo(1);
    nanos.incrementAndGet();
    assertThat(rationed.get()).isEqualTo(2);
  }
}
