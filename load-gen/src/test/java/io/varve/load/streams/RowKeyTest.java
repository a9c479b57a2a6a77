package io.varve.load.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowKeyTest {
  private static final long[] EDGES = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private record Row(String sensor, long timestamp, long sequence) {
    byte[] key() {
      return RowKey.of(sensor, timestamp, sequence);
    }
  }

  /** By sensor, then newest first, as the unsigned bytes sort. */
  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (String sensor : List.of("a", "a-", "b", "bä")) {
      for (int t = EDGES.length - 1; t >= 0; t--) {
        for (int s = EDGES.length - 1; s >= 0; s--) {
          rows.add(new Row(sensor, EDGES[t], EDGES[s]));
        }
      }
    }
    return rows;
  }

  @Test
  void keysSortBySensorAndThenNewestFirst() {
    List<byte[]> keys = rows().stream().map(Row::key).toList();
    assertThat(keys).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  @Test
  void keysTellTheirTimeAndSequence() {
    for (Row row : rows()) {
      assertThat(RowKey.timestampMicros(row.key())).isEqualTo(row.timestamp);
      assertThat(RowKey.sequence(row.key())).isEqualTo(row.sequence);
    }
  }

  @Test
  void noRowLiesBetweenAKeyAndItsNeighbours() {
    List<Row> rows = rows();
    for (int i = 1; i < rows.size(); i++) {
      byte[] key = rows.get(i).key();
      assertThat(Arrays.compareUnsigned(RowKey.after(key), key)).isPositive();
      boolean first =
          rows.get(i).timestamp == Long.MAX_VALUE && rows.get(i).sequence == Long.MAX_VALUE;
      if (!first) {
        assertThat(Arrays.compareUnsigned(RowKey.before(key), key)).isNegative();
        assertThat(Arrays.compareUnsigned(rows.get(i - 1).key(), RowKey.before(key)))
            .isNotPositive();
      }
    }
  }
}
