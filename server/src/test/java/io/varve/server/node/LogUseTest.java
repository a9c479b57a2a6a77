package io.varve.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.ingest.IngestReport.RowsPartition;
import io.varve.ingest.IngestReport.SourcePartition;
import io.varve.storage.StoreState;
import io.varve.storage.StoreTotals;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LogUseTest {
  private static OptionalLong some(long n) {
    return OptionalLong.of(n);
  }

  private static RowsPartition rows(int p, long begin, long end, long applied, OptionalLong bytes) {
    return new RowsPartition(
        p,
        StoreState.SERVING,
        applied < 0 ? OptionalLong.empty() : some(applied),
        some(begin),
        some(end),
        0,
        OptionalLong.empty(),
        bytes);
  }

  private static StoreTotals totals(long stored, long others) {
    return new StoreTotals(
        stored, others, others, Set.of(), 7, others, others, others, 0, 1, 1, 1, 0, 0);
  }

  private static SourcePartition source(
      long begin, long end, long through, long routed, long refused, OptionalLong bytes) {
    return new SourcePartition(
        "readings",
        0,
        some(begin),
        some(through),
        some(end),
        0,
        routed,
        Map.of("id-empty", refused),
        0,
        0,
        bytes);
  }

  @Test
  void aWholeLogHoldsWhatWasRead() {
    LogUse use = LogUse.ofRows(List.of(rows(0, 0, 10, 9, some(1_300))), Map.of(0, totals(95, 1)));
    assertThat(use.rows()).isEqualTo(100);
    assertThat(use.bytesPerRow()).hasValue(13);
  }

  @Test
  void aLogThatWasCutHoldsItsShare() {
    LogUse use = LogUse.ofRows(List.of(rows(0, 5, 10, 9, some(650))), Map.of(0, totals(100, 0)));
    assertThat(use.bytesPerRow()).hasValue(13);
  }

  @Test
  void topicPartitionsWithoutRecordsCountNothing() {
    LogUse use =
        LogUse.ofRows(
            List.of(rows(0, 0, 10, 9, some(1_300)), rows(1, 0, 0, -1, some(0))),
            Map.of(0, totals(100, 0), 1, totals(0, 0)));
    assertThat(use.bytesPerRow()).hasValue(13);
  }

  @Test
  void oneSizeThatIsNotToldLeavesAllUnknown() {
    LogUse use =
        LogUse.ofRows(
            List.of(rows(0, 0, 10, 9, some(1_300)), rows(1, 0, 10, 9, OptionalLong.empty())),
            Map.of(0, totals(100, 0), 1, totals(100, 0)));
    assertThat(use.bytesPerRow()).isEmpty();
  }

  @Test
  void nothingReadYetIsUnknown() {
    assertThat(LogUse.ofRows(List.of(), Map.of()).bytesPerRow()).isEmpty();
    assertThat(LogUse.ofSources(List.of(source(0, 5, -1, 0, 0, some(9)))).bytesPerRow()).isEmpty();
  }

  @Test
  void refusedReadingsAreInTheSourceToo() {
    LogUse use = LogUse.ofSources(List.of(source(0, 20, 9, 90, 10, some(4_000))));
    assertThat(use.rows()).as("20 records of 10").isEqualTo(200);
    assertThat(use.bytesPerRow()).hasValue(20);
  }
}
