package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.server.client.NodeRequestException;
import java.net.URI;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The option {@code --url}: which node is asked. */
@Command
final class NodeOption {
  @Option(
      names = "--url",
      paramLabel = "URL",
      defaultValue = "${env:VARVE_URL:-http://127.0.0.1:8080}",
      description = "Address of a node, or in VARVE_URL. Default: http://127.0.0.1:8080")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private URI url;

  /** A client of the node. */
  NodeClient client() throws CommandFailure {
    return client("--url", url);
  }

  /** A client of the node at an address that an option gave. */
  static NodeClient client(String option, URI url) throws CommandFailure {
    if (!"http".equals(url.getScheme()) && !"https".equals(url.getScheme())) {
      throw new CommandFailure(
          ExitCode.USAGE,
          option + " must be an http address: got=" + url,
          "",
          "for example " + option + " http://127.0.0.1:8080");
    }
    return new NodeClient(url);
  }

  /** Asks, and turns a refusal into the end of the command. */
  static Map<String, Object> get(NodeClient client, String path, Map<String, String> query)
      throws CommandFailure, InterruptedException {
    try {
      return client.get(path, query);
    } catch (NodeRequestException e) {
      throw failure(e);
    }
  }

  /** Has something done, and turns a refusal into the end of the command. */
  static Map<String, Object> post(NodeClient client, String path, Map<String, String> query)
      throws CommandFailure, InterruptedException {
    try {
      return client.post(path, query);
    } catch (NodeRequestException e) {
      throw failure(e);
    }
  }

  private static CommandFailure failure(NodeRequestException e) {
    String what = String.valueOf(e.getMessage());
    return switch (e.kind()) {
      case UNREACHABLE ->
          new CommandFailure(
              ExitCode.UNREACHABLE,
              what,
              e.why(),
              "start one with ./varve up, or name another address",
              e);
      case NOT_READY ->
          new CommandFailure(ExitCode.UNREACHABLE, what, e.why(), "ask again in a few seconds", e);
      case REFUSED ->
          new CommandFailure(ExitCode.USAGE, what, e.why(), "correct the option that it names", e);
      case FAILED -> new CommandFailure(ExitCode.FAILED, what, e.why(), "see the node's log", e);
    };
  }
}
