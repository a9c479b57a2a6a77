package io.varve.server.client;

import io.varve.server.client.NodeRequestException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Asks one node over HTTP. */
public final class NodeClient {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(60);

  private final URI node;
  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(CONNECT_TIMEOUT)
          .build();

  /**
   * @param node address of the node, such as {@code http://127.0.0.1:8080}
   */
  public NodeClient(URI node) {
    this.node = node;
  }

  /**
   * Gets one document.
   *
   * @param path from the root, such as {@code /v1/status}
   * @param query parameters, in order
   * @throws NodeRequestException when the node does not answer 200 with an object
   */
  public Map<String, Object> get(String path, Map<String, String> query)
      throws NodeRequestException, InterruptedException {
    return send(
        HttpRequest.newBuilder(uri(path, query))
            .header("Accept", "application/json")
            .timeout(ANSWER_TIMEOUT)
            .build());
  }

  /**
   * Has something done, and waits as long as that takes.
   *
   * @param path from the root, such as {@code /v1/store/compact}
   * @param query parameters, in order
   * @throws NodeRequestException when the node does not answer 200 or 202 with an object
   */
  public Map<String, Object> post(String path, Map<String, String> query)
      throws NodeRequestException, InterruptedException {
    return send(
        HttpRequest.newBuilder(uri(path, query))
            .header("Accept", "application/json")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build());
  }

  private Map<String, Object> send(HttpRequest request)
      throws NodeRequestException, InterruptedException {
    HttpResponse<InputStream> response;
    try {
      response = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException e) {
      throw new NodeRequestException(
          Kind.UNREACHABLE, "no answer from the node at " + node, reason(e), e);
    }
    try (InputStream body = response.body()) {
      if (response.statusCode() == 200 || response.statusCode() == 202) {
        return object(JsonTree.read(body));
      }
      throw refused(response.statusCode(), body);
    } catch (IOException e) {
      throw new NodeRequestException(
          Kind.UNREACHABLE, "what answers at " + node + " is no Varve node", reason(e), e);
    }
  }

  /** Returns the address of a question, as it can be pasted into a shell inside quotes. */
  public URI uri(String path, Map<String, String> query) {
    List<String> pairs = new ArrayList<>();
    query.forEach((name, value) -> pairs.add(name + "=" + encode(value)));
    String base = node.toString().replaceFirst("/+$", "");
    return URI.create(base + path + (pairs.isEmpty() ? "" : "?" + String.join("&", pairs)));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private NodeRequestException refused(int status, InputStream body) {
    String why = "HTTP " + status;
    try {
      Map<String, Object> problem = object(JsonTree.read(body));
      why = problemText(problem, why);
    } catch (IOException e) {
      // Not a problem document, e.g. of a proxy between: the status is all there is to say.
      return new NodeRequestException(
          Kind.UNREACHABLE, "what answers at " + node + " is no Varve node", why, e);
    }
    if (status == 503) {
      return new NodeRequestException(Kind.NOT_READY, "the node is not ready", why);
    }
    return status / 100 == 4
        ? new NodeRequestException(Kind.REFUSED, "the node refuses the question", why)
        : new NodeRequestException(Kind.FAILED, "the node failed to answer", why);
  }

  private static String problemText(Map<String, Object> problem, String otherwise) {
    StringBuilder text = new StringBuilder();
    if (problem.get("errors") instanceof List<?> errors) {
      for (Object error : errors) {
        if (error instanceof Map<?, ?> e) {
          text.append(text.isEmpty() ? "" : "; ");
          text.append(e.get("parameter")).append(' ').append(e.get("detail"));
          if (e.get("example") != null) {
            text.append(" (for example ").append(e.get("example")).append(')');
          }
        }
      }
    }
    if (!text.isEmpty()) {
      return text.toString();
    }
    Object detail = problem.get("detail");
    return detail instanceof String s ? s : otherwise;
  }

  @SuppressWarnings("unchecked") // JsonTree makes maps by name only
  private static Map<String, Object> object(Object tree) throws IOException {
    if (tree instanceof Map<?, ?> map) {
      return (Map<String, Object>) map;
    }
    throw new IOException("the answer is no JSON object");
  }

  private static String reason(IOException e) {
    if (e instanceof ConnectException) {
      return "connection refused: nothing listens there, or it cannot be reached";
    }
    if (e instanceof HttpTimeoutException) {
      return "no answer within " + ANSWER_TIMEOUT.toSeconds() + " s";
    }
    String message = e.getMessage();
    return message == null ? e.getClass().getSimpleName() : message;
  }
}
