package io.varve.query.api;

import io.varve.query.NodeControl;
import io.varve.query.api.Problem.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What operators ask: health, status, metrics, the description of this API, and pausing. */
final class NodeEndpoints {
  private static final String METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPENAPI_TYPE = "application/yaml";

  private final NodeControl node;
  private final Set<String> allowedOrigins;
  private final byte[] openapi;

  NodeEndpoints(NodeControl node, Set<String> allowedOrigins) {
    this.node = node;
    this.allowedOrigins = allowedOrigins;
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
    refuseForeignPages(request);
    requireIngest(node.pauseIngest());
    return json(body, Map.of("paused", true));
  }

  Answer resume(Request request, Body body) {
    noParameters(request);
    refuseForeignPages(request);
    requireIngest(node.resumeIngest());
    return json(body, Map.of("paused", false));
  }

  private void requireIngest(boolean there) {
    if (!there) {
      throw new ProblemException(
          Problem.retry(Kind.NOT_READY, node.notReady().orElse("Ingest has not started yet.")));
    }
  }

  /** Days have one form so far, so there is never one to rewrite. */
  Answer compact(Request request, Body body) {
    noParameters(request);
    refuseForeignPages(request);
    return json(body, Map.of("compacted_days", 0));
  }

  /** A web page of another origin must not steer the node through its reader's browser. */
  private void refuseForeignPages(Request request) {
    Optional<String> origin = request.header("Origin");
    if (origin.isPresent()
        && !allowedOrigins.contains(origin.get())
        && !isOwn(origin.get(), request.header("Host").orElse(""))) {
      throw new ProblemException(
          Problem.of(Kind.FORBIDDEN, "Web pages of other origins may not change this node."));
    }
  }

  private static boolean isOwn(String origin, String host) {
    try {
      return host.equalsIgnoreCase(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Answer json(Body body, Map<String, Object> tree) {
    try (JsonBody json = JsonBody.of(body, TimeFormat.RFC3339)) {
      json.tree(tree);
    }
    return new Answer(200, "application/json", List.of(), body);
  }
}
