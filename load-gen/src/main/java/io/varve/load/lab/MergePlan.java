package io.varve.load.lab;

import java.util.ArrayList;
import java.util.List;

/**
 * What a laboratory of merging asks: the latest rows of a sensor for each number of shards and of
 * days, sparse and dense.
 *
 * @param shards numbers of shards
 * @param days numbers of days that a sensor has rows on
 * @param denseRows rows of the newest day of a dense sensor; older days have a fortieth of them,
 *     since no answer reaches them
 * @param sparseRows rows of each day of a sparse sensor
 * @param latest how many rows are asked for
 * @param repetitions measured questions for each answer
 * @param seed decides times and values
 */
public record MergePlan(
    List<Integer> shards,
    List<Integer> days,
    int denseRows,
    int sparseRows,
    int latest,
    int repetitions,
    long seed) {
  private static final int OLDER_DAYS_SHARE = 40;

  public MergePlan {
    shards = List.copyOf(shards);
    days = List.copyOf(days);
    if (shards.isEmpty()
        || days.isEmpty()
        || days.stream().anyMatch(n -> n < 1)
        || denseRows < 1
        || sparseRows < 1
        || latest < 1
        || repetitions < 1) {
      throw new IllegalArgumentException(
          "all must be above 0: days="
              + days
              + " dense_rows="
              + denseRows
              + " sparse_rows="
              + sparseRows
              + " latest="
              + latest
              + " repetitions="
              + repetitions);
    }
  }

  /** The sensors of one density, by shards and then by days. */
  List<MergeSensor> sensors(MergeSensor.Density density) {
    boolean dense = density == MergeSensor.Density.DENSE;
    int newest = dense ? denseRows : sparseRows;
    int older = dense ? olderDenseRows() : sparseRows;
    List<MergeSensor> sensors = new ArrayList<>();
    for (int count : shards) {
      for (int span : days) {
        sensors.add(new MergeSensor(density, count, span, newest, older, seed));
      }
    }
    return sensors;
  }

  /** Rows of a dense sensor's day that is not the newest. */
  public int olderDenseRows() {
    return Math.max(1, denseRows / OLDER_DAYS_SHARE);
  }
}
