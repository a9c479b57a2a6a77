package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.varve.storage.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A user of a node's HTTP interface. Thread-safe. */
final class NodeClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private static final ObjectMapper JSON = new ObjectMapper();

  /** One HTTP answer. */
  record Answer(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
      try {
        return JSON.readTree(response.body());
      } catch (IOException e) {
        throw new AssertionError("not JSON: " + response.body(), e);
      }
    }
  }

  /** The totals that {@code /v1/status} begins with. */
  record Ledger(long stored, long overwritten, long duplicates, long refused, long deadLettered) {
    long consumed() {
      return stored + overwritten + duplicates + refused + deadLettered;
    }
  }

  private final String base;

  NodeClient(String base) {
    this.base = base;
  }

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  Answer get(String pathAndQuery, String... headers) {
    return send(request(pathAndQuery, headers).GET().build());
  }

  Answer post(String pathAndQuery, String body, String... headers) {
    return send(
        request(pathAndQuery, headers).POST(HttpRequest.BodyPublishers.ofString(body)).build());
  }

  /** Returns the status of a path, 0 when nothing listens. */
  int statusOf(String path) {
    try {
      return get(path).status();
    } catch (UncheckedIOException e) {
      return 0;
    }
  }

  private HttpRequest.Builder request(String pathAndQuery, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(base + pathAndQuery)).timeout(Duration.ofSeconds(20));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request;
  }

  private static Answer send(HttpRequest request) {
    try {
      return new Answer(HTTP.send(request, HttpResponse.BodyHandlers.ofString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Asks for readings of one sensor and expects an answer. */
  JsonNode readings(String sensor, String parameters) {
    Answer answer = get("/v1/readings?sensor_id=" + encode(sensor) + "&ts=epoch_us" + parameters);
    assertThat(answer.status()).as("%s %s", sensor, answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** Follows page tokens to the end and returns all rows in the order of the answers. */
  List<Row> allRows(String sensor, String order, int limit) {
    return allRows(sensor, order, limit, "");
  }

  List<Row> allRows(String sensor, String order, int limit, String parameters) {
    List<Row> rows = new ArrayList<>();
    String more = "&order=" + order + "&limit=" + limit + parameters;
    String token = "";
    do {
      JsonNode page = readings(sensor, more + token);
      List<Row> got = rows(page);
      assertThat(got.size()).as("rows of a page").isLessThanOrEqualTo(limit);
      assertThat(page.path("complete").asBoolean())
          .as("complete unless the deadline of a busy machine passed: %s", page.path("stop_reason"))
          .isEqualTo(!page.path("stop_reason").asText().equals("deadline"));
      rows.addAll(got);
      JsonNode next = page.path("next_page_token");
      assertThat(next.isNull() || next.isTextual()).as("next_page_token: %s", next).isTrue();
      token = next.isNull() ? "" : "&page_token=" + encode(next.asText());
    } while (!token.isEmpty());
    return rows;
  }

  /** Parses the rows of an answer given with {@code ts=epoch_us}. */
  static List<Row> rows(JsonNode answer) {
    List<Row> rows = new ArrayList<>();
    for (JsonNode row : answer.path("rows")) {
      assertThat(row.path("timestamp").isIntegralNumber()).as("%s", row).isTrue();
      rows.add(
          new Row(
              row.path("timestamp").longValue(),
              row.path("sequence").longValue(),
              value(row.path("value"))));
    }
    return rows;
  }

  /** Parses a value: a number, or a text for what JSON has no number for. */
  static double value(JsonNode value) {
    if (value.isTextual()) {
      return switch (value.asText()) {
        case "NaN" -> Double.NaN;
        case "Infinity" -> Double.POSITIVE_INFINITY;
        case "-Infinity" -> Double.NEGATIVE_INFINITY;
        default -> throw new AssertionError("value: " + value);
      };
    }
    assertThat(value.isNumber()).as("value: %s", value).isTrue();
    return value.doubleValue();
  }

  JsonNode status() {
    Answer answer = get("/v1/status");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  Ledger ledger() {
    JsonNode ledger = status().path("ledger");
    return new Ledger(
        count(ledger, "stored"),
        count(ledger, "overwritten"),
        count(ledger, "duplicates"),
        count(ledger, "refused"),
        count(ledger, "dead_lettered"));
  }

  private static long count(JsonNode ledger, String name) {
    assertThat(ledger.path(name).isIntegralNumber()).as("%s in %s", name, ledger).isTrue();
    return ledger.path(name).longValue();
  }

  /** Waits until so many readings and undecodable records have found their place in the ledger. */
  Ledger awaitConsumed(long atLeast, Duration atMost) {
    return await("consumed " + atLeast)
        .atMost(atMost)
        .pollInterval(Duration.ofMillis(50))
        .ignoreException(UncheckedIOException.class)
        .until(this::ledger, ledger -> ledger.consumed() >= atLeast);
  }
}
