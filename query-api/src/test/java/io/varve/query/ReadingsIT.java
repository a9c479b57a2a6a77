package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.UtcDay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows of one sensor over HTTP: order, ranges, pages, precision. */
class ReadingsIT {
  private static final String TEMP = "/v1/readings?sensor_id=plant-3%2Ftemp";
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");

  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  private static List<Double> values(JsonNode answer) {
    List<Double> values = new ArrayList<>();
    answer.get("rows").forEach(row -> values.add(row.get("value").asDouble()));
    return values;
  }

  private static List<Long> times(JsonNode answer) {
    List<Long> times = new ArrayList<>();
    answer.get("rows").forEach(row -> times.add(row.get("timestamp").asLong()));
    return times;
  }

  private List<JsonNode> pages(String address) {
    List<JsonNode> pages = new ArrayList<>();
    String next = address;
    while (true) {
      JsonNode page = node.json(next);
      pages.add(page);
      if (page.get("next_page_token").isNull()) {
        return pages;
      }
      next = address + "&page_token=" + page.get("next_page_token").asText();
    }
  }

  @Test
  void answerSaysEverythingThatIsPromised() {
    node.put("plant-3/temp", JUNE, 7, 21.5);
    assertThat(node.get(TEMP).text())
        .isEqualTo(
            "{\"sensor_id\":\"plant-3/temp\",\"known\":true,\"from\":null,\"to\":null,"
                + "\"order\":\"desc\",\"rows\":[{\"timestamp\":\"2024-06-01T00:00:00.000000Z\","
                + "\"value\":21.5,\"sequence\":7}],\"next_page_token\":null,\"complete\":true,"
                + "\"stop_reason\":\"exhausted\",\"stats\":{\"days\":1,\"shards\":1,\"blocks\":1,"
                + "\"rows_decoded\":1},\"freshness\":{\"applied\":[{\"topic_partition\":3,"
                + "\"offset\":0}],\"event_time\":\"2024-06-01T00:00:00.000000Z\"}}");
  }

  @Test
  void newestRowsComeFirstUnlessAskedOtherwise() {
    node.put("plant-3/temp", JUNE, 0, 1).put("plant-3/temp", JUNE + UtcDay.MICROS, 0, 2);
    assertThat(values(node.json(TEMP))).containsExactly(2.0, 1.0);
    assertThat(values(node.json(TEMP + "&order=asc"))).containsExactly(1.0, 2.0);
    assertThat(node.json(TEMP + "&order=asc").get("order").asText()).isEqualTo("asc");
  }

  @Test
  void unknownSensorIsAnAnswerAndNotAnError() {
    JsonNode answer = node.json("/v1/readings?sensor_id=nobody");
    assertThat(answer.get("known").asBoolean()).isFalse();
    assertThat(answer.get("rows")).isEmpty();
    assertThat(answer.get("next_page_token").isNull()).isTrue();
    assertThat(answer.get("freshness").get("applied")).hasSize(4);
  }

  @Test
  void knownSensorWithoutRowsInTheRangeIsKnown() {
    node.put("plant-3/temp", JUNE, 0, 1);
    JsonNode answer = node.json(TEMP + "&from=2023-01-01&to=2023-02-01");
    assertThat(answer.get("known").asBoolean()).isTrue();
    assertThat(answer.get("rows")).isEmpty();
    assertThat(answer.get("stats").get("days").asInt()).isZero();
  }

  /** C071, C073, C069: the end is excluded. */
  @Test
  void rangeIsHalfOpen() {
    for (int minute = 0; minute <= 700; minute++) {
      node.put("plant-3/temp", JUNE + minute * 60_000_000L, 0, minute);
    }
    assertThat(values(node.json(TEMP + "&from=2024-06-01T03:30:00Z&to=2024-06-01T03:31:00Z")))
        .containsExactly(210.0);
    String hours = "&from=2024-06-01T03:30:00Z&to=2024-06-01T10:30:00Z&limit=10000";
    assertThat(node.json(TEMP + hours).get("rows")).hasSize(420);
    String closed = "&from=2024-06-01T03:30:00Z&to=2024-06-01T10:30:00.000001Z&limit=10000";
    assertThat(node.json(TEMP + closed).get("rows")).hasSize(421);
    assertThat(node.get(TEMP + "&from=2024-06-01&to=2024-06-01").status()).isEqualTo(400);
  }

  /** C049: rows a microsecond apart are all reached, one to a page. */
  @Test
  void pagesKeepMicroseconds() {
    for (int i = 0; i < 10; i++) {
      node.put("plant-3/temp", JUNE + i, 0, i);
    }
    List<JsonNode> pages = pages(TEMP + "&limit=1&ts=epoch_us");
    assertThat(pages.stream().flatMap(page -> times(page).stream()))
        .containsExactly(
            JUNE + 9, JUNE + 8, JUNE + 7, JUNE + 6, JUNE + 5, JUNE + 4, JUNE + 3, JUNE + 2,
            JUNE + 1, JUNE);
  }

  /** C051: groups of equal times are cut anywhere without loss. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 7, 40, 599, 600, 601})
  void pagesCutGroupsOfEqualTimes(int limit) {
    for (int group = 0; group < 100; group++) {
      for (int i = 0; i < 6; i++) {
        node.put("plant-3/temp", JUNE + group * 3_600_000_000L, i, group * 6 + i);
      }
    }
    for (String order : List.of("desc", "asc")) {
      Set<Double> seen = new HashSet<>();
      List<Double> all = new ArrayList<>();
      for (JsonNode page : pages(TEMP + "&order=" + order + "&limit=" + limit)) {
        all.addAll(values(page));
        assertThat(page.get("rows").size()).isLessThanOrEqualTo(limit);
      }
      seen.addAll(all);
      assertThat(all).hasSize(600);
      assertThat(seen).hasSize(600);
    }
  }

  /** C055: the same question gets the same bytes. */
  @Test
  void repeatedQueryGivesTheSameBytes() {
    for (int i = 0; i < 3; i++) {
      node.put("plant-3/temp", JUNE, i, i);
    }
    Set<String> bodies = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      bodies.add(node.get(TEMP).text());
    }
    assertThat(bodies).hasSize(1);
  }

  /** C057: a late row ahead of the position is seen, one behind it is not, nothing repeats. */
  @Test
  void rowsThatArriveBetweenPagesAreSeenAheadOfThePosition() {
    for (int i = 0; i < 10; i++) {
      node.put("plant-3/temp", JUNE + i * 1_000, 0, i);
    }
    String address = TEMP + "&limit=5";
    JsonNode first = node.json(address);
    node.put("plant-3/temp", JUNE + 8_500, 0, 100).put("plant-3/temp", JUNE + 1_500, 0, 200);
    String token = first.get("next_page_token").asText();
    JsonNode second = node.json(TEMP + "&limit=50&page_token=" + token);
    assertThat(values(second)).containsExactly(4.0, 3.0, 2.0, 200.0, 1.0, 0.0);
  }

  /** C061: no token means the end; a full last page may be followed by an empty one. */
  @Test
  void rangeThatEndsAtAPageBoundaryEndsWithANullToken() {
    for (int i = 0; i < 10; i++) {
      node.put("plant-3/temp", JUNE + i, 0, i);
    }
    List<JsonNode> pages = pages(TEMP + "&limit=5");
    assertThat(pages).hasSize(3);
    assertThat(pages.get(2).get("rows")).isEmpty();
    assertThat(pages.get(2).get("known").asBoolean()).isTrue();
    assertThat(pages.get(1).get("stop_reason").asText()).isEqualTo("limit");
    assertThat(pages.get(1).get("complete").asBoolean()).isTrue();
    assertThat(pages.get(2).get("stop_reason").asText()).isEqualTo("exhausted");
  }

  /**
   * C227: a sensor whose rows lie in one shard before noon and in four after it reads as one, and a
   * row of before that is corrected later stays one row.
   */
  @Test
  void rowsBeforeAndAfterAChangeOfShardsAreOneAnswer() {
    long noon = JUNE + 43_200_000_000L;
    try (TestNode changed =
        new TestNode(UnaryOperator.identity(), (id, at, length, time) -> time < noon ? 1 : 4)) {
      for (int i = -50; i < 50; i++) {
        changed.put("a", noon + i * 1_000_000L, 0, i);
      }
      changed.put("a", noon - 7_000_000, 0, 700).put("a", noon + 7_000_000, 0, 701);
      JsonNode answer = changed.json("/v1/readings?sensor_id=a&limit=1000&ts=epoch_us");
      assertThat(answer.get("stats").get("shards").asInt()).isGreaterThan(2);
      assertThat(answer.get("rows")).hasSize(100);
      for (int i = 0; i < 100; i++) {
        JsonNode row = answer.get("rows").get(i);
        int second = 49 - i;
        assertThat(row.get("timestamp").asLong()).isEqualTo(noon + second * 1_000_000L);
        double value = second == -7 ? 700 : second == 7 ? 701 : second;
        assertThat(row.get("value").asDouble()).isEqualTo(value);
      }
    }
  }

  /** C075, C003: order holds over the seams of days. */
  @Test
  void orderHoldsOverTenDays() {
    for (int hour = 0; hour < 240; hour++) {
      node.put("plant-3/temp", JUNE + hour * 3_600_000_000L, 0, hour);
    }
    JsonNode page = node.json(TEMP + "&limit=240");
    assertThat(values(page)).hasSize(240).isSortedAccordingTo((a, b) -> Double.compare(b, a));
    assertThat(page.get("stats").get("days").asInt()).isEqualTo(10);
    JsonNode day = node.json(TEMP + "&from=2024-06-01&to=2024-06-02");
    assertThat(day.get("rows")).hasSize(24);
  }

  /** C079: the newest rows of the newest days. */
  @Test
  void limitTakesRowsFromTheNewestEnd() {
    for (int i = 0; i < 10; i++) {
      node.put("plant-3/temp", JUNE + i, 0, i);
    }
    for (int i = 0; i < 3; i++) {
      node.put("plant-3/temp", JUNE + UtcDay.MICROS + i, 0, 100 + i);
    }
    JsonNode page = node.json(TEMP + "&limit=5");
    assertThat(values(page)).containsExactly(102.0, 101.0, 100.0, 9.0, 8.0);
    assertThat(page.get("stats").get("rows_decoded").asInt()).isEqualTo(5);
  }

  /** C027: a far upper bound hides nothing; C037: there is no upper bound by default. */
  @Test
  void farUpperBoundsHideNothing() {
    node.put("s", 10, 0, 1).put("s", 11, 0, 2).put("s", TestNode.NOW_MICROS + 300_000_000, 0, 3);
    for (String to :
        List.of("", "&to=9999-12-31T23:59:59Z", "&to=9e15", "&to=9000000000000000000")) {
      assertThat(node.json("/v1/readings?sensor_id=s&from=0" + to).get("rows")).as(to).hasSize(3);
    }
  }

  @Test
  void effectiveRangeIsStatedAndDoesNotDriftOverPages() {
    for (int i = 0; i < 4; i++) {
      node.put("plant-3/temp", TestNode.NOW_MICROS - i * 1_000_000L - 1, 0, i);
    }
    for (JsonNode page : pages(TEMP + "&from=now-1h&to=now&limit=2")) {
      assertThat(page.get("from").asText()).isEqualTo("2024-06-03T11:00:00.000000Z");
      assertThat(page.get("to").asText()).isEqualTo("2024-06-03T12:00:00.000000Z");
    }
  }

  @Test
  void instantsCanBeNumbers() {
    node.put("plant-3/temp", JUNE + 1_999, 0, 1);
    JsonNode micros = node.json(TEMP + "&from=2024-06-01&ts=epoch_us");
    assertThat(micros.get("rows").get(0).get("timestamp").asLong()).isEqualTo(JUNE + 1_999);
    assertThat(micros.get("from").asLong()).isEqualTo(JUNE);
    assertThat(micros.get("freshness").get("event_time").asLong()).isEqualTo(JUNE + 1_999);
    JsonNode millis = node.json(TEMP + "&ts=epoch_ms");
    assertThat(millis.get("rows").get(0).get("timestamp").asLong()).isEqualTo(JUNE / 1_000 + 1);
  }

  /** C091, C131: every bit pattern reads back. */
  @Test
  void oddValuesReadBack() {
    double[] values = {
      -0.0,
      0.0,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      Double.MIN_VALUE,
      Double.MAX_VALUE,
      0.1 + 0.2,
      9007199254740993.0,
      1e-7,
      123456789.125,
      -5,
    };
    for (int i = 0; i < values.length; i++) {
      node.put("plant-3/temp", JUNE + i, 0, values[i]);
    }
    JsonNode rows = node.json(TEMP + "&order=asc").get("rows");
    String[] csv = node.get(TEMP + "&order=asc&format=csv").text().split("\n", -1);
    for (int i = 0; i < values.length; i++) {
      String json = rows.get(i).get("value").asText();
      assertThat(rows.get(i).get("value").isTextual()).isEqualTo(!Double.isFinite(values[i]));
      assertThat(bits(Double.parseDouble(json))).isEqualTo(bits(values[i]));
      assertThat(bits(Double.parseDouble(csv[i + 1].split(",", -1)[1]))).isEqualTo(bits(values[i]));
    }
    assertThat(node.get(TEMP).text())
        .contains("\"value\":-0.0")
        .contains("\"value\":\"-Infinity\"");
  }

  private static long bits(double value) {
    return Double.doubleToRawLongBits(value);
  }

  /** C117, C119, C121, C125: ids are bytes, and the listing's own address reaches each. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "plant/7/line a",
        "/nic/%7B39C3%7D/load/1",
        "server.event",
        "server.event.abc",
        ".",
        "..",
        "...",
        "a/../b",
        "CON",
        "dot.",
        "space ",
        "a+b",
        "a&b=c",
        "\u00e9",
        "e\u0301",
        "\u0130",
        "\u200f",
        "\ud83c\udf21",
        "<img src=x onerror=alert(1)>",
        "\"quoted\"",
        "=1+1"
      })
  void everyIdIsReachedByTheAddressThatTheListingGives(String id) {
    node.put(id, JUNE, 0, 1).put(id + "x", JUNE, 0, 2);
    JsonNode sensors = node.json("/v1/sensors").get("sensors");
    JsonNode listed = sensors.get(0);
    assertThat(listed.get("sensor_id").asText()).isEqualTo(id);
    JsonNode answer = node.json(listed.get("readings").asText());
    assertThat(answer.get("sensor_id").asText()).isEqualTo(id);
    assertThat(values(answer)).containsExactly(1.0);
  }

  /** C117: following the links of the header gets the same pages. */
  @Test
  void linkHeaderLeadsToTheNextPage() {
    for (int i = 0; i < 5; i++) {
      node.put("plant 7/a+b", JUNE + i, 0, i);
    }
    PlainClient.Reply reply =
        node.get("/v1/readings?sensor_id=plant+7/a%2Bb&limit=2&from=2024-06-01");
    List<Double> all = new ArrayList<>(values(TestNode.json(reply)));
    while (reply.header("Link").isPresent()) {
      String link = reply.header("Link").get();
      assertThat(link).endsWith("; rel=\"next\"");
      reply = node.get(link.substring(1, link.indexOf('>')));
      all.addAll(values(TestNode.json(reply)));
    }
    assertThat(all).containsExactly(4.0, 3.0, 2.0, 1.0, 0.0);
  }
}
