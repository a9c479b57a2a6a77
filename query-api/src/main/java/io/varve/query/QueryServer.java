package io.varve.query;

import io.varve.query.http.HttpFront;
import java.net.BindException;
import java.util.function.LongSupplier;

/** The running HTTP query service. */
public final class QueryServer implements AutoCloseable {
  private final HttpFront front;

  private QueryServer(HttpFront front) {
    this.front = front;
  }

  /**
   * Starts to listen; returns when connections are accepted.
   *
   * @param nowMicros the clock, in microseconds since 1970
   * @throws BindException if the address can't be bound or the port is taken
   */
  public static QueryServer start(
      HttpSettings settings, Stores stores, NodeControl node, LongSupplier nowMicros)
      throws BindException {
    return new QueryServer(HttpFront.start(settings, stores, node, nowMicros));
  }

  /** Port that is listened on. */
  public int port() {
    return front.port();
  }

  /** Takes no new connections and closes each open one after its current answer. */
  public void stopAccepting() {
    front.stopAccepting();
  }

  /** Stops; answers in flight get up to five seconds to finish. */
  @Override
  public void close() {
    front.close();
  }
}
