package io.varve.load.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.varve.load.target.MemoryTarget;
import io.varve.load.target.MemoryTarget.Wrong;
import io.varve.load.target.TargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lab against targets in memory, right ones and wrong ones. */
class MergeLabTest {
  private static final MergePlan PLAN =
      new MergePlan(List.of(1, 4), List.of(1, 40), 400, 4, 100, 2, 7);

  private static List<MergeCell> ask(MemoryTarget target, List<String> split) throws Exception {
    return new MergeLab(
            PLAN,
            target,
            (sensor, shards, from) -> split.add(sensor + " " + shards),
            () -> false,
            what -> {})
        .run();
  }

  @Test
  void rightAnswersAreCleanAndEachCellSaysWhatIsStored() throws Exception {
    List<String> split = new ArrayList<>();
    MemoryTarget target = new MemoryTarget(Wrong.NOTHING, 1);
    List<MergeCell> cells = ask(target, split);
    assertThat(cells).extracting(MergeCell::fault).containsOnly(Optional.empty());
    assertThat(cells)
        .extracting(MergeCell::stored)
        .containsExactly(4L, 160L, 4L, 160L, 400L, 790L, 400L, 790L);
    assertThat(cells)
        .extracting(MergeCell::rows)
        .containsExactly(4, 100, 4, 100, 100, 100, 100, 100);
    assertThat(cells).extracting(cell -> cell.time().count()).containsOnly(2L);
    assertThat(target.rows()).isEqualTo(2L * (4 + 160 + 400 + 790));
    assertThat(split)
        .containsExactly(
            "lab-merge-sparse-4-shards-1-days 4",
            "lab-merge-sparse-4-shards-40-days 4",
            "lab-merge-dense-4-shards-1-days 4",
            "lab-merge-dense-4-shards-40-days 4");
  }

  @ParameterizedTest
  @EnumSource(names = {"REPEATS", "REORDERS", "ALTERS", "INVENTS"})
  void aWrongAnswerIsNamedWithItsSensor(Wrong wrong) throws Exception {
    List<MergeCell> cells = ask(new MemoryTarget(wrong, 50), new ArrayList<>());
    assertThat(cells)
        .filteredOn(cell -> cell.fault().isPresent())
        .isNotEmpty()
        .allSatisfy(
            cell ->
                assertThat(cell.fault().orElseThrow())
                    .contains("sensor=lab-merge-" + cell.density() + "-" + cell.shards() + "-"));
  }

  @Test
  void everyRowIsOneOfItsDayAndNewestComeFirst() {
    for (MergeSensor sensor : PLAN.sensors(MergeSensor.Density.DENSE)) {
      List<MergeSensor.Row> latest = sensor.latest(1_000);
      assertThat(latest).hasSize((int) Math.min(1_000, sensor.rows())).doesNotHaveDuplicates();
      for (int i = 1; i < latest.size(); i++) {
        MergeSensor.Row newer = latest.get(i - 1);
        MergeSensor.Row older = latest.get(i);
        assertThat(older.timestampMicros())
            .isLessThanOrEqualTo(newer.timestampMicros())
            .isGreaterThanOrEqualTo(sensor.fromMicros());
        assertThat(older.timestampMicros() < newer.timestampMicros() || newer.sequence() == 1)
            .isTrue();
      }
    }
  }

  @Test
  void aWishToStopEndsIt() {
    MergeLab lab =
        new MergeLab(
            PLAN, new MemoryTarget(Wrong.NOTHING, 1), (s, n, from) -> {}, () -> true, what -> {});
    assertThatExceptionOfType(TargetException.class)
        .isThrownBy(lab::run)
        .matches(e -> e.kind() == TargetException.Kind.STOPPED);
  }
}
