package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Sensor ids that look like something else, on a node that speaks Turkish. */
@ExtendWith(SharedNode.Extension.class)
class SensorCasesIT {
  private static final long NOON = Poison.NOON;

  /** C117, C119, C121, C125: each id is itself and no other. */
  @Test
  void idsAreTakenAsTheyAre(SharedNode shared) {
    List<String> ids =
        List.of(
            "plant/7/line a",
            "/nic/%7B39C3%7D/load/1",
            "/nic/{39C3}/load/1",
            "server.event",
            "server.event.abc",
            ".",
            "..",
            "...",
            "a/../b",
            "b",
            "CON",
            "trailing.",
            "trailing",
            "trailing ",
            " trailing",
            "\u00e9",
            "e\u0301",
            "\u0130",
            "i",
            "I",
            "\u0131",
            "\u200fright to left",
            "right to left",
            "\ud83c\udf21",
            "a+b",
            "a b",
            "a&b=c",
            "a?b#c",
            "<img src=x onerror=alert(1)>",
            "=1+1",
            "null");
    for (int i = 0; i < ids.size(); i++) {
      shared.feed.reading(ids.get(i), NOON, i);
    }
    shared.feed.flush();
    for (int i = 0; i < ids.size(); i++) {
      assertThat(shared.awaitRows(ids.get(i), 1))
          .as(ids.get(i))
          .containsExactly(new Row(NOON, 0, i));
    }
    List<String> listed = allSensors(shared.client);
    assertThat(listed).containsAll(ids);
    for (String id : listed) {
      assertThat(shared.client.readings(id, "&limit=1").path("known").asBoolean()).as(id).isTrue();
    }
  }

  /** C123. */
  @Test
  void lengthOfAnIdIsCountedInBytes(SharedNode shared) {
    NodeClient.Ledger before = shared.client.ledger();
    String ascii = "l".repeat(256);
    String emoji = "\ud83c\udf21".repeat(64);
    shared.feed.reading(ascii, NOON, 1);
    shared.feed.reading(emoji, NOON, 2);
    shared.feed.reading(ascii + "l", NOON, 3);
    shared.feed.reading(emoji + "l", NOON, 4);
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 4, Duration.ofSeconds(20));
    assertThat(shared.awaitRows(ascii, 1)).hasSize(1);
    assertThat(shared.awaitRows(emoji, 1)).hasSize(1);
    assertThat(shared.client.ledger().refused()).isEqualTo(before.refused() + 2);
    for (String tooLong : List.of(ascii + "l", emoji + "l")) {
      NodeClient.Answer answer =
          shared.client.get("/v1/readings?sensor_id=" + NodeClient.encode(tooLong));
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.body()).contains("sensor_id").contains("256");
    }
  }

  /** C209. */
  @Test
  void idsThatClimbOutOfFoldersMakeNoFileOutside(SharedNode shared) throws Exception {
    List<String> before = outside(shared);
    List<String> ids = new ArrayList<>();
    for (String climb : List.of("..", "../..", "/", "..\\..", "%2e%2e", "~", "....//", "/tmp")) {
      for (String tail : List.of("", "/", "/etc/passwd", "/x", "/./x", "/..", "\u2024", "/x.map")) {
        for (String head : List.of("", "./", "a/")) {
          ids.add(head + climb + tail);
        }
      }
    }
    ids.stream().distinct().forEach(id -> shared.feed.reading(id, NOON, 1));
    shared.feed.flush();
    for (String id : ids) {
      shared.awaitRows(id, 1);
      shared.client.get("/v1/sensors?prefix=" + NodeClient.encode(id));
    }
    assertThat(outside(shared)).isEqualTo(before);
    try (var stored = Files.walk(shared.node.setup.data())) {
      assertThat(stored.map(f -> f.getFileName().toString()))
          .noneMatch(name -> name.contains("passwd") || name.equals("x.map"));
    }
  }

  /** C213. */
  @Test
  void metricsDoNotGrowWithSensorsOrAddresses(SharedNode shared) {
    shared.client.get("/v1/nothing/0");
    shared.store("c213/first", List.of(new Row(NOON, 0, 1)));
    long before = series(shared.client);
    for (int i = 0; i < 2_000; i++) {
      shared.feed.reading("c213/" + i, NOON, i);
      if (i % 4 == 0) {
        shared.client.get("/v1/nothing/" + i + "?a=" + i);
      }
    }
    shared.feed.flush();
    shared.awaitRows("c213/1999", 1);
    assertThat(series(shared.client)).as("series in /metrics").isLessThanOrEqualTo(before + 20);
    assertThat(shared.client.get("/metrics").body()).doesNotContain("c213").doesNotContain("1999?");
  }

  private static long series(NodeClient client) {
    NodeClient.Answer metrics = client.get("/metrics");
    assertThat(metrics.status()).isEqualTo(200);
    return metrics.body().lines().filter(line -> !line.startsWith("#")).count();
  }

  private static List<String> allSensors(NodeClient client) {
    List<String> ids = new ArrayList<>();
    String token = "";
    do {
      NodeClient.Answer answer = client.get("/v1/sensors?limit=10" + token);
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      for (JsonNode sensor : answer.json().path("sensors")) {
        ids.add(sensor.path("sensor_id").asText());
      }
      JsonNode next = answer.json().path("next_page_token");
      token = next.isNull() ? "" : "&page_token=" + NodeClient.encode(next.asText());
    } while (!token.isEmpty());
    assertThat(ids).doesNotHaveDuplicates();
    return ids;
  }

  /** Lists what lies beside the data folder and above it. */
  private static List<String> outside(SharedNode shared) throws IOException {
    try (var files = Files.walk(shared.folder(), 2);
        var above = Files.list(shared.folder().getParent())) {
      List<String> names = new ArrayList<>(files.map(Object::toString).sorted().toList());
      above
          .map(Object::toString)
          .filter(n -> n.matches(".*/(x|x\\.map|passwd)"))
          .forEach(names::add);
      return names;
    }
  }
}
