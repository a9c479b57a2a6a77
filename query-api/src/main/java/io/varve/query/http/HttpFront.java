package io.varve.query.http;

import io.varve.query.HttpSettings;
import io.varve.query.NodeControl;
import io.varve.query.Stores;
import java.net.BindException;
import java.util.function.LongSupplier;

/** The listening server: Javalin on Jetty, tuned for small answers on kept-alive connections. */
public final class HttpFront implements AutoCloseable {
  private HttpFront() {}

  /**
   * Starts to listen.
   *
   * @throws BindException if the address can't be bound or the port is taken
   */
  public static HttpFront start(
      HttpSettings settings, Stores stores, NodeControl node, LongSupplier nowMicros)
      throws BindException {
    throw new BindException("not yet");
  }

  /** Port that is listened on. */
  public int port() {
    return 0;
  }

  /** Takes no new connections; open ones close after their current answer. */
  public void stopAccepting() {}

  @Override
  public void close() {}
}
