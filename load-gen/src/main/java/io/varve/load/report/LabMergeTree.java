package io.varve.load.report;

import io.varve.load.lab.MergeCell;
import io.varve.load.lab.MergePlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a laboratory of merging found, as a tree in the form {@value #FORM}: members may be added,
 * never renamed, removed, or given another type. Durations are milliseconds.
 */
public final class LabMergeTree {
  static final String FORM = "varve-lab-merge/1";

  /** Members of each cell, which are the columns of the table. */
  public static final List<String> COLUMNS =
      List.of(
          "density",
          "shards",
          "days",
          "stored",
          "rows",
          "fragments",
          "blocks",
          "rows_decoded",
          "p50_ms",
          "p99_ms");

  private LabMergeTree() {}

  /**
   * The whole as a tree.
   *
   * @param program what measured, with its version
   * @param seconds how long all of it took
   */
  public static Map<String, Object> of(
      MergePlan plan, List<MergeCell> cells, String program, double seconds) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("form", FORM);
    tree.put("program", program);
    tree.put("machine", Machine.facts());
    tree.put("seed", plan.seed());
    tree.put("seconds", rounded(seconds));
    tree.put("latest", plan.latest());
    tree.put("repetitions", plan.repetitions());
    tree.put("sparse_rows_a_day", plan.sparseRows());
    tree.put("dense_rows_of_the_newest_day", plan.denseRows());
    tree.put("dense_rows_of_an_older_day", plan.olderDenseRows());
    List<Map<String, Object>> table = new ArrayList<>();
    List<String> faults = new ArrayList<>();
    for (MergeCell cell : cells) {
      table.add(row(cell));
      cell.fault().ifPresent(faults::add);
    }
    tree.put("cells", table);
    tree.put("verdict", faults.isEmpty() ? "clean" : "faulty");
    tree.put("faults", faults);
    tree.put("notes", notes(plan));
    return tree;
  }

  private static Map<String, Object> row(MergeCell cell) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("density", cell.density());
    row.put("shards", cell.shards());
    row.put("days", cell.days());
    row.put("stored", cell.stored());
    row.put("rows", cell.rows());
    row.put("fragments", rounded(cell.fragments()));
    row.put("blocks", rounded(cell.blocks()));
    row.put("rows_decoded", rounded(cell.decoded()));
    row.put("p50_ms", rounded(cell.time().p50() / 1e6));
    row.put("p99_ms", rounded(cell.time().p99() / 1e6));
    return row;
  }

  private static List<String> notes(MergePlan plan) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Sparse sensors have %,d rows a day; dense ones %,d on the newest day and %,d on each"
                + " older one.",
            plan.sparseRows(),
            plan.denseRows(),
            plan.olderDenseRows()),
        String.format(
            Locale.ROOT,
            "Closed loop: %,d questions a sensor, one at a time, over HTTP, with node and client on"
                + " this machine.",
            plan.repetitions()),
        "A fragment is one shard of one day; fragments, blocks and rows decoded are what answers"
            + " say of themselves.");
  }

  private static double rounded(double value) {
    return Math.round(value * 1_000) / 1_000.0;
  }
}
