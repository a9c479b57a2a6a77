package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.storage.SensorId;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCodecTest {
  private static final long JUNE = 1_717_200_000_000_000L;
  private static final ShardPlan PLAN =
      new ShardPlan(
          SensorId.of("hall 7/\"temp\""), JUNE + 5_000_000, 8, 3, "31 000 rows/s > 5 000", JUNE);

  private static final String KEY = "hall 7/\"temp\" 2024-06-01T00:00:05.000000Z";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void recordsReadAsPeopleReadThem() {
    assertThat(new String(PlanCodec.key(PLAN), StandardCharsets.UTF_8)).isEqualTo(KEY);
    assertThat(new String(PlanCodec.value(PLAN), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"sensor_id\":\"hall 7/\\\"temp\\\"\",\"effective_from\":\"2024-06-01T00:00:05.000000Z\","
                + "\"shards\":8,\"revision\":3,\"reason\":\"31 000 rows/s > 5 000\","
                + "\"decided_at\":\"2024-06-01T00:00:00.000000Z\"}");
  }

  @Test
  void writtenRecordIsReadAsItWas() throws Exception {
    assertThat(PlanCodec.plan(PlanCodec.key(PLAN), PlanCodec.value(PLAN))).isEqualTo(PLAN);
    assertThat(PlanCodec.key(PlanCodec.key(PLAN))).isEqualTo(PlanKey.of(PLAN));
  }

  @Test
  void membersOfLaterVersionsAreSkipped() throws Exception {
    String later =
        new String(PlanCodec.value(PLAN), StandardCharsets.UTF_8)
            .replaceFirst("\\{", "{\"figures\":{\"rate\":[1,2]},");
    assertThat(PlanCodec.plan(PlanCodec.key(PLAN), bytes(later))).isEqualTo(PLAN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{}",
        "not json",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":8}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":3,\"revision\":1}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":128,\"revision\":1}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":\"8\",\"revision\":1}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":9e18,\"revision\":1}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\","
            + "\"shards\":99999999999999999999,\"revision\":1}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"now\",\"shards\":8,\"revision\":1}",
        "{\"sensor_id\":\"\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":8,\"revision\":1}",
        "{\"sensor_id\":\"b\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":8,\"revision\":1}",
        "{\"sensor_id\":\"a\",\"effective_from\":\"2024-06-01T00:00:05Z\",\"shards\":8,\"revision\":1} 1"
      })
  void valueThatIsNoPlanIsTold(String value) {
    assertThatThrownBy(() -> PlanCodec.plan(bytes("a 2024-06-01T00:00:05Z"), bytes(value)))
        .isInstanceOf(PlanCodec.NoPlanException.class)
        .hasMessageNotContaining("null");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "a", " ", "a ", " 2024-06-01T00:00:00Z", "a\u0001 2024-06-01", "a now"})
  void keyThatIsNoneIsTold(String key) {
    assertThatThrownBy(() -> PlanCodec.key(bytes(key)))
        .isInstanceOf(PlanCodec.NoPlanException.class);
  }
}
