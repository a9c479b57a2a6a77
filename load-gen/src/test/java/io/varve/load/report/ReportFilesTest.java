package io.varve.load.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.run.LoadPlan;
import io.varve.load.run.LoadResult;
import io.varve.load.run.LoadRun;
import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFilesTest {
  private static LoadResult run(long seed, Wrong wrong) throws Exception {
    LoadPlan plan =
        new LoadPlan(
            Profiles.find("hot-one").with(Map.of(Knob.SENSORS, "50", Knob.RATE, "1k")),
            seed,
            200_000_000,
            2_200_000_000L,
            Long.MAX_VALUE,
            false,
            50_000_000,
            50,
            true,
            1_000,
            1_000_000,
            60_000_000_000L,
            "test <1>");
    LoadRun run = new LoadRun(plan, new MemoryTarget(wrong, 100), p -> {}, Optional.empty());
    return run.run();
  }

  @Test
  void filesAreCompleteAndAskNobodyForAnything(@TempDir Path folder) throws Exception {
    LoadResult result = run(1, Wrong.ALTERS);
    ReportFiles.write(folder, result);
    Map<String, Object> tree = Comparison.read(folder.resolve("load.json"));
    assertThat(new TreeSet<>(tree.keySet()))
        .containsExactly(
            "distributions",
            "events",
            "form",
            "lag_records",
            "latency_ms",
            "ledger",
            "loop",
            "machine",
            "notes",
            "program",
            "questions",
            "rate",
            "schedule_error_ms",
            "sent",
            "started_at",
            "target",
            "target_version",
            "timeline",
            "touched_by_query",
            "verdict",
            "workload");
    assertThat(new TreeSet<>(Tree.object(tree, "latency_ms", "produce-to-visible").keySet()))
        .containsExactly("count", "max", "mean", "p50", "p90", "p99", "p99.9", "p99.99");
    assertThat(Tree.text(Tree.object(tree, "verdict"), "word")).isEqualTo("faulty");
    assertThat(Tree.objects(tree, "timeline")).isNotEmpty();
    String page = Files.readString(folder.resolve("load.html"));
    assertThat(page)
        .contains("<svg", "polyline", "altered: load-", "test &lt;1&gt;")
        .doesNotContain("<script", "http://", "https://", "<link", "<img", "url(");
    assertThat(Files.readString(folder.resolve("produce-to-acknowledged.hgrm")))
        .contains("Percentile", "1.000000000000");
  }

  @Test
  void comparisonSetsFiguresSideBySideAndWarnsOfWhatDiffers(@TempDir Path folder) throws Exception {
    ReportFiles.write(folder.resolve("a"), run(1, Wrong.NOTHING));
    ReportFiles.write(folder.resolve("b"), run(2, Wrong.NOTHING));
    Map<String, Object> a = Comparison.read(folder.resolve("a/load.json"));
    Comparison same = Comparison.of(a, a);
    assertThat(same.warnings()).allMatch(w -> w.startsWith("a: ") || w.startsWith("b: "));
    assertThat(same.rows())
        .anySatisfy(row -> assertThat(row).containsEntry("b/a", "1.00"))
        .anySatisfy(row -> assertThat(row).containsEntry("figure", "produce-to-visible p99 ms"))
        .anySatisfy(row -> assertThat(row).containsEntry("a", "clean"));
    Comparison other = Comparison.of(a, Comparison.read(folder.resolve("b/load.json")));
    assertThat(other.warnings()).contains("the workloads differ: seed is 1 and 2");
    Path not = folder.resolve("not.json");
    Files.writeString(not, "{\"form\":\"other\"}");
    assertThatThrownBy(() -> Comparison.read(not)).isInstanceOf(IOException.class);
  }
}
