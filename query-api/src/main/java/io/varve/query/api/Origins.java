package io.varve.query.api;

import io.varve.query.api.Problem.Kind;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/**
 * The web pages that may change the node: its own, and those of origins that the settings allow.
 *
 * @param allowed origins allowed by the settings
 */
record Origins(Set<String> allowed) {
  /** A web page of another origin must not steer the node through its reader's browser. */
  void refuseForeignPages(Request request) {
    Optional<String> origin = request.header("Origin");
    if (origin.isPresent()
        && !allowed.contains(origin.get())
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
}
