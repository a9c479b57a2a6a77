package io.varve.server.proof;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.varve.storage.Row;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Answers about one sensor as a node does, and tells one lie, to see who notices. */
final class LyingNode implements AutoCloseable {
  /** What is wrong with its answers. */
  enum Lie {
    NONE,
    /** Leaves out a row in the middle of each page. */
    DROPS_A_ROW,
    /** Shows a row twice in a row. */
    REPEATS_A_ROW,
    /** Shows the first row of a page once more at its end. */
    REPEATS_THE_FIRST,
    /** Swaps two rows. */
    SWAPS_ROWS,
    /** Shows what a corrected row was before. */
    SHOWS_AN_OLD_VALUE,
    /** Shows a value that was never sent. */
    INVENTS_A_VALUE,
    /** Shows a row that was never sent. */
    INVENTS_A_ROW,
    /** Ends after half of the rows, and says that these were all. */
    ENDS_EARLY,
    /** Ends a page early, and says that it was full. */
    SHORT_PAGE,
    /** Has more rows than it shows and no way to get at them. */
    WITHHOLDS_THE_TOKEN,
    /** Says that time was up, and that the answer is complete nevertheless. */
    CUT_BUT_COMPLETE,
    /** Knows nothing, and says so with 200. */
    EMPTY,
    /** Refuses without saying when to come back. */
    CURT
  }

  static {
    // Else each answer waits 40 ms for the client to acknowledge its head.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final long DAY = 86_400_000_000L;

  private final History history;
  private final HttpServer server;
  private volatile Lie lie = Lie.NONE;

  LyingNode(History history) throws IOException {
    this.history = history;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Tells another lie from now on. */
  void tell(Lie next) {
    lie = next;
  }

  NodeClient client() {
    return new NodeClient("http://127.0.0.1:" + server.getAddress().getPort());
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> asked = new HashMap<>();
    for (String pair : exchange.getRequestURI().getQuery().split("&", -1)) {
      asked.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    String body;
    if (lie == Lie.CURT) {
      body = "not now";
    } else if (exchange.getRequestURI().getPath().equals("/v1/latest")) {
      body = page(falsified(history.rows().subList(0, 1)), "exhausted", "");
    } else if (asked.containsKey("step")) {
      body = counts(asked);
    } else {
      body = rows(asked, exchange);
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(lie == Lie.CURT ? 503 : 200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private List<Row> asked(Map<String, String> asked) {
    long from = Long.parseLong(asked.getOrDefault("from", "0"));
    long to = Long.parseLong(asked.getOrDefault("to", "" + Long.MAX_VALUE));
    List<Row> rows = new ArrayList<>(history.rows());
    rows.removeIf(row -> row.timestampMicros() < from || row.timestampMicros() >= to);
    if (asked.getOrDefault("order", "desc").equals("asc")) {
      Collections.reverse(rows);
    }
    return rows;
  }

  private String rows(Map<String, String> asked, HttpExchange exchange) {
    List<Row> all = asked(asked);
    int limit = Integer.parseInt(asked.getOrDefault("limit", "100"));
    int begin = Integer.parseInt(asked.getOrDefault("page_token", "0"));
    int end = Math.min(all.size(), begin + limit);
    boolean full = end - begin == limit;
    List<Row> page = falsified(all.subList(begin, end));
    String why = full ? "limit" : "exhausted";
    String token = full ? "" + end : "";
    switch (lie) {
      case ENDS_EARLY -> {
        why = "exhausted";
        token = "";
      }
      case SHORT_PAGE -> {
        page.subList(page.size() / 2, page.size()).clear();
        why = "limit";
        token = "" + end;
      }
      case WITHHOLDS_THE_TOKEN -> {
        page.subList(page.size() / 2, page.size()).clear();
        why = "limit";
        token = "";
      }
      case CUT_BUT_COMPLETE -> {
        why = "deadline";
        token = "" + end;
      }
      default -> {}
    }
    if (!asked.getOrDefault("format", "json").equals("csv")) {
      return page(page, why, token);
    }
    exchange.getResponseHeaders().add("Varve-Complete", "true");
    exchange.getResponseHeaders().add("Varve-Stop-Reason", why);
    if (!token.isEmpty()) {
      exchange.getResponseHeaders().add("Varve-Next-Page-Token", token);
    }
    StringBuilder csv = new StringBuilder("timestamp,value,sequence\n");
    page.forEach(
        row ->
            csv.append(row.timestampMicros())
                .append(',')
                .append(row.value())
                .append(',')
                .append(row.sequence())
                .append('\n'));
    return csv.toString();
  }

  private String counts(Map<String, String> asked) {
    Map<Long, Integer> days = new TreeMap<>();
    falsified(asked(asked))
        .forEach(
            row -> days.merge(Math.floorDiv(row.timestampMicros(), DAY) * DAY, 1, Integer::sum));
    List<String> rows = new ArrayList<>();
    days.forEach((day, n) -> rows.add("{\"timestamp\":" + day + ",\"value\":" + n + "}"));
    return text(rows, "exhausted", "");
  }

  private static String page(List<Row> rows, String why, String token) {
    return text(
        rows.stream()
            .map(
                row ->
                    String.format(
                        Locale.ROOT,
                        "{\"timestamp\":%d,\"sequence\":%d,\"value\":%s}",
                        row.timestampMicros(),
                        row.sequence(),
                        row.value()))
            .toList(),
        why,
        token);
  }

  private static String text(List<String> rows, String why, String token) {
    return "{\"rows\":["
        + String.join(",", rows)
        + "],\"complete\":true,\"stop_reason\":\""
        + why
        + "\",\"next_page_token\":"
        + (token.isEmpty() ? "null" : "\"" + token + "\"")
        + "}";
  }

  private List<Row> falsified(List<Row> right) {
    List<Row> rows = new ArrayList<>(right);
    int middle = rows.size() / 2;
    Row row = rows.isEmpty() ? new Row(0, 0, 0) : rows.get(middle);
    switch (lie) {
      case DROPS_A_ROW -> rows.remove(row);
      case REPEATS_A_ROW -> rows.add(middle, row);
      case REPEATS_THE_FIRST -> rows.add(rows.get(0));
      case SWAPS_ROWS -> Collections.swap(rows, middle, Math.max(0, middle - 1));
      case SHOWS_AN_OLD_VALUE -> rows.set(middle, altered(row, -1));
      case INVENTS_A_VALUE -> rows.set(middle, altered(row, 1_000_000_007));
      case INVENTS_A_ROW ->
          rows.set(middle, new Row(row.timestampMicros(), row.sequence() + 7, row.value()));
      case ENDS_EARLY -> rows.subList(middle, rows.size()).clear();
      case EMPTY -> rows.clear();
      case NONE, SHORT_PAGE, WITHHOLDS_THE_TOKEN, CUT_BUT_COMPLETE, CURT -> {}
    }
    return rows;
  }

  private static Row altered(Row row, double by) {
    return new Row(row.timestampMicros(), row.sequence(), row.value() + by);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
