package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.UtcDay;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The list of sensors over HTTP. */
class SensorsIT {
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");

  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  /** A sensor's days lie in several stores; the list joins them. */
  @Test
  void sensorIsSummedUpOverAllStores() {
    for (int day = 0; day < 9; day++) {
      node.put("a", JUNE + day * UtcDay.MICROS, 4, day).put("a", JUNE + day * UtcDay.MICROS, 3, -1);
    }
    JsonNode answer = node.json("/v1/sensors");
    assertThat(answer.get("sensors").toString())
        .isEqualTo(
            "[{\"sensor_id\":\"a\",\"first_day\":\"2024-06-01\",\"last_day\":\"2024-06-09\","
                + "\"rows\":18,\"last\":{\"timestamp\":\"2024-06-09T00:00:00.000000Z\","
                + "\"value\":8.0,\"sequence\":4},\"readings\":\"/v1/readings?sensor_id=a\"}]");
    assertThat(answer.get("stop_reason").asText()).isEqualTo("exhausted");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 50, 100, 10_000})
  void pagesHoldEachSensorOnceInOrder(int limit) {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String id = "plant-%02d/temp".formatted(i);
      expected.add(id);
      node.put(id, JUNE, 0, 1).put(id, JUNE + UtcDay.MICROS, 0, 1);
      node.put("other-" + i, JUNE, 0, 1);
    }
    List<String> listed = new ArrayList<>();
    String address = "/v1/sensors?prefix=plant-&limit=" + limit;
    String next = address;
    while (true) {
      PlainClient.Reply reply = node.get(next);
      JsonNode page = TestNode.json(reply);
      page.get("sensors").forEach(sensor -> listed.add(sensor.get("sensor_id").asText()));
      if (page.get("next_page_token").isNull()) {
        break;
      }
      String link = reply.header("Link").orElseThrow();
      next = link.substring(1, link.indexOf('>'));
    }
    assertThat(listed).isEqualTo(expected);
  }

  @Test
  void tokenOfAnotherPrefixIsRefused() {
    node.put("a", JUNE, 0, 1).put("b", JUNE, 0, 1);
    String token = node.json("/v1/sensors?limit=1").get("next_page_token").asText();
    assertThat(node.get("/v1/sensors?page_token=" + token).status()).isEqualTo(200);
    assertThat(node.get("/v1/sensors?prefix=b&page_token=" + token).status()).isEqualTo(400);
    assertThat(node.get("/v1/readings?sensor_id=a&page_token=" + token).status()).isEqualTo(400);
  }

  @Test
  void csvHasTheSameFacts() {
    node.put("a\"b", JUNE, 0, 1.5);
    PlainClient.Reply reply = node.get("/v1/sensors", "Accept: text/csv");
    assertThat(reply.text())
        .isEqualTo(
            "sensor_id,first_day,last_day,rows,last_timestamp,last_value,last_sequence\n"
                + "\"a\"\"b\",2024-06-01,2024-06-01,1,2024-06-01T00:00:00.000000Z,1.5,0\n");
    assertThat(reply.header("Varve-Stop-Reason")).contains("exhausted");
    assertThat(node.get("/v1/sensors?format=ndjson").text()).endsWith("sensor_id=a%22b\"}\n");
  }
}
