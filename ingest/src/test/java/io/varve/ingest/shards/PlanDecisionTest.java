package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.SensorId;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PlanDecisionTest {
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final PlanLead LEAD = new PlanLead(Duration.ofSeconds(5));
  private static final long NOW = 1_717_200_000_000_000L;
  private static final long EARLIEST = NOW + 5_000_000;

  private static ShardPlan plan(long from, int shards, long revision) {
    return new ShardPlan(SENSOR, from, shards, revision, "", NOW);
  }

  private static PlanDecision decide(int shards, OptionalLong from, ShardPlan... known) {
    return PlanDecision.of(
        new PlanProposal(SENSOR, shards, from, "why"), new PlanTable(List.of(known)), LEAD, NOW);
  }

  @Test
  void planWithoutATimeBeginsAfterTheLead() {
    PlanDecision decision = decide(8, OptionalLong.empty());
    assertThat(decision.plan()).isEqualTo(new ShardPlan(SENSOR, EARLIEST, 8, 1, "why", NOW));
    assertThat(decision.changes()).isTrue();
    assertThat(decision.inThePast()).isFalse();
    assertThat(decision.shardsBefore()).isEqualTo(1);
    assertThat(decision.until()).isEmpty();
  }

  @Test
  void planThatBeginsSoonerIsInThePast() {
    assertThat(decide(8, OptionalLong.of(EARLIEST - 1)).inThePast()).isTrue();
    assertThat(decide(8, OptionalLong.of(EARLIEST)).inThePast()).isFalse();
  }

  @Test
  void revisionFollowsTheHighestOfTheSensor() {
    assertThat(decide(8, OptionalLong.empty(), plan(NOW, 4, 7), plan(NOW + 1, 2, 5)).plan())
        .isEqualTo(new ShardPlan(SENSOR, EARLIEST, 8, 8, "why", NOW));
  }

  @Test
  void asManyShardsAsThereAreChangeNothing() {
    assertThat(decide(1, OptionalLong.empty()).changes()).isFalse();
    assertThat(decide(4, OptionalLong.empty(), plan(NOW, 4, 1)).changes()).isFalse();
    assertThat(decide(1, OptionalLong.empty(), plan(NOW, 4, 1)).changes()).isTrue();
  }

  /** So that the node, which decided it, does not take it back. */
  @Test
  void asManyAsTheNodeDecidedCanBePinnedByHand() {
    ShardPlan auto = new ShardPlan(SENSOR, NOW, 8, 1, ShardPlan.BY_ITSELF + "hot", NOW);
    assertThat(auto.isByHand()).isFalse();
    assertThat(decide(8, OptionalLong.empty(), auto).changes()).isTrue();
    PlanTable table = new PlanTable(List.of(auto));
    PlanProposal byItself =
        new PlanProposal(SENSOR, 8, OptionalLong.empty(), ShardPlan.BY_ITSELF + "still hot");
    assertThat(PlanDecision.of(byItself, table, LEAD, NOW).changes()).isFalse();
    assertThat(decide(8, OptionalLong.empty(), plan(NOW, 8, 1)).changes()).isFalse();
  }

  @Test
  void planHoldsUntilTheNextOne() {
    PlanDecision decision =
        decide(8, OptionalLong.empty(), plan(EARLIEST + 9, 2, 1), plan(EARLIEST + 5, 4, 2));
    assertThat(decision.until()).hasValue(EARLIEST + 5);
  }

  @Test
  void planOfTheSameTimeIsReplaced() {
    PlanDecision decision = decide(8, OptionalLong.of(EARLIEST), plan(EARLIEST, 4, 1));
    assertThat(decision.replaced()).contains(plan(EARLIEST, 4, 1));
    assertThat(decision.shardsBefore()).isEqualTo(4);
    assertThat(decision.plan().revision()).isEqualTo(2);
  }
}
