package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages, ranges and order, through the whole path. */
@ExtendWith(SharedNode.Extension.class)
class PagingCasesIT {
  private static final long START = 1_717_200_000_000_000L;
  private static final long MINUTE = 60_000_000L;
  private static final long DAY = 86_400_000_000L;

  /** C049. */
  @Test
  void pagesOfOneReachRowsAMicrosecondApart(SharedNode shared) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      rows.add(new Row(START + i, 0, i));
    }
    shared.store("c049", rows);
    assertThat(shared.client.allRows("c049", "asc", 1)).isEqualTo(rows);
    Collections.reverse(rows);
    assertThat(shared.client.allRows("c049", "desc", 1)).isEqualTo(rows);
  }

  /** C051. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 7, 40, 599})
  void tiesSplitByAPageAreAllReached(int pageSize, SharedNode shared) {
    String sensor = "c051/" + pageSize;
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      rows.add(new Row(START + i / 6 * MINUTE, i % 6, i));
    }
    shared.store(sensor, rows);
    assertThat(shared.client.allRows(sensor, "asc", pageSize)).isEqualTo(rows);
    Collections.reverse(rows);
    assertThat(shared.client.allRows(sensor, "desc", pageSize)).isEqualTo(rows);
  }

  /** C053. */
  @Test
  void positionIsComparedAsOneKey(SharedNode shared) {
    List<Row> rows =
        new ArrayList<>(
            List.of(
                new Row(START, 9, 1),
                new Row(START + MINUTE, 1, 2),
                new Row(START + MINUTE, 5, 3),
                new Row(START + 2 * MINUTE, 3, 4)));
    shared.store("c053", rows);
    assertThat(shared.client.allRows("c053", "asc", 2)).isEqualTo(rows);
    Collections.reverse(rows);
    assertThat(shared.client.allRows("c053", "desc", 2)).isEqualTo(rows);
  }

  /** C055. */
  @Test
  void repeatedQueryWithTiesHasOneBody(SharedNode shared) {
    shared.store("c055", List.of(new Row(START, 0, 1), new Row(START, 1, 2), new Row(START, 2, 3)));
    Set<String> bodies = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      bodies.add(shared.client.get("/v1/readings?sensor_id=c055").body());
    }
    assertThat(bodies).hasSize(1);
  }

  /** C057. */
  @Test
  void rowsThatComeBehindThePositionAppearAndOthersDoNot(SharedNode shared) {
    String sensor = "c057";
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(new Row(START + i * MINUTE, 0, i));
    }
    shared.store(sensor, rows);
    JsonNode first = shared.client.readings(sensor, "&limit=10");
    Row newer = new Row(START + 15 * MINUTE + 1, 0, 100);
    Row older = new Row(START + 5 * MINUTE + 1, 0, 200);
    shared.feed.reading(sensor, newer.timestampMicros(), newer.value());
    shared.feed.reading(sensor, older.timestampMicros(), older.value());
    shared.feed.flush();
    shared.awaitRows(sensor, 22);
    String token = NodeClient.encode(first.path("next_page_token").asText());
    List<Row> second =
        NodeClient.rows(shared.client.readings(sensor, "&limit=100&page_token=" + token));
    List<Row> want = new ArrayList<>(rows.subList(0, 10));
    want.add(6, older);
    Collections.reverse(want);
    assertThat(second).isEqualTo(want);
  }

  /** C061. */
  @Test
  void missingTokenMeansTheEndAndATokenResumes(SharedNode shared) {
    String sensor = "c061";
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(new Row(START + i / 10 * DAY + i % 10 * MINUTE, 0, i));
    }
    shared.store(sensor, rows);
    for (String range : List.of("", "&from=2024-06-01&to=2024-06-02", "&from=2024-06-10")) {
      int total = NodeClient.rows(shared.client.readings(sensor, "&limit=10000" + range)).size();
      JsonNode exact = shared.client.readings(sensor, "&limit=" + Math.max(1, total) + range);
      assertThat(NodeClient.rows(exact)).hasSize(total);
      assertThat(shared.client.allRows(sensor, "desc", 10, range)).hasSize(total);
      if (exact.path("next_page_token").isNull()) {
        assertThat(exact.path("stop_reason").asText()).isEqualTo("exhausted");
      } else {
        assertThat(exact.path("stop_reason").asText()).isEqualTo("limit");
      }
    }
  }

  /** C069, C071, C073. */
  @Test
  void rangesAreHalfOpen(SharedNode shared) {
    String sensor = "c071";
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i <= 700; i++) {
      rows.add(new Row(START + i * MINUTE, 0, i));
    }
    shared.store(sensor, rows);
    long at = START + 35 * MINUTE;
    NodeClient.Answer empty =
        shared.client.get("/v1/readings?sensor_id=c071&from=" + at + "&to=" + at);
    assertThat(empty.status()).isEqualTo(400);
    assertThat(empty.body()).contains("from").contains("to");
    assertThat(between(shared, sensor, at, at + 1)).containsExactly(rows.get(35));
    assertThat(between(shared, sensor, at, at + MINUTE)).containsExactly(rows.get(35));
    assertThat(between(shared, sensor, START + 210 * MINUTE, START + 630 * MINUTE)).hasSize(420);
    JsonNode count =
        shared.client.readings(
            sensor,
            "&from="
                + (START + 210 * MINUTE)
                + "&to="
                + (START + 630 * MINUTE)
                + "&step=1d&agg=count");
    assertThat(count.path("rows").path(0).path("value").longValue()).isEqualTo(420);
  }

  /** C075. */
  @Test
  void orderHoldsOverAllDaysOfOnePage(SharedNode shared) {
    List<Row> rows = new ArrayList<>();
    for (int hour = 0; hour < 240; hour++) {
      rows.add(new Row(START + hour * 60 * MINUTE, 0, hour));
    }
    shared.store("c075", rows);
    Collections.reverse(rows);
    assertThat(NodeClient.rows(shared.client.readings("c075", "&limit=240"))).isEqualTo(rows);
  }

  /** C079. */
  @Test
  void limitTakesTheNewestDayFirst(SharedNode shared) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      rows.add(new Row(START + (i < 10 ? 0 : DAY) + i * MINUTE, 0, i));
    }
    shared.store("c079", rows);
    List<Row> newest = new ArrayList<>(rows.subList(8, 13));
    Collections.reverse(newest);
    assertThat(NodeClient.rows(shared.client.readings("c079", "&limit=5"))).isEqualTo(newest);
  }

  private static List<Row> between(SharedNode shared, String sensor, long from, long to) {
    return NodeClient.rows(
        shared.client.readings(sensor, "&limit=10000&from=" + from + "&to=" + to));
  }
}
