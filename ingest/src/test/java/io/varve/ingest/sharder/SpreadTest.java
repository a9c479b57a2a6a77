package io.varve.ingest.sharder;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.SensorId;
import io.varve.storage.placement.Placement;
import org.junit.jupiter.api.Test;

class SpreadTest {
  private static final int DAY = 20_000;

  @Test
  void oneShardIsAllOfIt() {
    assertThat(Spread.busiestShare(SensorId.of("a"), DAY, 1, 8)).isEqualTo(1);
    assertThat(Spread.busiestShare(SensorId.of("a"), DAY, 64, 1)).isEqualTo(1);
  }

  @Test
  void busiestShareIsThatOfTheTopicPartitionWithTheMostShards() {
    SensorId sensor = SensorId.of("plant-3/temp");
    int[] count = new int[8];
    int most = 0;
    for (int shard = 0; shard < 8; shard++) {
      int at = Placement.topicPartitionOf(sensor, DAY, shard, 8);
      count[at]++;
      most = Math.max(most, count[at]);
    }
    assertThat(Spread.busiestShare(sensor, DAY, 8, 8)).isEqualTo(most / 8.0);
  }

  /** Whatever is chosen is one of the two, and the double only where it takes a quarter off. */
  @Test
  void doubleIsChosenWhereShardsCollide() {
    int doubled = 0;
    for (int i = 0; i < 500; i++) {
      SensorId sensor = SensorId.of("s-" + i);
      int chosen = Spread.better(sensor, DAY, 8, 8);
      double once = Spread.busiestShare(sensor, DAY, 8, 8);
      double twice = Spread.busiestShare(sensor, DAY, 16, 8);
      assertThat(chosen).isEqualTo(twice <= once * 0.75 ? 16 : 8);
      doubled += chosen == 16 ? 1 : 0;
    }
    assertThat(doubled).isBetween(50, 450);
  }

  @Test
  void noneIsSplitForItsOwnSakeAndNoneBeyondTheMost() {
    assertThat(Spread.better(SensorId.of("a"), DAY, 1, 8)).isEqualTo(1);
    assertThat(Spread.better(SensorId.of("a"), DAY, 64, 8)).isEqualTo(64);
  }
}
