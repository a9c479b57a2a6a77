package io.varve.query.api;

import io.varve.query.HttpSettings;
import io.varve.query.NodeControl;
import io.varve.query.Stores;
import io.varve.query.api.Problem.Kind;
import io.varve.query.plan.DeadlineExceededException;
import io.varve.query.plan.MissingStoresException;
import io.varve.storage.CorruptBlockException;
import io.varve.storage.StoreUnavailableException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every resource and the one table from failures to problems. Thread-safe.
 *
 * <p>An answer is made whole in memory before its first byte is sent, so a failure in the middle of
 * a read becomes a problem and never half an answer. Pages are bounded, so memory is too.
 */
public final class Api {
  private static final Logger LOG = LoggerFactory.getLogger(Api.class);

  private final Map<String, Map<String, Endpoint>> resources = new LinkedHashMap<>();
  private final ThreadLocal<Body> bodies = ThreadLocal.withInitial(Body::new);
  private final Set<String> allowedOrigins;

  /**
   * @param nowMicros the clock, in microseconds since 1970
   */
  public Api(HttpSettings settings, Stores stores, NodeControl node, LongSupplier nowMicros) {
    allowedOrigins = settings.allowedOrigins();
    Admission admission = new Admission(settings.concurrentQueries(), settings.queuedQueries());
    Origins origins = new Origins(allowedOrigins);
    LatestEndpoint latest = new LatestEndpoint(settings, stores, admission);
    NodeEndpoints nodes = new NodeEndpoints(node, origins);
    ShardsEndpoint shards = new ShardsEndpoint(node.shards(), origins, nowMicros);
    resources.put(
        ReadingsEndpoint.PATH,
        Map.of("GET", new ReadingsEndpoint(settings, stores, admission, nowMicros)));
    resources.put(LatestEndpoint.PATH, Map.of("GET", latest::get, "POST", latest::post));
    resources.put(SensorsEndpoint.PATH, Map.of("GET", new SensorsEndpoint(stores, admission)));
    resources.put("/v1/status", Map.of("GET", nodes::status));
    resources.put("/v1/store/stats", Map.of("GET", nodes::storeStats));
    resources.put("/v1/top", Map.of("GET", nodes::top));
    resources.put("/v1/ingest/pause", Map.of("POST", nodes::pause));
    resources.put("/v1/ingest/resume", Map.of("POST", nodes::resume));
    resources.put("/v1/store/compact", Map.of("POST", nodes::compact));
    resources.put(ShardsEndpoint.PATH, Map.of("GET", shards::hotList, "POST", shards::set));
    resources.put(ShardsEndpoint.HISTORY_PATH, Map.of("GET", shards::history));
    resources.put("/live", Map.of("GET", nodes::live));
    resources.put("/ready", Map.of("GET", nodes::ready));
    resources.put("/metrics", Map.of("GET", nodes::metrics));
    resources.put("/openapi.yaml", Map.of("GET", nodes::openapi));
  }

  /** Answers a request; the body is valid until this thread's next call. */
  public Answer answer(Request request) {
    Answer answer = answerOrProblem(request);
    return allowedOrigins.isEmpty() ? answer : withCors(request, answer);
  }

  private Answer answerOrProblem(Request request) {
    Body body = bodies.get();
    body.clear();
    try {
      return route(request, body);
    } catch (ProblemException e) {
      return problem(e.problem(), body);
    } catch (MissingStoresException e) {
      return problem(Problem.retry(Kind.STORE_UNAVAILABLE, detail(e)), body);
    } catch (StoreUnavailableException e) {
      return problem(
          Problem.retry(
              Kind.STORE_UNAVAILABLE,
              "A store closed or moved while it was read; try again shortly."),
          body);
    } catch (CorruptBlockException e) {
      LOG.warn("a block failed its check under a query: path={}", request.path(), e);
      return problem(
          Problem.retry(
              Kind.STORE_UNAVAILABLE,
              "Damaged rows were found and are being rebuilt from the log; try again shortly."),
          body);
    } catch (DeadlineExceededException e) {
      return problem(
          Problem.of(
              Kind.DEADLINE,
              "The time was used up before there was anything to answer ("
                  + e.getMessage()
                  + "); allow more with timeout=30s, or ask for less."),
          body);
    } catch (RuntimeException e) {
      LOG.error("answering failed: method={} path={}", request.method(), request.path(), e);
      return problem(
          Problem.of(Kind.INTERNAL, "This is a fault of the server; its log says more."), body);
    }
  }

  private static String detail(MissingStoresException e) {
    return "Topic partitions without a serving store on this node: "
        + e.missing().stream()
            .map(MissingStoresException.Missing::toString)
            .collect(Collectors.joining(", "))
        + ". Try again shortly, or ask the owner.";
  }

  private Answer route(Request request, Body body) {
    Map<String, Endpoint> methods = resources.get(request.path());
    if (methods == null) {
      throw new ProblemException(
          Problem.of(
              Kind.NOT_FOUND,
              "There is no "
                  + Parameters.shown(request.path())
                  + "; there are "
                  + String.join(", ", resources.keySet())
                  + "."));
    }
    String method = request.method().equals("HEAD") ? "GET" : request.method();
    Endpoint endpoint = methods.get(method);
    if (endpoint != null) {
      return endpoint.answer(request, body);
    }
    Header allow = new Header("Allow", String.join(", ", allowed(methods)));
    if (method.equals("OPTIONS")) {
      return new Answer(204, "", List.of(allow), body);
    }
    throw new ProblemException(
        Problem.of(
            Kind.METHOD_NOT_ALLOWED,
            request.path()
                + " has no method "
                + Parameters.shown(request.method())
                + "; it has "
                + allow.value()
                + ".",
            allow));
  }

  private static Set<String> allowed(Map<String, Endpoint> methods) {
    Set<String> allowed = new TreeSet<>(methods.keySet());
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    allowed.add("OPTIONS");
    return allowed;
  }

  /** Answers with a problem, in place of whatever the body holds. */
  private static Answer problem(Problem problem, Body body) {
    body.clear();
    ProblemText.write(problem, body);
    return new Answer(problem.kind().status(), Problem.CONTENT_TYPE, problem.headers(), body);
  }

  /** Answers a request that the HTTP library refused before it got here. */
  public Answer refusal(Kind kind, String detail) {
    boolean passes = kind.status() == 503;
    return problem(passes ? Problem.retry(kind, detail) : Problem.of(kind, detail), bodies.get());
  }

  private Answer withCors(Request request, Answer answer) {
    List<Header> headers = new ArrayList<>(answer.headers());
    headers.add(new Header("Vary", "Origin"));
    request
        .header("Origin")
        .filter(allowedOrigins::contains)
        .ifPresent(origin -> addCors(request, origin, headers));
    return new Answer(answer.status(), answer.contentType(), headers, answer.body());
  }

  private static void addCors(Request request, String origin, List<Header> headers) {
    headers.add(new Header("Access-Control-Allow-Origin", origin));
    if (request.method().equals("OPTIONS")) {
      headers.add(new Header("Access-Control-Allow-Methods", "GET, HEAD, POST"));
      headers.add(new Header("Access-Control-Allow-Headers", "Content-Type"));
      headers.add(new Header("Access-Control-Max-Age", "600"));
    } else {
      headers.add(
          new Header(
              "Access-Control-Expose-Headers",
              "Link, Retry-After, Varve-Applied, Varve-Complete, Varve-Event-Time, Varve-From,"
                  + " Varve-Known, Varve-Next-Page-Token, Varve-Order, Varve-Stats,"
                  + " Varve-Stop-Reason, Varve-To"));
    }
  }
}
