package io.varve.query.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import io.varve.query.HttpSettings;
import io.varve.query.NodeControl;
import io.varve.query.Stores;
import io.varve.query.api.Api;
import java.net.BindException;
import java.util.function.LongSupplier;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The listening server: Javalin on Jetty, tuned for small answers on kept-alive connections. */
public final class HttpFront implements AutoCloseable {
  /** Longest address; longer ones are answered 414. */
  private static final int MAX_HEADER_BYTES = 16 * 1024;

  /** Answers up to this size leave in one write, header and all. */
  private static final int OUTPUT_BUFFER_BYTES = 64 * 1024;

  /** Below this, compression costs more than it saves. */
  private static final int MIN_COMPRESSED_BYTES = 1_024;

  private static final long IDLE_MILLIS = 300_000;
  private static final long STOP_MILLIS = 5_000;

  /** Threads that Jetty itself needs, and those that refuse what the queries' door sheds. */
  private static final int FURTHER_THREADS = 24;

  private final Javalin javalin;

  /** Kept, for Jetty forgets it when it stops to listen. */
  private final int port;

  private HttpFront(Javalin javalin) {
    this.javalin = javalin;
    this.port = javalin.port();
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
    Javalin javalin = Javalin.create(config -> configure(config, settings, api));
    try {
      javalin.start();
      for (Connector connector : javalin.jettyServer().server().getConnectors()) {
        // The connector's own time counts between requests, and would be half a minute.
        if (connector instanceof AbstractConnector listening) {
          listening.setIdleTimeout(IDLE_MILLIS);
        }
      }
    } catch (JavalinException e) {
      javalin.stop();
      BindException taken = new BindException(settings.bind() + ":" + settings.port());
      taken.initCause(e);
      throw taken;
    }
    return new HttpFront(javalin);
  }

  private static void configure(JavalinConfig config, HttpSettings settings, Api api) {
    config.startup.showJavalinBanner = false;
    config.startup.showOldJavalinVersionWarning = false;
    config.startup.startupWatcherEnabled = false;
    CompressionStrategy gzip = CompressionStrategy.GZIP;
    gzip.setDefaultMinSizeForCompression(MIN_COMPRESSED_BYTES);
    config.http.compressionStrategy = gzip;
    config.jetty.host = settings.bind();
    config.jetty.port = settings.port();
    config.jetty.threadPool = threads(settings);
    config.jetty.modifyHttpConfiguration(HttpFront::tune);
    Refusals refusals = new Refusals(api);
    config.jetty.modifyServer(server -> tune(server, refusals));
    config.jetty.modifyServletContextHandler(context -> context.setErrorHandler(refusals));
    config.routes.before(new Exchange(api)::answer);
  }

  private static QueuedThreadPool threads(HttpSettings settings) {
    int most = settings.concurrentQueries() + settings.queuedQueries() + FURTHER_THREADS;
    QueuedThreadPool threads = new QueuedThreadPool(most, Math.min(8, most));
    threads.setName("http");
    threads.setDaemon(true);
    return threads;
  }

  private static void tune(HttpConfiguration http) {
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(MAX_HEADER_BYTES);
    http.setOutputBufferSize(OUTPUT_BUFFER_BYTES);
    http.setOutputAggregationSize(OUTPUT_BUFFER_BYTES);
    http.setIdleTimeout(IDLE_MILLIS);
  }

  private static void tune(Server server, Refusals refusals) {
    server.setErrorHandler(refusals);
    server.setStopTimeout(STOP_MILLIS);
    server.setStopAtShutdown(false);
  }

  /** Port that is, or was, listened on. */
  public int port() {
    return port;
  }

  /** Takes no new connections; open ones close after their current answer. */
  public void stopAccepting() {
    for (Connector connector : javalin.jettyServer().server().getConnectors()) {
      var stopping = connector.shutdown();
    }
  }

  /** Stops; answers in flight get some seconds to finish. */
  @Override
  public void close() {
    javalin.stop();
  }
}
