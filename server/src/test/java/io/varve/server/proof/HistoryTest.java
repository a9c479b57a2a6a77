package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.server.proof.History.Before;
import io.varve.server.proof.History.Fault;
import io.varve.server.proof.History.Kind;
import io.varve.server.proof.History.Question;
import io.varve.storage.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The checker names each fault that a reader could show, and none where there is none. */
class HistoryTest {
  private static final long T0 = 1_717_200_000_000_000L;

  private final History history = new History("plant-3/temp");
  private final List<Row> right = new ArrayList<>();
  private Before before = history.before();

  /** Ten rows at five instants, two of them corrected, all visible; one more on its way. */
  @BeforeEach
  void send() {
    for (int i = 0; i < 10; i++) {
      Row unused = history.next(T0 + i / 2 * 1_000, i % 2);
    }
    Row unused = history.next(T0, 0);
    unused = history.next(T0 + 4_000, 1);
    history.settle();
    right.addAll(history.rows());
    before = history.before();
    unused = history.next(T0 + 1_500, 0);
  }

  private Optional<Fault> check(List<Row> rows) {
    return history.check(rows, Question.ALL, true, before);
  }

  private Optional<Kind> kind(List<Row> rows) {
    return check(rows).map(Fault::kind);
  }

  @Test
  void rightAnswerHasNoFault() {
    assertThat(check(right)).isEmpty();
    assertThat(check(history.rows())).as("with the row on its way").isEmpty();
    List<Row> oldestFirst = new ArrayList<>(right);
    Collections.reverse(oldestFirst);
    Question asc = new Question(Long.MIN_VALUE, Long.MAX_VALUE, false);
    assertThat(history.check(oldestFirst, asc, true, before)).isEmpty();
    assertThat(history.check(right.subList(0, 3), Question.ALL, false, before)).isEmpty();
  }

  @Test
  void droppedRowIsLost() {
    for (int i = 0; i < right.size(); i++) {
      List<Row> rows = new ArrayList<>(right);
      Row dropped = rows.remove(i);
      assertThat(check(rows))
          .hasValueSatisfying(
              fault -> {
                assertThat(fault.kind()).isEqualTo(Kind.LOST);
                assertThat(fault.where()).contains(dropped.key().toString());
              });
    }
    assertThat(kind(List.of())).hasValue(Kind.LOST);
  }

  @Test
  void rowShownTwiceIsRepeated() {
    List<Row> rows = new ArrayList<>(right);
    rows.add(4, rows.get(4));
    assertThat(kind(rows)).hasValue(Kind.REPEATED);
    rows.remove(4);
    rows.add(rows.get(2));
    assertThat(kind(rows)).as("at another place").hasValue(Kind.REPEATED);
  }

  @Test
  void swappedRowsAreMisordered() {
    List<Row> rows = new ArrayList<>(right);
    Collections.swap(rows, 5, 6);
    assertThat(kind(rows)).hasValue(Kind.MISORDERED);
    Question range = new Question(T0 + 1_000, T0 + 3_000, true);
    assertThat(history.check(right, range, true, before).map(Fault::kind))
        .as("rows outside of the range")
        .hasValue(Kind.MISORDERED);
  }

  @Test
  void olderVersionIsOutdated() {
    List<Row> rows = new ArrayList<>(right);
    Row newest = rows.get(0);
    rows.set(0, new Row(newest.timestampMicros(), newest.sequence(), newest.value() - 1));
    assertThat(kind(rows)).hasValue(Kind.OUTDATED);
  }

  @Test
  void versionThatWasSeenMustNotGoBack() {
    Row unused = history.next(T0 + 4_000, 1);
    Row seen = history.rows().get(0);
    List<Row> rows = new ArrayList<>(right);
    rows.set(0, seen);
    assertThat(check(rows)).isEmpty();
    assertThat(history.check(right, Question.ALL, true, history.before()).map(Fault::kind))
        .hasValue(Kind.OUTDATED);
  }

  /** What was routed since the last commit comes again; then it is as before. */
  @Test
  void afterACrashUncommittedValuesMayGoBackUntilAllIsSettledAgain() {
    List<Row> committed = new ArrayList<>(right);
    Row unused = history.next(T0 + 4_000, 1);
    unused = history.next(T0 + 4_000, 1);
    Row seen = history.rows().get(0);
    List<Row> rows = new ArrayList<>(right);
    rows.set(0, seen);
    assertThat(check(rows)).as("the third and fourth versions, seen").isEmpty();
    Before asked = history.before();
    assertThat(history.check(committed, Question.ALL, true, asked).map(Fault::kind))
        .hasValue(Kind.OUTDATED);
    history.crash();
    assertThat(history.check(committed, Question.ALL, true, asked))
        .as("asked before, answered after")
        .isEmpty();
    assertThat(history.check(committed, Question.ALL, true, history.before())).isEmpty();
    assertThat(kind(right.subList(1, 10))).hasValue(Kind.LOST);
    history.settle();
    assertThat(history.check(committed, Question.ALL, true, history.before()).map(Fault::kind))
        .hasValue(Kind.OUTDATED);
  }

  @Test
  void afterACrashCommittedValuesMustNotGoBack() {
    List<Row> rows = new ArrayList<>(right);
    Row newest = rows.get(0);
    rows.set(0, new Row(newest.timestampMicros(), newest.sequence(), newest.value() - 1));
    history.crash();
    assertThat(kind(rows)).as("asked before, answered after").hasValue(Kind.OUTDATED);
    assertThat(history.check(rows, Question.ALL, true, history.before()).map(Fault::kind))
        .hasValue(Kind.OUTDATED);
  }

  @Test
  void afterACrashARowThatWasSeenMustNotBeGone() {
    assertThat(check(history.rows())).as("with the row on its way").isEmpty();
    history.crash();
    assertThat(history.check(right, Question.ALL, true, history.before()).map(Fault::kind))
        .hasValue(Kind.LOST);
  }

  @Test
  void alteredValueAndForeignRowAreNamed() {
    List<Row> rows = new ArrayList<>(right);
    Row row = rows.get(3);
    rows.set(3, new Row(row.timestampMicros(), row.sequence(), row.value() + 1_000));
    assertThat(kind(rows)).hasValue(Kind.WRONG_VALUE);
    rows.set(3, new Row(row.timestampMicros(), row.sequence(), row.value() + 1));
    assertThat(kind(rows)).as("a version never sent").hasValue(Kind.WRONG_VALUE);
    List<Row> more = new ArrayList<>(right);
    more.add(new Row(T0 - 1, 0, 1));
    assertThat(kind(more)).hasValue(Kind.UNKNOWN);
  }

  @Test
  void countMustFitAMoment() {
    assertThat(history.checkCount(10, Question.ALL, before)).isEmpty();
    assertThat(history.checkCount(11, Question.ALL, before)).isEmpty();
    assertThat(history.checkCount(9, Question.ALL, before).map(Fault::kind))
        .hasValue(Kind.MISCOUNTED);
    assertThat(history.checkCount(12, Question.ALL, before).map(Fault::kind))
        .hasValue(Kind.MISCOUNTED);
  }
}
