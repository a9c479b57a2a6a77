package io.varve.load.http;

import io.varve.load.json.Json;
import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.RowPage;
import io.varve.load.target.RowsQuery;
import io.varve.load.target.TargetStatus;
import io.varve.schemas.Durations;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Questions to a Varve node. Single-threaded but for {@link #close}. */
public final class VarveQueries implements Queries {
  private static final int SHOWN_BODY = 300;

  private final URI node;
  private final HttpLink link;

  /**
   * @param node such as {@code http://127.0.0.1:8080}; plain http only
   */
  public VarveQueries(URI node) {
    this.node = node;
    this.link = new HttpLink(node);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void rows(RowsQuery query, Optional<String> token, RowPage page) throws QueryException {
    StringBuilder path = new StringBuilder(160);
    path.append("/v1/readings?ts=epoch_us&sensor_id=").append(encode(query.sensor()));
    path.append("&limit=").append(query.limit());
    path.append(query.newestFirst() ? "&order=desc" : "&order=asc");
    query.fromMicros().ifPresent(from -> path.append("&from=").append(instant(from)));
    query.toMicros().ifPresent(to -> path.append("&to=").append(instant(to)));
    token.ifPresent(t -> path.append("&page_token=").append(encode(t)));
    get(path.toString());
    readRows(page);
  }

  /** Instants go by magnitude as numbers, so near 1970 micros would be read as something else. */
  private static String instant(long micros) {
    return encode(io.varve.schemas.Rfc3339.format(micros));
  }

  @Override
  public void buckets(String sensor, long fromMicros, long toMicros, long stepMicros, RowPage page)
      throws QueryException {
    get(
        "/v1/readings?ts=epoch_us&agg=avg&sensor_id="
            + encode(sensor)
            + "&from="
            + instant(fromMicros)
            + "&to="
            + instant(toMicros)
            + "&step="
            + Durations.format(stepMicros));
    readRows(page);
  }

  @Override
  public void latest(List<String> sensors, RowPage page) throws QueryException {
    StringBuilder body = new StringBuilder(sensors.size() * 32 + 20);
    for (String sensor : sensors) {
      body.append(body.isEmpty() ? "{\"sensor_ids\":[\"" : "\",\"").append(sensor);
    }
    body.append("\"]}");
    try {
      checkStatus(link.post("/v1/latest?ts=epoch_us", body.toString()), "/v1/latest");
    } catch (IOException e) {
      throw lost(e);
    }
    readRows(page);
    if (page.size() != sensors.size()) {
      throw new QueryException(
          false, "latest of " + sensors.size() + " sensors has " + page.size() + " rows");
    }
  }

  @Override
  public Optional<TargetStatus> status() throws QueryException {
    get("/v1/status");
    try {
      Map<String, Object> status = Json.readObject(link.body(), link.bodyLength());
      TreeMap<String, Long> lag = new TreeMap<>();
      for (Object entry : list(status, "sources")) {
        lag.put(
            text(entry, "topic") + "-" + number(entry, "partition"), number(entry, "lag_records"));
      }
      for (Object entry : list(status, "topic_partitions")) {
        lag.put("rows-" + number(entry, "topic_partition"), number(entry, "lag_records"));
      }
      Object ledger = status.getOrDefault("ledger", Map.of());
      Map<String, Long> reasons = new TreeMap<>();
      if (ledger instanceof Map<?, ?> map && map.get("refused_by_reason") instanceof Map<?, ?> by) {
        by.forEach((reason, count) -> reasons.put("" + reason, ((Number) count).longValue()));
      }
      return Optional.of(
          new TargetStatus(
              lag,
              number(ledger, "stored"),
              number(ledger, "overwritten"),
              number(ledger, "duplicates"),
              number(ledger, "refused"),
              reasons,
              number(ledger, "dead_lettered"),
              "varve " + text(status, "version")));
    } catch (IOException | ClassCastException e) {
      throw new QueryException(false, "the status is not that of a Varve node: " + e, e);
    }
  }

  private static List<?> list(Map<String, Object> tree, String name) {
    return tree.get(name) instanceof List<?> list ? list : List.of();
  }

  private static String text(Object entry, String name) {
    return entry instanceof Map<?, ?> map ? String.valueOf(map.get(name)) : "";
  }

  private static long number(Object entry, String name) {
    return entry instanceof Map<?, ?> map && map.get(name) instanceof Number number
        ? number.longValue()
        : 0;
  }

  private void get(String pathAndQuery) throws QueryException {
    try {
      checkStatus(link.get(pathAndQuery), pathAndQuery);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private QueryException lost(IOException e) {
    return new QueryException(true, "no answer: node=" + node + " cause=" + e.getMessage(), e);
  }

  private void checkStatus(int status, String asked) throws QueryException {
    if (status == 200) {
      return;
    }
    String body = link.bodyText();
    String shown = body.substring(0, Math.min(SHOWN_BODY, body.length()));
    boolean passing = status == 503 || status == 504;
    throw new QueryException(passing, "status=" + status + " asked=" + asked + " said=" + shown);
  }

  private void readRows(RowPage page) throws QueryException {
    try {
      Json.readRows(link.body(), link.bodyLength(), page);
    } catch (IOException | NumberFormatException e) {
      throw new QueryException(false, "the answer cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
