package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.server.proof.History.Fault;
import io.varve.server.proof.History.Kind;
import io.varve.server.proof.HistoryReader.Read;
import io.varve.server.proof.HistoryReader.Tally;
import io.varve.server.proof.LyingNode.Lie;
import io.varve.storage.Row;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A reader names each lie of a node, whatever it asks, and has nothing to say of a true one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // stopping a JDK's HTTP server takes a second
class HistoryReaderTest {
  private static final long SEED = 20_240_601;
  private static final long T0 = 1_717_200_000_000_000L;
  private static final int TIMES = 4;

  private static final Set<Read> PAGES = EnumSet.of(Read.LATEST, Read.RANGE, Read.CSV, Read.WALK);

  private final History history = new History("plant 3/\"temp\"");
  private final LyingNode node;

  HistoryReaderTest() throws IOException {
    for (int version = 0; version < 3; version++) {
      for (int i = 0; i < 150; i++) {
        Row unused = history.next(T0 + i * 1_000_000_000L, i % 2);
      }
    }
    history.settle();
    node = new LyingNode(history);
  }

  @AfterAll
  void stop() {
    node.close();
  }

  private static Set<Read> whoMustNotice(Lie lie) {
    return switch (lie) {
      case NONE -> EnumSet.noneOf(Read.class);
      case SHOWS_AN_OLD_VALUE, INVENTS_A_VALUE, INVENTS_A_ROW ->
          EnumSet.complementOf(EnumSet.of(Read.COUNT));
      case DROPS_A_ROW, REPEATS_A_ROW, REPEATS_THE_FIRST, ENDS_EARLY, EMPTY, CURT ->
          EnumSet.allOf(Read.class);
      case SWAPS_ROWS, SHORT_PAGE, WITHHOLDS_THE_TOKEN, CUT_BUT_COMPLETE -> PAGES;
    };
  }

  private static Set<Kind> names(Lie lie, Read read) {
    if (read == Read.COUNT) {
      return EnumSet.of(Kind.MISCOUNTED);
    }
    return switch (lie) {
      case NONE, CURT -> EnumSet.noneOf(Kind.class);
      case DROPS_A_ROW, EMPTY -> EnumSet.of(Kind.LOST, Kind.SILENT_PARTIAL);
      case REPEATS_A_ROW, REPEATS_THE_FIRST -> EnumSet.of(Kind.REPEATED);
      case SWAPS_ROWS -> EnumSet.of(Kind.MISORDERED);
      case SHOWS_AN_OLD_VALUE -> EnumSet.of(Kind.OUTDATED);
      case INVENTS_A_VALUE -> EnumSet.of(Kind.WRONG_VALUE);
      case INVENTS_A_ROW -> EnumSet.of(Kind.UNKNOWN);
      case ENDS_EARLY -> EnumSet.of(Kind.LOST);
      case SHORT_PAGE, WITHHOLDS_THE_TOKEN, CUT_BUT_COMPLETE -> EnumSet.of(Kind.SILENT_PARTIAL);
    };
  }

  @ParameterizedTest
  @EnumSource(Lie.class)
  void eachLieIsNamedByAllWhoCanSeeIt(Lie lie) {
    node.tell(lie);
    for (Read read : Read.values()) {
      Tally tally = new Tally();
      HistoryReader reader = new HistoryReader(List.of(history), node::client, SEED, tally);
      for (int i = 0; i < TIMES; i++) {
        reader.ask(read, history);
      }
      boolean mustNotice = whoMustNotice(lie).contains(read);
      assertThat(tally.clean())
          .as("%s %s: %s %s", lie, read, tally.faults, tally.odd)
          .isNotEqualTo(mustNotice);
      assertThat(tally.odd.isEmpty())
          .as("%s %s: %s", lie, read, tally.odd)
          .isEqualTo(lie != Lie.CURT);
      for (Fault fault : tally.faults) {
        assertThat(fault.kind()).as("%s %s: %s", lie, read, fault).isIn(names(lie, read));
        assertThat(fault.sensor()).isEqualTo(history.sensor);
        assertThat(fault.expected()).isNotEqualTo(fault.got());
      }
    }
  }
}
