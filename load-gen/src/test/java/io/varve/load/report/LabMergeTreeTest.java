package io.varve.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.lab.MergeCell;
import io.varve.load.lab.MergePlan;
import io.varve.load.measure.Summary;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabMergeTreeTest {
  private static final MergePlan PLAN =
      new MergePlan(List.of(1, 8), List.of(1), 10_000, 4, 100, 300, 1);

  private static MergeCell cell(int shards, String... fault) {
    Summary time = new Summary(300, 1, 250_000, 1, 1_500_000, 1, 1, 1);
    return new MergeCell(
        "dense",
        shards,
        1,
        10_000,
        100,
        shards,
        shards,
        99 + shards,
        time,
        Optional.of(fault).filter(f -> f.length > 0).map(f -> f[0]));
  }

  @Test
  void formIsThatOfTheGoldenFileAndCellsAreRowsOfTheTable() throws Exception {
    Map<String, Object> tree =
        LabMergeTree.of(PLAN, List.of(cell(1), cell(8)), "varve test", 61.23456);
    assertThat(TreeShape.of(tree))
        .as("members may be added here, never renamed, removed or given another type")
        .isEqualTo(TreeShape.golden("varve-lab-merge-1.txt"));
    assertThat(Tree.objects(tree, "cells"))
        .hasSize(2)
        .allSatisfy(row -> assertThat(row).containsOnlyKeys(LabMergeTree.COLUMNS));
    assertThat(Tree.objects(tree, "cells").get(1))
        .containsEntry("rows_decoded", 107.0)
        .containsEntry("p50_ms", 0.25)
        .containsEntry("p99_ms", 1.5);
    assertThat(tree).containsEntry("verdict", "clean").containsEntry("seconds", 61.235);
  }

  @Test
  void pageDrawsALineForEachDensityAndNamesFaultsAndAsksNobody(@TempDir Path folder)
      throws Exception {
    LabMerge.write(
        folder, LabMergeTree.of(PLAN, List.of(cell(1), cell(8, "wrong row <1>")), "varve test", 1));
    assertThat(Files.readString(folder.resolve("lab-merge.html")))
        .contains("<svg", "dense, 1 d", "faulty", "wrong row &lt;1&gt;", "<td>107.0</td>")
        .doesNotContain("<script", "http://", "https://");
    assertThat(Files.readString(folder.resolve("lab-merge.json")))
        .contains("varve-lab-merge/1", "\"verdict\" : \"faulty\"");
  }
}
