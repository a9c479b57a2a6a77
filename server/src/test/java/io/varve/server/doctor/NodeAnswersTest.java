package io.varve.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.server.client.JsonTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeAnswersTest {
  private static final String STATUS =
      """
      {"ledger":{"stored":5,"refused_by_reason":{"timestamp-too-far-ahead":2}},
       "visible_lag_records":3,
       "topic_partitions":[{"topic_partition":1,"applied_offset":40,"begin_offset":7,
          "event_time":"2025-11-24T16:00:00.000000Z","rows":12}],
       "sources":[{"topic":"readings","partition":3,"routed":9,"lost_records":4},
          {"topic":"readings","partition":4,"routed":0,"lost_records":0}],
       "guardrail":{"shards_over":1,"largest":{"sensor_id":"s","day":"2025-11-24","bytes":4096,"rows":9}},
       "node":{"name":"varve","partitions":8,"topics":["readings"],"in_process_broker":true,
          "retention_seconds":86400,"now":"2025-11-24T16:00:01.000000Z","open_files":100,
          "max_open_files":1024}}
      """;

  private static final String STATS =
      """
      {"partitions":3,"bytes_a_row":2.5,
       "percentiles":[{"percentile":"p50","rows":1},{"percentile":"max","rows":12}]}
      """;

  @SuppressWarnings("unchecked") // an object, as is written above
  private static Map<String, Object> tree(String json) throws IOException {
    return (Map<String, Object>)
        JsonTree.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void everyFigureIsFound() throws IOException {
    NodeFigures node = NodeAnswers.figures(tree(STATUS), tree(STATS));

    assertThat(node.name()).isEqualTo("varve");
    assertThat(node.ownBroker()).isTrue();
    assertThat(node.sources()).containsExactly("readings");
    assertThat(node.partitions()).isEqualTo(8);
    assertThat(node.retention().orElseThrow().toDays()).isEqualTo(1);
    assertThat(node.nowMicros()).hasValue(1_764_000_001_000_000L);
    assertThat(node.openFiles()).hasValue(100);
    assertThat(node.maxOpenFiles()).hasValue(1024);
    assertThat(node.stores()).hasSize(1);
    assertThat(node.stores().get(0).eventMicros()).hasValue(1_764_000_000_000_000L);
    assertThat(node.stores().get(0).beginOffset()).hasValue(7);
    assertThat(node.lost()).containsOnly(Map.entry("readings-3", 4L));
    assertThat(node.routed()).containsEntry("readings-3", 9L);
    assertThat(node.refused()).containsEntry("timestamp-too-far-ahead", 2L);
    assertThat(node.rowsAt("max")).isEqualTo(12);
    assertThat(node.partitionCount()).isEqualTo(3);
    assertThat(node.bytesPerRow()).isEqualTo(2.5);
    assertThat(node.guardrail().over()).isEqualTo(1);
    assertThat(node.guardrail().largest()).isEqualTo("s on 2025-11-24, 4,096 bytes, 9 rows");
    assertThat(node.visibleLag()).isEqualTo(3);
  }

  @Test
  void answerThatLacksEverythingIsReadAsEmpty() throws IOException {
    NodeFigures node = NodeAnswers.figures(tree("{}"), tree("{}"));

    assertThat(node.nowMicros()).isEmpty();
    assertThat(node.openFiles()).isEmpty();
    assertThat(node.stores()).isEmpty();
    assertThat(node.retention()).isEmpty();
    assertThat(node.guardrail().largest()).isEmpty();
  }
}
