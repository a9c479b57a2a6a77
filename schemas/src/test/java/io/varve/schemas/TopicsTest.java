package io.varve.schemas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicsTest {
  @Test
  void namesAreBareOnTheOwnBrokerAndPrefixedElsewhere() {
    assertThat(Topics.OWN_BROKER.rows()).isEqualTo("rows");
    assertThat(Topics.OWN_BROKER.deadLetters()).isEqualTo("readings.dlq");
    assertThat(Topics.OWN_BROKER.shardPlans()).isEqualTo("shard-plans");
    Topics shared = Topics.onSharedCluster("varve");
    assertThat(shared.rows()).isEqualTo("varve.rows");
    assertThat(shared.deadLetters()).isEqualTo("varve.readings.dlq");
    assertThat(shared.shardPlans()).isEqualTo("varve.shard-plans");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a/b", ".", "..", "ä", "a\n"})
  void namesThatKafkaRefusesAreRefusedEarlier(String name) {
    assertThatThrownBy(() -> Topics.onSharedCluster(name))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("249");
  }

  @Test
  void prefixLeavesRoomForTheLongestName() {
    assertThat(Topics.onSharedCluster("n".repeat(236)).deadLetters()).hasSize(249);
    assertThatThrownBy(() -> Topics.onSharedCluster("n".repeat(237)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
