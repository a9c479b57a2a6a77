package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets over HTTP. */
class BucketsIT {
  private static final String TEMP = "/v1/readings?sensor_id=plant-3%2Ftemp";
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");

  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  private void fillHours(int hours) {
    for (int i = 0; i < hours * 6; i++) {
      node.put("plant-3/temp", JUNE + i * 600_000_000L, 0, i);
    }
  }

  @Test
  void oneAggregateGivesValue() {
    fillHours(2);
    JsonNode answer = node.json(TEMP + "&from=2024-06-01&to=2024-06-02&step=1h&agg=avg");
    assertThat(answer.get("step").asText()).isEqualTo("1h");
    assertThat(answer.get("agg")).hasSize(1);
    assertThat(answer.get("rows").toString())
        .isEqualTo(
            "[{\"timestamp\":\"2024-06-01T01:00:00.000000Z\",\"value\":8.5},"
                + "{\"timestamp\":\"2024-06-01T00:00:00.000000Z\",\"value\":2.5}]");
  }

  @Test
  void severalAggregatesGiveMembersByName() {
    fillHours(1);
    JsonNode row =
        node.json(TEMP + "&from=2024-06-01&step=1h&agg=count,avg,min,max,sum,first,last")
            .get("rows")
            .get(0);
    assertThat(row.toString())
        .isEqualTo(
            "{\"timestamp\":\"2024-06-01T00:00:00.000000Z\",\"count\":6,\"avg\":2.5,\"min\":0.0,"
                + "\"max\":5.0,\"sum\":15.0,\"first\":0.0,\"last\":5.0}");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 24, 10_000})
  void pagesOfBucketsAreWhole(int limit) {
    fillHours(24);
    for (String order : List.of("desc", "asc")) {
      String address =
          TEMP + "&from=2024-06-01T00:20:00Z&to=2024-06-02&step=1h&agg=sum&order=" + order;
      String whole = node.json(address).get("rows").toString();
      List<String> rows = new ArrayList<>();
      String next = address + "&limit=" + limit;
      while (true) {
        JsonNode page = node.json(next);
        page.get("rows").forEach(row -> rows.add(row.toString()));
        if (page.get("next_page_token").isNull()) {
          break;
        }
        next = address + "&limit=3&page_token=" + page.get("next_page_token").asText();
      }
      assertThat("[" + String.join(",", rows) + "]").isEqualTo(whole);
    }
  }

  /** C101, C103: buckets that reach beyond the range or into the future are flagged. */
  @Test
  void cutAndRunningBucketsArePartial() {
    for (int hour = 0; hour < 60; hour++) {
      node.put("plant-3/temp", JUNE + hour * 3_600_000_000L, 0, hour);
    }
    JsonNode rows = node.json(TEMP + "&from=2024-06-01T06:00:00Z&step=1d&agg=count").get("rows");
    assertThat(rows.toString())
        .isEqualTo(
            "[{\"timestamp\":\"2024-06-03T00:00:00.000000Z\",\"value\":12,\"partial\":true},"
                + "{\"timestamp\":\"2024-06-02T00:00:00.000000Z\",\"value\":24},"
                + "{\"timestamp\":\"2024-06-01T00:00:00.000000Z\",\"value\":18,\"partial\":true}]");
    String csv = node.get(TEMP + "&from=2024-06-01&step=1d&agg=count&format=csv").text();
    assertThat(csv)
        .startsWith("timestamp,value,partial\n2024-06-03T00:00:00.000000Z,12,true\n")
        .contains("2024-06-02T00:00:00.000000Z,24,false\n");
  }

  /** C067: too many buckets are refused with the smallest step, and that step is accepted. */
  @Test
  void tooManyBucketsAreRefusedHelpfully() {
    fillHours(1);
    String range = TEMP + "&from=2024-06-01&to=2024-07-01&agg=avg&step=";
    PlainClient.Reply reply = node.get(range + "1s");
    assertThat(reply.status()).isEqualTo(400);
    JsonNode error = TestNode.tree(reply).get("errors").get(0);
    assertThat(error.get("parameter").asText()).isEqualTo("step");
    assertThat(error.get("detail").asText())
        .contains(
            "2592000 buckets", "10000 is the most", "the smallest step for this range is 4m20s");
    assertThat(error.get("example").asText()).isEqualTo("step=5m");
    assertThat(node.get(range + "4m20s").status()).isEqualTo(200);
    assertThat(node.get(range + "4m19s").status()).isEqualTo(400);
  }

  /** Without an end, buckets up to the newest row count, however far in the past the start is. */
  @Test
  void openEndedRangeCountsBucketsUpToTheNewestRow() {
    fillHours(2);
    assertThat(node.json(TEMP + "&from=2024-06-01&step=1s").get("rows")).hasSize(12);
    assertThat(node.get(TEMP + "&from=2020-01-01&step=1s").status()).isEqualTo(400);
    assertThat(node.json("/v1/readings?sensor_id=nobody&from=0&step=1s").get("rows")).isEmpty();
  }

  /** C025: extreme bounds end quickly. */
  @Test
  @Timeout(10)
  void extremeBoundsAreAnsweredOrRefusedAtOnce() {
    fillHours(1);
    for (String range :
        List.of(
            "&from=0&to=9223372036854775807&step=1h",
            "&from=-9223372036854775808&step=1h",
            "&from=0001-01-01&to=9999-12-31T23:59:59.999999Z&step=366d")) {
      int status = node.get(TEMP + range).status();
      assertThat(status).as(range).isIn(200, 400);
    }
  }

  /**
   * C007, C009, C011, C013, C107, C109, C111, C113: zones, months, filling and rates are not
   * offered, and refused rather than passed over.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "&zone=Australia/Sydney",
        "&zone=Europe/Berlin",
        "&timezone=Asia/Kolkata",
        "&offset=%2B05:30",
        "&fill=previous",
        "&gapfill=true",
        "&step=1mo",
        "&agg=increase",
        "&step=1w",
        "&step=1M",
        "&step=0s",
        "&step=-5m",
        "&step=400d",
        "&agg=rate",
        "&agg=avg,avg",
        "&agg=",
        "&agg=AVG",
        "&limit=10001",
        "&tz=UTC"
      })
  void whatIsNotOfferedIsRefused(String more) {
    String step = more.startsWith("&step") ? "" : "&step=1h";
    PlainClient.Reply reply = node.get(TEMP + "&from=2024-06-01" + step + more);
    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    String name = more.substring(1, more.indexOf('='));
    assertThat(TestNode.tree(reply).get("errors").get(0).get("parameter").asText()).isEqualTo(name);
  }

  @Test
  void stepNeedsAStart() {
    PlainClient.Reply reply = node.get(TEMP + "&step=1h");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(TestNode.tree(reply).get("errors").get(0).get("parameter").asText())
        .isEqualTo("from");
    assertThat(node.get(TEMP + "&agg=avg").status()).isEqualTo(400);
  }
}
