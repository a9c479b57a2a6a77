package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorWaitTest {
  @Test
  void secondNumberIsTheWait() {
    assertThat(ProcessorWait.parse("1234 567 8\n")).hasValue(567);
  }

  @Test
  void otherTextSaysNothing() {
    assertThat(ProcessorWait.parse("")).isEmpty();
    assertThat(ProcessorWait.parse("1 2")).isEmpty();
    assertThat(ProcessorWait.parse("1 x 3")).isEmpty();
  }

  @Test
  void onAnySystemItIsAnAnswerAndNeverLess() {
    long before = ProcessorWait.nanos().orElse(0);
    assertThat(ProcessorWait.nanos().orElse(0)).isGreaterThanOrEqualTo(before);
  }
}
