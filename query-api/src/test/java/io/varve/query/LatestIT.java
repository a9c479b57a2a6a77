package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.UtcDay;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The newest row of many sensors over HTTP. */
class LatestIT {
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");
  private static final String JSON = "Content-Type: application/json";

  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void rowsComeInTheOrderAsked() {
    node.put("b", JUNE, 0, 1).put("b", JUNE + UtcDay.MICROS, 3, 2).put("a", JUNE, 0, 5);
    JsonNode answer = node.json("/v1/latest?sensor_id=b&sensor_id=nobody&sensor_id=a&sensor_id=b");
    assertThat(answer.get("rows").toString())
        .isEqualTo(
            "[{\"sensor_id\":\"b\",\"timestamp\":\"2024-06-02T00:00:00.000000Z\",\"value\":2.0,"
                + "\"sequence\":3},{\"sensor_id\":\"nobody\",\"known\":false},"
                + "{\"sensor_id\":\"a\",\"timestamp\":\"2024-06-01T00:00:00.000000Z\","
                + "\"value\":5.0},"
                + "{\"sensor_id\":\"b\",\"timestamp\":\"2024-06-02T00:00:00.000000Z\","
                + "\"value\":2.0,\"sequence\":3}]");
    assertThat(answer.get("complete").asBoolean()).isTrue();
    assertThat(answer.get("next_page_token").isNull()).isTrue();
    assertThat(answer.get("freshness").get("applied")).hasSize(4);
    assertThat(answer.get("stats").get("rows_decoded").asInt()).isEqualTo(3);
  }

  /**
   * C065: there is one row a sensor in every format, and a limit that could mean more is refused.
   */
  @Test
  void manySensorsHaveNoLimitToMistake() {
    for (int sensor = 0; sensor < 5; sensor++) {
      for (int i = 0; i < 100; i++) {
        node.put("s" + sensor, JUNE + i, 0, i);
      }
    }
    String five =
        IntStream.range(0, 5).mapToObj(i -> "sensor_id=s" + i).collect(Collectors.joining("&"));
    assertThat(node.json("/v1/latest?" + five).get("rows")).hasSize(5);
    assertThat(node.get("/v1/latest?" + five + "&format=csv").text().lines()).hasSize(1 + 5);
    for (String format : new String[] {"json", "csv"}) {
      PlainClient.Reply reply = node.get("/v1/latest?" + five + "&limit=10&format=" + format);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.text()).contains("limit is not a parameter of this resource");
    }
  }

  @Test
  void tenThousandSensorsAreAskedInOneBody() {
    for (int i = 0; i < 2_000; i++) {
      node.put("sensor-" + i, JUNE + i, 0, i);
    }
    String ids =
        IntStream.range(0, 10_000)
            .mapToObj(i -> "\"sensor-" + i + "\"")
            .collect(Collectors.joining(",", "{\"sensor_ids\":[", "]}"));
    JsonNode answer = TestNode.json(node.post("/v1/latest?ts=epoch_us", ids, JSON));
    assertThat(answer.get("rows")).hasSize(10_000);
    assertThat(answer.get("rows").get(1_999).get("timestamp").asLong()).isEqualTo(JUNE + 1_999);
    assertThat(answer.get("rows").get(2_000).get("known").asBoolean()).isFalse();
    String tooMany = ids.replace("]}", ",\"one more\"]}");
    assertThat(node.post("/v1/latest", tooMany, JSON).status()).isEqualTo(400);
  }

  @Test
  void newestRowIsFoundInWhateverShardItLies() {
    try (TestNode sharded =
        new TestNode(UnaryOperator.identity(), (id, offset, length, time) -> 8)) {
      StringBuilder ids = new StringBuilder("{\"sensor_ids\":[");
      for (int sensor = 0; sensor < 150; sensor++) {
        for (int i = 0; i < 40; i++) {
          sharded.put("s" + sensor, JUNE + i * 7, (sensor * 31L + i) % 40, i);
        }
        ids.append(sensor == 0 ? "\"s" : ",\"s").append(sensor).append('"');
      }
      JsonNode rows =
          TestNode.json(sharded.post("/v1/latest?ts=epoch_us", ids.append("]}").toString()))
              .get("rows");
      assertThat(rows).hasSize(150);
      for (int sensor = 0; sensor < 150; sensor++) {
        assertThat(rows.get(sensor).get("sensor_id").asText()).isEqualTo("s" + sensor);
        assertThat(rows.get(sensor).get("timestamp").asLong()).isEqualTo(JUNE + 39 * 7);
        assertThat(rows.get(sensor).get("value").asDouble()).isEqualTo(39);
      }
    }
  }

  @Test
  void idsAreAnsweredAsTheyWereAsked() {
    String[] ids = {"a\"b\\c/d", "\u00fc\u20ac\ud83c\udf21", " ", "?"};
    for (String id : ids) {
      node.put(id, JUNE, 0, 1);
    }
    JsonNode rows =
        node.json(
                "/v1/latest?"
                    + Stream.of(ids)
                        .map(id -> "sensor_id=" + URLEncoder.encode(id, StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&")))
            .get("rows");
    for (int i = 0; i < ids.length; i++) {
      assertThat(rows.get(i).get("sensor_id").asText()).isEqualTo(ids[i]);
      assertThat(rows.get(i).get("value").asDouble()).isEqualTo(1);
    }
  }

  @Test
  void noSensorsIsAnEmptyAnswer() {
    assertThat(TestNode.json(node.post("/v1/latest", "{\"sensor_ids\":[]}")).get("rows")).isEmpty();
  }

  @Test
  void formatsAreTheSameAsElsewhere() {
    node.put("=1+1", JUNE, 2, -5).put("a,b", JUNE, 0, 1);
    String query = "/v1/latest?sensor_id=%3D1%2B1&sensor_id=a%2Cb&sensor_id=nobody";
    assertThat(node.get(query + "&format=csv").text())
        .isEqualTo(
            "sensor_id,timestamp,value,sequence\n"
                + "=1+1,2024-06-01T00:00:00.000000Z,-5.0,2\n"
                + "\"a,b\",2024-06-01T00:00:00.000000Z,1.0,0\nnobody,,,\n");
    // C129: on request, texts that a spreadsheet would run are neutralised; numbers stay numbers.
    assertThat(node.get(query + "&format=csv&spreadsheet=true").text())
        .contains("\n'=1+1,2024-06-01T00:00:00.000000Z,-5.0,2\n");
    assertThat(node.get(query + "&format=ndjson").text().lines()).hasSize(3);
    assertThat(node.get(query + "&format=ndjson").header("Varve-Complete")).contains("true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "null",
        "{}",
        "{\"sensor_ids\":\"a\"}",
        "{\"sensor_ids\":[1]}",
        "{\"sensor_ids\":[\"\"]}",
        "{\"sensor_ids\":[null]}",
        "{\"sensor_ids\":[[\"a\"]]}",
        "{\"sensor_ids\":[\"a\"],\"zone\":1}",
        "{\"sensor_ids\":[\"a\"],\"sensor_ids\":[]}",
        "{\"sensor_ids\":[\"a\"]} x",
        "{\"sensor_ids\":[\"a\\u0007\"]}",
        "{\"sensor_ids\":[\"a\"",
        "{\"sensor_ids\":[\"\\ud83c\"]}",
        "\u0000",
        "{'sensor_ids':['a']}"
      })
  void malformedBodiesAreRefused(String body) {
    PlainClient.Reply reply = node.post("/v1/latest", body, JSON);
    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
    JsonNode error = TestNode.tree(reply).get("errors").get(0);
    assertThat(error.get("example").asText()).isEqualTo("{\"sensor_ids\": [\"plant-3/temp\"]}");
    assertThat(reply.text()).doesNotContain("jackson", "Exception", "java.");
  }

  @Test
  void deeplyNestedBodiesAreRefused() {
    String body = "{\"sensor_ids\":" + "[".repeat(100_000);
    assertThat(node.post("/v1/latest", body, JSON).status()).isEqualTo(400);
  }

  @Test
  void idsAreMeasuredInBytes() {
    // C123: 256 bytes are allowed, whatever the number of characters.
    String longest = "\ud83c\udf21".repeat(64);
    assertThat(node.post("/v1/latest", "{\"sensor_ids\":[\"" + longest + "\"]}").status())
        .isEqualTo(200);
    assertThat(node.post("/v1/latest", "{\"sensor_ids\":[\"" + longest + "a\"]}").status())
        .isEqualTo(400);
  }

  @Test
  void foreignBodiesAreRefused() {
    assertThat(node.post("/v1/latest", "sensor_id=a", "Content-Type: text/plain").status())
        .isEqualTo(415);
    // C207: a forged size in a compressed body costs nothing, for none is unpacked.
    assertThat(node.post("/v1/latest", "\u001f", JSON, "Content-Encoding: gzip").status())
        .isEqualTo(415);
    String large = "{\"sensor_ids\":[\"" + "a".repeat(9 << 20) + "\"]}";
    assertThat(node.post("/v1/latest", large, JSON).status()).isEqualTo(413);
  }
}
