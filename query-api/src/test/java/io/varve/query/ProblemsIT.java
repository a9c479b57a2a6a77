package io.varve.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.StoreState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever can't be answered is told as a problem, quickly, with what to do. */
class ProblemsIT {
  private static final long JUNE = TestNode.micros("2024-06-01T00:00:00Z");

  private final TestNode node = new TestNode();

  @AfterEach
  void close() {
    node.close();
  }

  private static JsonNode problem(PlainClient.Reply reply, int status) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).contains("application/problem+json");
    assertThat(reply.text()).doesNotContain("Exception", "java.", "jetty", "\tat ");
    JsonNode problem = TestNode.tree(reply);
    assertThat(problem.get("status").asInt()).isEqualTo(status);
    assertThat(problem.get("type").asText()).startsWith("urn:varve:problem:");
    assertThat(problem.get("title").asText()).isNotEmpty();
    assertThat(problem.get("detail").asText()).isNotEmpty();
    return problem;
  }

  /** C007, C015, C017, C019, C063, C069 and the like: parameter, reason and example are named. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "limit=0 limit",
        "limit=-1 limit",
        "limit=-9223372036854775808 limit",
        "limit=10001 limit",
        "limit=ten limit",
        "limit= limit",
        "limit=1&limit=2 limit",
        "sensor_id=b sensor_id",
        "order=newest order",
        "ts=iso ts",
        "format=xml format",
        "timeout=1h timeout",
        "timeout=0s timeout",
        "timeout=abc timeout",
        "from=yesterday from",
        "from=1990-12-31T23:59:60Z from",
        "from=1990-12-31T15:59:60-08:00 from",
        "to=%2B10000-01-01T00:00:00Z to",
        "to=275760-09-13 to",
        "from=-0001-01-01T00:00:00Z from",
        "from=2020-09-03T21:00:00+02:00 from",
        "from=2024-06-02&to=2024-06-01 from",
        "from=2024-06-01&to=2024-06-01 from",
        "from=%zz from",
        "from=%f from",
        "from=%ff from",
        "zone=Australia/Sydney zone",
        "fill=previous fill",
        "offset=100 offset",
        "Limit=5 Limit",
        "limit%5B%5D=5 limit[]",
        "page_token= page_token",
        "page_token=abc page_token",
        "agg=avg agg",
      })
  void badParametersAreNamed(String query, String parameter) {
    node.put("a", JUNE, 0, 1);
    JsonNode problem = problem(node.get("/v1/readings?sensor_id=a&" + query), 400);
    JsonNode error = problem.get("errors").get(0);
    assertThat(error.get("parameter").asText()).isEqualTo(parameter);
    assertThat(error.get("detail").asText()).isNotEmpty();
    assertThat(error.get("example").asText()).isNotEmpty();
  }

  @Test
  void sensorIdIsRequiredAndChecked() {
    problem(node.get("/v1/readings"), 400);
    problem(node.get("/v1/readings?sensor_id="), 400);
    problem(node.get("/v1/readings?sensor_id=%00"), 400);
    problem(node.get("/v1/readings?sensor_id=%C3%28"), 400);
    problem(node.get("/v1/readings?sensor_id=" + "a".repeat(257)), 400);
    problem(node.get("/v1/latest"), 400);
    assertThat(node.get("/v1/readings?sensor_id=" + "a".repeat(256)).status()).isEqualTo(200);
  }

  @Test
  void allFaultsAreToldAtOnce() {
    JsonNode problem = problem(node.get("/v1/readings?limit=0&zone=x&order=up"), 400);
    assertThat(problem.get("errors"))
        .extracting(error -> error.get("parameter").asText())
        .containsExactlyInAnyOrder("limit", "zone", "order", "sensor_id");
  }

  /** C017: encoded, the offset is understood. */
  @Test
  void encodedPlusOfAnOffsetIsUnderstood() {
    JsonNode answer = node.json("/v1/readings?sensor_id=a&from=2020-09-03T21:00:00%2B02:00");
    assertThat(answer.get("from").asText()).isEqualTo("2020-09-03T19:00:00.000000Z");
    String text = node.get("/v1/readings?sensor_id=a&from=2020-09-03T21:00:00+02:00").text();
    assertThat(text).contains("%2B");
  }

  /** C059: damaged, foreign and forged tokens. */
  @Test
  void wrongPageTokensAreRefused() {
    for (int i = 0; i < 5; i++) {
      node.put("a", JUNE + i, 0, i);
      node.put("b", JUNE + i, 0, i);
    }
    String query = "/v1/readings?sensor_id=a&from=2024-06-01&limit=2";
    String token = node.json(query).get("next_page_token").asText();
    assertThat(node.get(query + "&page_token=" + token).status()).isEqualTo(200);
    assertThat(node.get(query.replace("=2", "=3") + "&page_token=" + token).status())
        .as("another from")
        .isEqualTo(400);
    for (String other :
        List.of(
            "sensor_id=b&from=2024-06-01",
            "sensor_id=a&from=2024-06-01T00:00:00Z",
            "sensor_id=a&from=2024-06-01&to=2024-06-02",
            "sensor_id=a&from=2024-06-01&order=asc",
            "sensor_id=a&from=2024-06-01&order=desc",
            "sensor_id=a&from=2024-06-01&step=1h",
            "sensor_id=a")) {
      JsonNode problem = problem(node.get("/v1/readings?" + other + "&page_token=" + token), 400);
      assertThat(problem.get("errors").get(0).get("detail").asText()).contains("another query");
    }
    byte[] bytes = Base64.getUrlDecoder().decode(token);
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] ^= 1;
      String flipped = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
      problem(node.get(query + "&page_token=" + flipped), 400);
      bytes[i] ^= 1;
    }
    // The limit and the shape of the answer may change from page to page.
    assertThat(
            node.get("/v1/readings?sensor_id=a&from=2024-06-01&ts=epoch_us&page_token=" + token)
                .status())
        .isEqualTo(200);
  }

  /** C059: also a megabyte of token; the server may hang up before it has read all of it. */
  @Test
  void megabyteOfTokenIsRefused() throws Exception {
    problem(node.get("/v1/readings?sensor_id=a&page_token=" + "A".repeat(12_000)), 400);
    try (PlainClient client = new PlainClient(node.port())) {
      String token = "A".repeat(1 << 20);
      problem(client.get("/v1/readings?sensor_id=a&page_token=" + token), 414);
    } catch (IOException e) {
      assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe|closed).*");
    }
    assertThat(node.get("/live").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/",
        "/v1/readings/",
        "/v1/reading",
        "/V1/readings",
        "/v1/readings/a",
        "/v1/%72eadings",
        "//v1/readings",
        "/favicon.ico",
        "/v1/readings;x=1",
        "/index.html"
      })
  void unknownPathsAreNotFound(String path) {
    assertThat(problem(node.get(path), 404).get("detail").asText()).contains("/v1/readings");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%2e%2e/x", "/v1/../x", "/v1/%00", "/v1/%2Fx", "/%", "/a%zz", "/\\x"})
  void oddPathsAreRefused(String path) {
    PlainClient.Reply reply = node.get(path);
    assertThat(reply.status()).isIn(400, 404);
    problem(reply, reply.status());
  }

  @Test
  void wrongMethodsAreNamed() throws Exception {
    for (String method : List.of("POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "BREW")) {
      PlainClient.Reply reply = node.client().send(method, "/v1/readings", new byte[0]);
      problem(reply, 405);
      assertThat(reply.header("Allow")).contains("GET, HEAD, OPTIONS");
    }
    assertThat(node.get("/v1/ingest/pause").status()).isEqualTo(405);
    assertThat(node.get("/v1/ingest/pause").header("Allow")).contains("OPTIONS, POST");
    assertThat(node.paused()).isFalse();
  }

  @Test
  void malformedHttpIsAProblemToo() throws Exception {
    node.client().sendBytes("GET /v1/readings\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat(node.client().read(false).status()).isIn(400, 505);
    try (PlainClient client = new PlainClient(node.port())) {
      client.sendBytes("NONSENSE\u0001\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      problem(client.read(false), 400);
    }
    try (PlainClient client = new PlainClient(node.port())) {
      problem(client.get("/live", "X-Large: " + "a".repeat(30_000)), 431);
    }
  }

  @Test
  void unacceptableFormatsAreRefused() {
    problem(node.get("/v1/readings?sensor_id=a", "Accept: image/png"), 406);
    problem(node.get("/v1/readings?sensor_id=a", "Accept: application/json;q=0"), 406);
    assertThat(node.get("/v1/readings?sensor_id=a&format=csv", "Accept: image/png").status())
        .isEqualTo(200);
  }

  /** C181, C219: a store that is not there or not ready is never an empty answer. */
  @Test
  void missingStoresAreNamed() {
    node.put("a", JUNE, 0, 1);
    for (StoreState state :
        List.of(StoreState.RESTORING, StoreState.REBUILDING, StoreState.CLOSED)) {
      node.partition(1).state(state);
      for (String address :
          List.of("/v1/readings?sensor_id=a", "/v1/latest?sensor_id=a", "/v1/sensors")) {
        PlainClient.Reply reply = node.get(address);
        assertThat(problem(reply, 503).get("detail").asText())
            .contains("1 (" + state.name().toLowerCase(java.util.Locale.ROOT) + ")");
        assertThat(reply.header("Retry-After")).isPresent();
      }
    }
    node.partition(1).state(StoreState.SERVING);
    assertThat(node.get("/v1/readings?sensor_id=a").status()).isEqualTo(200);
    node.move(2, "10.0.0.7:8080");
    assertThat(problem(node.get("/v1/readings?sensor_id=a"), 503).get("detail").asText())
        .contains("2 (not here, owned by 10.0.0.7:8080)");
  }

  /** C133: with an allowed origin, errors can be read by the page too. */
  @Test
  void corsIsOffUnlessAllowed() throws Exception {
    String origin = "Origin: https://dash.example";
    assertThat(node.get("/v1/readings?limit=0", origin).header("Access-Control-Allow-Origin"))
        .isEmpty();
    try (TestNode open =
        new TestNode(
            s ->
                new HttpSettings(
                    s.bind(),
                    0,
                    4,
                    4,
                    s.timeout(),
                    s.maxTimeout(),
                    java.util.Set.of("https://dash.example")),
            io.varve.storage.placement.ShardCounts.ONE)) {
      PlainClient.Reply reply = open.get("/v1/readings?limit=0", origin);
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.header("Access-Control-Allow-Origin")).contains("https://dash.example");
      assertThat(open.get("/live", "Origin: https://evil.example").headers())
          .doesNotContainKey("Access-Control-Allow-Origin");
      PlainClient.Reply preflight =
          open.client().send("OPTIONS", "/v1/latest", new byte[0], origin);
      assertThat(preflight.status()).isEqualTo(204);
      assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Content-Type");
    }
  }
}
