package io.varve.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.bench.BenchPlan;
import io.varve.load.bench.BenchResult;
import io.varve.load.bench.Drain;
import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.http.VarveAdmin;
import io.varve.load.run.LoadPlan;
import io.varve.load.run.LoadResult;
import io.varve.load.run.LoadRun;
import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BenchTreeTest {
  private static LoadResult load() throws Exception {
    LoadPlan plan =
        new LoadPlan(
            Profiles.find("uniform").with(Map.of(Knob.SENSORS, "20", Knob.RATE, "200")),
            1,
            0,
            500_000_000,
            Long.MAX_VALUE,
            false,
            50_000_000,
            50,
            true,
            20,
            5_000_000_000L,
            5_000_000_000L,
            "varve test");
    return new LoadRun(plan, new MemoryTarget(Wrong.NOTHING, 1), p -> {}, Optional.empty()).run();
  }

  private static Map<String, Object> tree() throws Exception {
    return BenchTree.of(
        new BenchResult(
            new BenchPlan(500, 200, 500_000_000, 1, "varve test"),
            new Drain(1, 500, 2_000_000_000),
            new Drain(100, 2_000, 1_000_000_000),
            load(),
            new VarveAdmin.Size(1_000, 40_000),
            new VarveAdmin.Size(1_000, 3_000),
            100_000_000),
        12.5);
  }

  @Test
  void formIsThatOfTheGoldenFileAndTableHasARowForEachMeasurement() throws Exception {
    Map<String, Object> tree = tree();
    assertThat(TreeShape.of(tree))
        .as("members may be added here, never renamed, removed or given another type")
        .isEqualTo(TreeShape.golden("varve-bench-1.txt"));
    List<Map<String, Object>> table = BenchTree.table(tree);
    assertThat(table).hasSize(10);
    assertThat(table.get(0)).containsEntry("readings/s", 250L);
    assertThat(table.get(9)).containsEntry("bytes a row", 3.0);
    assertThat(table).allSatisfy(row -> assertThat(row).containsKey("what"));
    assertThat(table.get(3)).containsKeys("p50 ms", "p99 ms", "blocks", "decoded");
  }
}
