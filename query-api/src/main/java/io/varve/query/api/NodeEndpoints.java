package io.varve.query.api;

import io.varve.query.NodeControl;
import io.varve.query.api.Problem.Kind;
import io.varve.storage.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * What operators ask: health, status, metrics, the description of this API, pausing and compaction.
 */
final class NodeEndpoints {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPENAPI_TYPE = "application/yaml";
  private static final int OK = 200;
  private static final int ACCEPTED = 202;

  /** Most requests that wait for a compaction: each keeps a thread of the server for minutes. */
  private static final int MAX_COMPACTION_WAITS = 4;

  /** Most requests that look at every day: each reads the indexes of closed ones. */
  private static final int MAX_STATS = 2;

  private static final long SECOND_MICROS = 1_000_000;
  private static final int DEFAULT_TOP_SECONDS = 10;
  private static final int MOST_TOP_SECONDS = 60;
  private static final int DEFAULT_TOP = 10;
  private static final int MOST_TOP = 100;

  private final NodeControl node;
  private final Origins origins;
  private final byte[] openapi;
  private final Semaphore stats = new Semaphore(MAX_STATS);
  private final Semaphore compactionWaits = new Semaphore(MAX_COMPACTION_WAITS);

  NodeEndpoints(NodeControl node, Origins origins) {
    this.node = node;
    this.origins = origins;
    this.openapi = resource("/io/varve/query/openapi.yaml");
  }

  private static byte[] resource(String name) {
    try (InputStream in = NodeEndpoints.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("missing from the jar: " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("unreadable in the jar: " + name, e);
    }
  }

  private static void noParameters(Request request) {
    Parameters.parse(request.rawQuery(), Set.of(), Set.of()).check();
  }

  Answer top(Request request, Body body) {
    Parameters parameters =
        Parameters.parse(request.rawQuery(), Set.of("for", "limit", "kind"), Set.of());
    long micros =
        parameters
            .duration("for", SECOND_MICROS, MOST_TOP_SECONDS * SECOND_MICROS, "10s")
            .orElse(DEFAULT_TOP_SECONDS * SECOND_MICROS);
    int limit = parameters.integer("limit", DEFAULT_TOP, 1, MOST_TOP);
    String kind = parameters.word("kind", List.of("all", "writes", "reads"));
    parameters.check();
    int seconds = (int) ((micros + SECOND_MICROS - 1) / SECOND_MICROS);
    return json(body, node.top(seconds, limit, !kind.equals("reads"), !kind.equals("writes")));
  }

  Answer live(Request request, Body body) {
    noParameters(request);
    if (!node.live()) {
      throw new ProblemException(
          Problem.of(Kind.NOT_READY, "The node has failed and must be restarted; see its log."));
    }
    return json(body, Map.of("live", true));
  }

  Answer ready(Request request, Body body) {
    noParameters(request);
    Optional<String> notReady = node.notReady();
    if (notReady.isPresent()) {
      throw new ProblemException(Problem.retry(Kind.NOT_READY, notReady.get()));
    }
    return json(body, Map.of("ready", true));
  }

  Answer status(Request request, Body body) {
    noParameters(request);
    return json(body, node.status());
  }

  Answer storeStats(Request request, Body body) {
    Parameters parameters = Parameters.parse(request.rawQuery(), Set.of("segments"), Set.of());
    boolean segments = parameters.word("segments", List.of("false", "true")).equals("true");
    parameters.check();
    if (!stats.tryAcquire()) {
      throw new ProblemException(
          Problem.retry(
              Kind.OVERLOADED, "As many requests look at the stores as are allowed; ask again."));
    }
    try {
      return json(body, node.storeStats(segments));
    } catch (IOException e) {
      throw new ProblemException(
          Problem.of(
              Kind.INTERNAL,
              "The files of a day could not be read (" + e.getMessage() + "); see the disk."));
    } finally {
      stats.release();
    }
  }

  Answer metrics(Request request, Body body) {
    noParameters(request);
    byte[] text = node.metrics().getBytes(StandardCharsets.UTF_8);
    body.write(text, 0, text.length);
    return new Answer(200, METRICS_TYPE, List.of(), body);
  }

  Answer openapi(Request request, Body body) {
    noParameters(request);
    body.write(openapi, 0, openapi.length);
    return new Answer(200, OPENAPI_TYPE, List.of(), body);
  }

  Answer pause(Request request, Body body) {
    noParameters(request);
    origins.refuseForeignPages(request);
    requireIngest(node.pauseIngest());
    return json(body, Map.of("paused", true));
  }

  Answer resume(Request request, Body body) {
    noParameters(request);
    origins.refuseForeignPages(request);
    requireIngest(node.resumeIngest());
    return json(body, Map.of("paused", false));
  }

  private void requireIngest(boolean there) {
    if (!there) {
      throw new ProblemException(
          Problem.retry(Kind.NOT_READY, node.notReady().orElse("Ingest has not started yet.")));
    }
  }

  /** Brings every day into tight form: waits until it is done, or only begins it. */
  Answer compact(Request request, Body body) {
    Parameters parameters = Parameters.parse(request.rawQuery(), Set.of("wait"), Set.of());
    boolean wait = parameters.word("wait", List.of("true", "false")).equals("true");
    parameters.check();
    origins.refuseForeignPages(request);
    if (!wait) {
      begun(node.compactStores());
      return json(body, ACCEPTED, Map.of("compacting", true));
    }
    if (!compactionWaits.tryAcquire()) {
      throw new ProblemException(
          Problem.retry(
              Kind.OVERLOADED,
              "As many requests wait for the compaction as are allowed; ask with wait=false and"
                  + " follow compaction in /v1/status."));
    }
    try {
      return json(body, Map.of("compacted_days", days(node.compactStores())));
    } finally {
      compactionWaits.release();
    }
  }

  /** Tells what went wrong before there was anything to wait for. */
  private static void begun(Future<Integer> run) {
    if (run.isDone()) {
      int unused = days(run);
    }
  }

  private static int days(Future<Integer> run) {
    try {
      return run.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProblemException(
          Problem.retry(Kind.STORE_UNAVAILABLE, "The node is stopping; ask again once it is up."));
    } catch (ExecutionException e) {
      throw problem(e.getCause());
    }
  }

  private static RuntimeException problem(@Nullable Throwable cause) {
    if (cause instanceof StoreUnavailableException) {
      return new ProblemException(
          Problem.retry(
              Kind.STORE_UNAVAILABLE,
              cause.getMessage() + " Days already rewritten stay so; try again shortly."));
    }
    if (cause instanceof IOException) {
      return new ProblemException(
          Problem.of(
              Kind.INTERNAL,
              cause.getMessage()
                  + " No row is lost, and answers go on. See that the disk of the data folder has"
                  + " room and can be written, then try again: days already rewritten stay so."));
    }
    return new IllegalStateException("compaction failed", cause);
  }

  /** Answers a tree. */
  static Answer json(Body body, Map<String, Object> tree) {
    return json(body, OK, tree);
  }

  private static Answer json(Body body, int status, Map<String, Object> tree) {
    try (JsonBody json = JsonBody.of(body, TimeFormat.RFC3339)) {
      json.tree(tree);
    }
    return new Answer(status, "application/json", List.of(), body);
  }
}
