package io.varve.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** A walk by runs, a single step among them here and there. */
public final class RunWalk {
  private RunWalk() {}

  /** Returns all rows that are left, in the walk's order. */
  public static List<Row> rest(RowCursor cursor, Order order) {
    List<Row> rows = new ArrayList<>();
    RowRun run = new RowRun(1);
    for (int turn = 0; ; turn++) {
      if (turn % 3 == 1) {
        if (!cursor.next()) {
          return rows;
        }
        rows.add(PartitionContract.current(cursor));
        continue;
      }
      if (!cursor.nextRun(run)) {
        assertThat(run.size).isZero();
        return rows;
      }
      assertThat(run.size).isPositive();
      for (int i = 0; i < run.size; i++) {
        int at = order == Order.OLDEST_FIRST ? i : run.size - 1 - i;
        double value = Double.longBitsToDouble(run.valueBits[at]);
        rows.add(new Row(run.timestamps[at], run.sequences[at], value));
      }
      assertThat(PartitionContract.current(cursor)).isEqualTo(rows.get(rows.size() - 1));
    }
  }
}
