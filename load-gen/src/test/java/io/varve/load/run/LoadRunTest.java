package io.varve.load.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.load.fleet.Knob;
import io.varve.load.fleet.Profiles;
import io.varve.load.oracle.FaultKind;
import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadRunTest {
  private static LoadPlan plan(String profile, double queriesPerSecond) throws Exception {
    return new LoadPlan(
        Profiles.find(profile).with(Map.of(Knob.SENSORS, "100", Knob.RATE, "2k")),
        7,
        0,
        1_500_000_000,
        Long.MAX_VALUE,
        false,
        20_000_000,
        queriesPerSecond,
        true,
        Integer.MAX_VALUE,
        20_000_000_000L,
        "test");
  }

  @Test
  void soundTargetIsMeasuredAndFoundClean(@TempDir Path folder) throws Exception {
    MemoryTarget target = new MemoryTarget(Wrong.NOTHING, 1);
    Path log = folder.resolve("run.hlog");
    LoadResult result =
        new LoadRun(plan("hot-one", 200), target, progress -> {}, Optional.of(log)).run();
    assertThat(result.verdict().orElseThrow().first()).isEmpty();
    assertThat(result.verdict().orElseThrow().clean()).isTrue();
    assertThat(result.verdict().orElseThrow().rows()).isEqualTo(result.readings());
    assertThat(result.readings()).isBetween(2_800L, 3_200L);
    assertThat(result.acknowledged().total().count()).isEqualTo(result.readings());
    assertThat(result.markersSeen()).isEqualTo(result.markers()).isEqualTo(75);
    assertThat(result.visible().total().count()).isEqualTo(75);
    assertThat(result.asked()).isPositive();
    assertThat(result.unanswered() + result.failedAnswers()).isZero();
    assertThat(Files.readString(log)).contains("Tag=produce-to-acknowledged,", "Tag=query-walk,");
  }

  @Test
  void wrongsAreFoundWhileTheLoadIsOn() throws Exception {
    MemoryTarget target = new MemoryTarget(Wrong.REORDERS, 50);
    LoadResult result =
        new LoadRun(plan("hot-one", 500), target, progress -> {}, Optional.empty()).run();
    assertThat(result.verdict().orElseThrow().counts()).containsKey(FaultKind.DISORDERED);
    assertThat(result.verdict().orElseThrow().answers()).isPositive();
  }

  @Test
  void runEndsAfterSoManyReadings() throws Exception {
    LoadPlan plan = plan("uniform", 0);
    LoadPlan few =
        new LoadPlan(
            plan.profile(),
            1,
            0,
            plan.runNanos(),
            500,
            true,
            0,
            0,
            true,
            10,
            1_000_000_000,
            "test");
    LoadResult result =
        new LoadRun(few, new MemoryTarget(Wrong.NOTHING, 1), p -> {}, Optional.empty()).run();
    assertThat(result.readings()).isEqualTo(500);
    assertThat(result.verdict().orElseThrow().sensors()).isEqualTo(10);
    assertThat(result.verdict().orElseThrow().clean()).isTrue();
  }
}
