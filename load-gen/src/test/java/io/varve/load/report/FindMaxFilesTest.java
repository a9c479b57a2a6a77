package io.varve.load.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.fleet.Profiles;
import io.varve.load.measure.Summary;
import io.varve.load.search.Objective;
import io.varve.load.search.SearchPlan;
import io.varve.load.search.SearchResult;
import io.varve.load.search.Step;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindMaxFilesTest {
  private static Step step(int search, double asked, String... misses) {
    Summary some = new Summary(10, 1_000_000, 1_000_000, 2_000_000, 3_000_000, 0, 0, 9_000_000);
    return new Step(
        search, new Objective.Figures(asked, asked, 1, some, some, some, 0, 0, 0), List.of(misses));
  }

  @Test
  void formIsThatOfTheGoldenFileAndThePageAsksNobody(@TempDir Path folder) throws Exception {
    SearchPlan plan =
        new SearchPlan(
            Profiles.find("uniform"),
            1,
            new Objective(100_000_000, 5_000_000),
            10_000,
            4_000_000,
            0.05,
            3,
            5_000_000_000L,
            60_000_000_000L,
            20_000_000,
            50,
            60_000_000_000L,
            "varve test");
    List<Step> steps = List.of(step(1, 10_000), step(1, 20_000, "too <slow>"), step(2, 14_000));
    SearchResult result =
        new SearchResult(
            plan, "test", Optional.of("v"), List.of(10_000L, 14_000L, 12_000L), false, steps);
    assertThat(result.median()).isEqualTo(12_000);
    assertThat(result.limitedBy()).containsExactly("too <slow>");
    assertThat(TreeShape.of(FindMaxTree.of(result)).lines().filter(l -> !l.startsWith("/settings")))
        .as("members may be added here, never renamed, removed or given another type")
        .containsExactlyElementsOf(TreeShape.golden("varve-find-max-1.txt").lines().toList());
    FindMaxFiles.write(folder, result);
    assertThat(Files.readString(folder.resolve("find-max.html")))
        .contains("<b>12000</b>", "10000 to 14000", "<svg", "too &lt;slow&gt;")
        .doesNotContain("<script", "http://", "https://");
    assertThat(Files.readString(folder.resolve("find-max.json"))).contains("varve-find-max/1");
  }
}
