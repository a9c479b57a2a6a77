package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.SensorId;
import io.varve.storage.UtcDay;
import io.varve.storage.placement.ShardCounts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Look-ups in tables of random plans against the plainest search through all of them. */
class PlanTableProperties {
  private static int searched(List<ShardPlan> plans, SensorId sensor, long timestampMicros) {
    return plans.stream()
        .filter(plan -> plan.sensor().equals(sensor))
        .filter(plan -> plan.effectiveFromMicros() <= timestampMicros)
        .max(Comparator.comparingLong(ShardPlan::effectiveFromMicros))
        .map(ShardPlan::shards)
        .orElse(1);
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 2, 3, 20_240_601})
  void lookUpFindsThePlanInForce(long seed) {
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      int sensors = 1 + random.nextInt(200);
      List<ShardPlan> plans = new ArrayList<>();
      for (int i = random.nextInt(150); i > 0; i--) {
        long from = random.nextInt(20) * UtcDay.MICROS / 4;
        SensorId sensor = SensorId.of("s" + random.nextInt(sensors));
        plans.removeIf(p -> p.sensor().equals(sensor) && p.effectiveFromMicros() == from);
        plans.add(new ShardPlan(sensor, from, 1 << random.nextInt(7), i, "", from));
      }
      PlanTable table = new PlanTable(plans);
      assertThat(table.size()).isEqualTo(plans.size());
      int hot = 0;
      for (int s = 0; s < sensors; s++) {
        SensorId sensor = SensorId.of("s" + s);
        byte[] id = ("[s" + s + "]").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        boolean named = plans.stream().anyMatch(plan -> plan.sensor().equals(sensor));
        assertThat(table.planned(id, 1, id.length - 2)).isEqualTo(named);
        for (int t = 0; t < 10; t++) {
          long at = random.nextInt(22) * UtcDay.MICROS / 4 - random.nextInt(2);
          assertThat(table.at(id, 1, id.length - 2, at))
              .as("seed=%s round=%s sensor=%s at=%s", seed, round, sensor, at)
              .isEqualTo(searched(plans, sensor, at));
        }
        hot += searched(plans, sensor, UtcDay.MICROS) > 1 ? 1 : 0;
      }
      assertThat(table.hotSensors(UtcDay.MICROS)).isEqualTo(hot);
    }
  }

  @Test
  void withoutPlansEverySensorHasOneShard() {
    byte[] id = {'a'};
    assertThat(PlanTable.EMPTY.at(id, 0, 1, 0)).isEqualTo(1);
    assertThat(PlanTable.EMPTY.planned(id, 0, 1)).isFalse();
    assertThat(PlanTable.EMPTY.sensors()).isEmpty();
    assertThat(ShardCounts.ONE.at(id, 0, 1, 0)).isEqualTo(1);
    assertThat(ShardCounts.ONE.planned(id, 0, 1)).isFalse();
  }
}
