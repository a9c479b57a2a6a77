package io.varve.query.http;

import io.varve.query.HttpSettings;
import io.varve.query.NodeControl;
import io.varve.query.Stores;
import io.varve.query.api.Api;
import java.io.IOException;
import java.net.BindException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening server: Jetty, tuned for small answers on kept-alive connections. */
public final class HttpFront implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HttpFront.class);

  /** Longest address; longer ones are answered 414. */
  private static final int MAX_HEADER_BYTES = 16 * 1024;

  /** Answers up to this size leave in one write, header and all. */
  private static final int OUTPUT_BUFFER_BYTES = 64 * 1024;

  private static final long IDLE_MILLIS = 300_000;
  private static final long STOP_MILLIS = 5_000;

  /**
   * Threads that Jetty itself needs, those that refuse what the queries' door sheds, and up to four
   * that wait for a compaction.
   */
  private static final int FURTHER_THREADS = 24;

  private final Server server;
  private final ServerConnector connector;

  /** Kept, for Jetty forgets it when it stops to listen. */
  private final int port;

  private HttpFront(Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
    this.port = connector.getLocalPort();
  }

  /**
   * Starts to listen.
   *
   * @throws BindException if the address can't be bound or the port is taken
   */
  public static HttpFront start(
      HttpSettings settings, Stores stores, NodeControl node, LongSupplier nowMicros)
      throws BindException {
    Api api = new Api(settings, stores, node, nowMicros);
    Server server = new Server(threads(settings));
    ServerConnector connector = new ServerConnector(server, new HttpConnectionFactory(http()));
    connector.setHost(settings.bind());
    connector.setPort(settings.port());
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addConnector(connector);
    server.setHandler(new GracefulHandler(new Exchange(api)));
    server.setErrorHandler(new Refusals(api));
    server.setStopTimeout(STOP_MILLIS);
    server.setStopAtShutdown(false);
    try {
      connector.open(); // Before anything starts, so that a port that is taken is all that fails.
    } catch (IOException e) {
      BindException taken = new BindException(settings.bind() + ":" + settings.port());
      taken.initCause(e);
      throw taken;
    }
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the HTTP server does not start", e);
    }
    return new HttpFront(server, connector);
  }

  private static QueuedThreadPool threads(HttpSettings settings) {
    int most = settings.concurrentQueries() + settings.queuedQueries() + FURTHER_THREADS;
    QueuedThreadPool threads = new QueuedThreadPool(most, Math.min(8, most));
    threads.setName("http");
    threads.setDaemon(true);
    return threads;
  }

  private static HttpConfiguration http() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
    http.setOutputBufferSize(OUTPUT_BUFFER_BYTES);
    http.setOutputAggregationSize(OUTPUT_BUFFER_BYTES);
    http.setIdleTimeout(IDLE_MILLIS);
    // Paths are compared as they are sent, so a doubled slash misleads nobody: it is not found.
    http.setUriCompliance(
        UriCompliance.DEFAULT.with("varve", UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT));
    return http;
  }

  /** Port that is, or was, listened on. */
  public int port() {
    return port;
  }

  /** Takes no new connections; open ones close after their current answer. */
  public void stopAccepting() {
    var stopping = connector.shutdown();
  }

  /** Stops; answers in flight get some seconds to finish. */
  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("The HTTP server did not stop in order: port={}", port, e);
    }
  }
}
