package io.varve.ingest.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ingest.check.Refusal;
import org.junit.jupiter.api.Test;

class SourceCountsTest {
  private static final String TEXT =
      "topic-id=abc through=991 routed=980 dead-lettered=2 id-empty=10";

  private final SourceCounts counts = new SourceCounts("readings", 3, "abc");

  @Test
  void textHoldsEveryCount() {
    counts.addRouted(980);
    counts.addDeadLettered();
    counts.addDeadLettered();
    counts.addRefused(Refusal.ID_EMPTY, 10);
    counts.countedThrough(991);
    assertThat(counts.toText()).isEqualTo(TEXT);
  }

  @Test
  void restoredCountsAreTheSame() {
    counts.restore(TEXT);
    assertThat(counts.through()).isEqualTo(991);
    assertThat(counts.routed()).isEqualTo(980);
    assertThat(counts.deadLettered()).isEqualTo(2);
    assertThat(counts.refused()).containsOnlyKeys(Refusal.ID_EMPTY).containsValue(10L);
    assertThat(counts.toText()).isEqualTo(TEXT);
  }

  @Test
  void offsetsOfADeletedTopicOfTheSameNameSayNothing() {
    SourceCounts recreated = new SourceCounts("readings", 3, "xyz");
    recreated.restore(TEXT);
    assertThat(recreated.through()).isEqualTo(-1);
    assertThat(recreated.routed()).isEqualTo(980);
  }

  @Test
  void countsOfANewerVersionAreLeftOut() {
    counts.restore(TEXT + " some-later-reason=4");
    assertThat(counts.toText()).isEqualTo(TEXT);
  }

  @Test
  void whatTheTopicDroppedUnreadIsLost() { // C163
    counts.restore(TEXT);
    counts.logBegin(() -> 1_500);
    counts.countedThrough(1_500);
    assertThat(counts.lost()).isEqualTo(1_500 - 992);
    assertThat(counts.toText()).contains(" dead-lettered=2 lost=508 ");
    SourceCounts again = new SourceCounts("readings", 3, "abc");
    again.restore(counts.toText());
    assertThat(again.lost()).isEqualTo(508);
  }

  @Test
  void offsetsThatNeverWereRecordsAreNotLost() {
    counts.logBegin(() -> 40);
    counts.countedThrough(50); // the first start on a topic that is older
    counts.countedThrough(52); // the mark of a transaction between
    assertThat(counts.lost()).isZero();
    counts.logBegin(() -> 55);
    counts.countedThrough(60); // dropped up to 55, then marks
    assertThat(counts.lost()).isEqualTo(55 - 53);
  }

  @Test
  void foreignTextIsRefused() {
    assertThatThrownBy(() -> counts.restore("hello")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> counts.restore("through=x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
