package io.varve.ingest;

import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.REPLACE_THREAD;
import static org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ThreadDeathsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ThreadDeaths deaths = new ThreadDeaths(nanos::get);

  @Test
  void aDeadThreadIsReplaced() {
    assertThat(deaths.handle(new IllegalStateException("once"))).isEqualTo(REPLACE_THREAD);
    assertThat(deaths.reason()).isEmpty();
  }

  @Test
  void threadsThatKeepDyingEndIngestWithTheRootCause() { // C215
    for (int i = 0; i < ThreadDeaths.MOST; i++) {
      assertThat(deaths.handle(new RuntimeException("again"))).isEqualTo(REPLACE_THREAD);
    }
    assertThat(deaths.handle(new RuntimeException(new java.io.IOException("no space left"))))
        .isEqualTo(SHUTDOWN_CLIENT);
    assertThat(deaths.reason())
        .hasValueSatisfying(why -> assertThat(why).contains("no space left"));
  }

  @Test
  void deathsLongAgoAreForgiven() {
    for (int i = 0; i < 3 * ThreadDeaths.MOST; i++) {
      assertThat(deaths.handle(new RuntimeException("rare"))).isEqualTo(REPLACE_THREAD);
      nanos.addAndGet(ThreadDeaths.WITHIN.toNanos() / 2);
    }
  }

  @Test
  void anErrorOfTheVirtualMachineEndsIngestAtOnce() {
    assertThat(deaths.handle(new OutOfMemoryError("heap"))).isEqualTo(SHUTDOWN_CLIENT);
  }
}
