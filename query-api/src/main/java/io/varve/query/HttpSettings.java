package io.varve.query;

import java.time.Duration;
import java.util.Set;

/**
 * How the query service listens and what it allows.
 *
 * @param bind address to listen on, a name or a number
 * @param port port to listen on; 0 takes a free one
 * @param concurrentQueries most queries that run at once
 * @param queuedQueries most queries that wait for their turn, briefly; more are answered 503
 * @param timeout time that a query may take when it doesn't ask for less or more
 * @param maxTimeout most time that a query may ask for
 * @param allowedOrigins browser origins that may read answers; empty leaves CORS off
 */
public record HttpSettings(
    String bind,
    int port,
    int concurrentQueries,
    int queuedQueries,
    Duration timeout,
    Duration maxTimeout,
    Set<String> allowedOrigins) {
  public HttpSettings {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port=" + port);
    }
    if (concurrentQueries < 1 || queuedQueries < 0) {
      throw new IllegalArgumentException(
          "concurrentQueries=" + concurrentQueries + " queuedQueries=" + queuedQueries);
    }
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(maxTimeout) > 0) {
      throw new IllegalArgumentException("timeout=" + timeout + " maxTimeout=" + maxTimeout);
    }
    allowedOrigins = Set.copyOf(allowedOrigins);
  }

  /** The settings of a node that was told only where to listen. */
  public static HttpSettings of(String bind, int port) {
    return new HttpSettings(
        bind,
        port,
        Math.max(4, 2 * Runtime.getRuntime().availableProcessors()),
        64,
        Duration.ofSeconds(2),
        Duration.ofSeconds(30),
        Set.of());
  }
}
