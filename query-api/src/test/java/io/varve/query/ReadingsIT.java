package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code /v1/readings} over HTTP. */
class ReadingsIT {
  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  @Test
  void newestRowsComeFirst() {
    node.put("plant-3/temp", "2024-06-01T00:00:00Z", 21.5);
    node.put("plant-3/temp", "2024-06-02T00:00:00Z", 22.25);
    JsonNode answer = node.json("/v1/readings?sensor_id=plant-3%2Ftemp");
    assertThat(answer.get("rows"))
        .extracting(row -> row.get("value").asDouble())
        .containsExactly(22.25, 21.5);
  }
}
