package io.varve.load.http;

import io.varve.load.json.Json;
import io.varve.load.target.QueryException;
import io.varve.schemas.Rfc3339;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What a Varve node can be told to do, over HTTP. Single-threaded but for {@link #close}. */
public final class VarveAdmin implements AutoCloseable {
  private final URI node;
  private final HttpLink link;

  /**
   * @param node such as {@code http://127.0.0.1:8080}; plain http only
   */
  public VarveAdmin(URI node) {
    this.node = node;
    this.link = new HttpLink(node);
  }

  /**
   * What a node's stores take.
   *
   * @param rows rows of all days
   * @param bytes bytes of all their files
   */
  public record Size(long rows, long bytes) {}

  /** Stops taking readings in. */
  public void pause() throws QueryException {
    post("/v1/ingest/pause");
  }

  /** Takes readings in again. */
  public void resume() throws QueryException {
    post("/v1/ingest/resume");
  }

  /** Rewrites every day into tight form, and waits for it. */
  public void compact() throws QueryException {
    post("/v1/store/compact");
  }

  /**
   * Gives a sensor so many shards from a time on; it lies in the past only if the sensor has no
   * rows from there on.
   *
   * @param fromMicros first timestamp that it holds for, in microseconds since 1970
   */
  public void split(String sensor, int shards, long fromMicros) throws QueryException {
    post(
        "/v1/shards?sensor_id="
            + URLEncoder.encode(sensor, StandardCharsets.UTF_8)
            + "&shards="
            + shards
            + "&from="
            + URLEncoder.encode(Rfc3339.format(fromMicros), StandardCharsets.UTF_8));
  }

  /** Asks what the stores take. */
  public Size size() throws QueryException {
    try {
      Map<String, Object> stats = answer("/v1/store/stats", link.get("/v1/store/stats"));
      if (stats.get("rows") instanceof Number rows && stats.get("bytes") instanceof Number bytes) {
        return new Size(rows.longValue(), bytes.longValue());
      }
      throw new QueryException(false, "the statistics are not those of a Varve node: " + stats);
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private void post(String path) throws QueryException {
    try {
      Map<String, Object> unused = answer(path, link.post(path, "{}"));
    } catch (IOException e) {
      throw lost(e);
    }
  }

  private Map<String, Object> answer(String path, int status) throws QueryException, IOException {
    if (status != 200) {
      throw new QueryException(
          status == 503, "status=" + status + " asked=" + path + " said=" + link.bodyText());
    }
    return Json.readObject(link.body(), link.bodyLength());
  }

  private QueryException lost(IOException e) {
    return new QueryException(true, "no answer: node=" + node + " cause=" + e.getMessage(), e);
  }

  /** Ends asking, for good and from any thread; a request under way fails. */
  @Override
  public void close() {
    link.close();
  }
}
