package io.varve.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.TargetStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class VarveQueriesTest {
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final RowPage page = new RowPage();
  private final HttpServer server;
  private volatile int status = 200;
  private volatile String answer = "";
  private volatile boolean chunked;

  VarveQueriesTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  @BeforeEach
  void start() {
    server.createContext(
        "/",
        exchange -> {
          String body =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          asked.add(exchange.getRequestURI() + (body.isEmpty() ? "" : " " + body));
          byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(status, chunked ? 0 : bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Queries queries(String path) {
    return new VarveQueries(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
  }

  @Test
  void rowsAreReadBitForBitWithWhereTheNextPageBegins() throws Exception {
    answer =
        "{\"sensor_id\":\"a\",\"from\":null,\"rows\":[{\"timestamp\":7,\"value\":\"NaN\"},"
            + "{\"timestamp\":6,\"value\":-0.0,\"sequence\":3},{\"timestamp\":5,\"value\":21.5}],"
            + "\"next_page_token\":\"T+1\",\"complete\":true,\"stats\":{\"days\":[1]}}";
    try (Queries queries = queries("")) {
      RowsQuery query =
          new RowsQuery("a/ä", OptionalLong.of(0), OptionalLong.of(1_000_000), false, 3);
      for (boolean inChunks : new boolean[] {false, true}) {
        chunked = inChunks;
        queries.rows(query, Optional.of("T+0"), page);
        assertThat(page.size()).isEqualTo(3);
        assertThat(Double.longBitsToDouble(page.valueBits(0))).isNaN();
        assertThat(page.valueBits(1)).isEqualTo(Long.MIN_VALUE);
        assertThat(page.sequence(1)).isEqualTo(3);
        assertThat(page.timestampMicros(2)).isEqualTo(5);
        assertThat(page.next()).contains("T+1");
        assertThat(page.complete()).isTrue();
      }
    }
    assertThat(asked.get(0))
        .startsWith("/v1/readings?ts=epoch_us&sensor_id=a%2F%C3%A4&limit=3&order=asc")
        .contains("from=1970-01-01T00%3A00%3A00.000000Z", "to=1970-01-01T00%3A00%3A01.000000Z")
        .endsWith("page_token=T%2B0");
  }

  @Test
  void latestOfManyHasAPlaceForSensorsWithoutRows() throws Exception {
    answer =
        "{\"rows\":[{\"sensor_id\":\"a\",\"timestamp\":1,\"value\":2.0},"
            + "{\"sensor_id\":\"b\",\"known\":false}],\"next_page_token\":null,\"complete\":true}";
    try (Queries queries = queries("/behind/")) {
      queries.latest(List.of("a", "b"), page);
      assertThat(page.timestampMicros(0)).isEqualTo(1);
      assertThat(page.timestampMicros(1)).isEqualTo(Queries.NONE);
      assertThatThrownBy(() -> queries.latest(List.of("a"), page))
          .isInstanceOfSatisfying(QueryException.class, e -> assertThat(e.passing()).isFalse());
    }
    assertThat(asked.get(0))
        .isEqualTo("/behind/v1/latest?ts=epoch_us {\"sensor_ids\":[\"a\",\"b\"]}");
  }

  @Test
  void statusTellsLagAndLedger() throws Exception {
    answer =
        "{\"ledger\":{\"stored\":5,\"refused\":2,\"refused_by_reason\":{\"id-empty\":2}},"
            + "\"topic_partitions\":[{\"topic_partition\":3,\"lag_records\":4}],"
            + "\"sources\":[{\"topic\":\"readings\",\"partition\":0,\"lag_records\":6}],"
            + "\"version\":\"1\"}";
    try (Queries queries = queries("")) {
      TargetStatus status = queries.status().orElseThrow();
      assertThat(status.lagRecords()).containsEntry("rows-3", 4L).containsEntry("readings-0", 6L);
      assertThat(status.totalLag()).isEqualTo(10);
      assertThat(status.stored()).isEqualTo(5);
      assertThat(status.refusedByReason()).containsEntry("id-empty", 2L);
    }
  }

  @Test
  void whatMayBeAnsweredLaterIsToldApartFromWhatMustNeverBe() throws Exception {
    try (Queries queries = queries("")) {
      answer = "{\"detail\":\"restoring\"}";
      status = 503;
      assertPassing(queries, true, "restoring");
      status = 400;
      assertPassing(queries, false, "status=400");
      status = 200;
      assertPassing(queries, false, "no rows");
      answer = "<html>";
      assertPassing(queries, false, "cannot be read");
    }
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    try (Queries queries = new VarveQueries(URI.create("http://127.0.0.1:" + free))) {
      assertPassing(queries, true, "no answer");
    }
  }

  private void assertPassing(Queries queries, boolean passing, String part) {
    assertThatThrownBy(() -> queries.rows(RowsQuery.all("a", true, 1), Optional.empty(), page))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.passing()).isEqualTo(passing))
        .hasMessageContaining(part);
  }
}
