package io.varve.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainTest {
  @Test
  void librariesAreKeptFromPhoningHomeBeforeAnythingElse() {
    System.clearProperty("chronicle.analytics.disable");
    Main.quiet();
    assertThat(System.getProperty("chronicle.analytics.disable")).isEqualTo("true");
    assertThat(System.getProperty("chronicle.announcer.disable")).isEqualTo("true");
  }
}
