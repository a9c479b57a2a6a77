package io.varve.server.node;

import io.varve.ingest.IngestService;
import io.varve.ingest.IngestSettings;
import io.varve.ingest.IngestStartException;
import io.varve.query.HttpSettings;
import io.varve.query.QueryServer;
import io.varve.server.broker.BrokerSettings;
import io.varve.server.broker.BrokerStartException;
import io.varve.server.broker.EmbeddedBroker;
import io.varve.server.config.NodeSettings;
import io.varve.server.net.Ports;
import io.varve.storage.engine.PartitionStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One running node: data folder, HTTP, broker (unless one was named), ingest.
 *
 * <p>Started in this order, so that HTTP says 503 with a reason while the rest comes up; stopped
 * from the outside inwards: not ready, no new queries, ingest closed and stores flushed, broker,
 * folder. Nothing acknowledged depends on the stop being orderly.
 */
public final class Node implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Node.class);

  /** With five seconds for answers in flight, within the 30 s that a stop may take. */
  private static final Duration INGEST_CLOSE = Duration.ofSeconds(22);

  private final NodeSettings settings;
  private final DataFolder folder;
  private final NodeView view;
  private final ScheduledExecutorService sampler;
  private final AtomicBoolean closed = new AtomicBoolean();
  private Optional<QueryServer> http = Optional.empty();
  private Optional<EmbeddedBroker> broker = Optional.empty();
  private Optional<IngestService> ingest = Optional.empty();
  private String bootstrapServers = "";

  private Node(NodeSettings settings, DataFolder folder) {
    this.settings = settings;
    this.folder = folder;
    this.view =
        new NodeView(
            new NodeFacts(
                settings.name(),
                folder.instanceId(),
                folder.partitions(),
                settings.topics(),
                settings.brokers().isEmpty(),
                settings.retention(),
                settings.limits(),
                folder.folder(),
                Instant.now()));
    this.sampler =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "varve-rate");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts a node; returns when it takes readings in, while its stores may still be restoring (see
   * {@link #notReady}).
   *
   * @param onFatal told when the in-process broker gives up; the node cannot go on then
   * @throws NodeStartException with everything that was started stopped again
   */
  public static Node start(NodeSettings settings, Consumer<String> onFatal)
      throws NodeStartException {
    DataFolder folder;
    try {
      folder = DataFolder.open(settings.data(), settings.name(), settings.partitions());
    } catch (DataFolderException e) {
      throw new NodeStartException(String.valueOf(e.getMessage()), "", e.whatToDo(), e);
    }
    Node node = new Node(settings, folder);
    boolean started = false;
    try {
      node.warmUp();
      node.startHttp();
      node.startBroker(onFatal);
      node.startIngest();
      started = true;
      return node;
    } finally {
      if (!started) {
        node.close();
      }
    }
  }

  /** Beside the start of the broker, for which this process mostly waits. */
  private void warmUp() {
    Thread thread =
        new Thread(
            () -> {
              try {
                PartitionStore.warmUp(folder.folder());
              } catch (IOException | RuntimeException e) {
                // The stores will meet the same and say it where it matters.
                log.debug("no block file could be tried: cause={}", e.toString());
              }
            },
            "varve-warm-up");
    thread.setDaemon(true);
    thread.start();
  }

  private void startHttp() throws NodeStartException {
    try {
      Ports.requireFree(settings.bind(), settings.httpPort());
      http =
          Optional.of(
              QueryServer.start(
                  HttpSettings.of(settings.bind(), settings.httpPort()),
                  view,
                  view,
                  Node::nowMicros));
    } catch (IOException e) {
      throw httpTaken(String.valueOf(e.getMessage()), e);
    }
    log.info(
        "http listens, answers 503 until ready: address={}",
        Ports.hostPort(settings.bind(), httpPort()));
  }

  private NodeStartException httpTaken(String why, Exception cause) {
    return new NodeStartException(
        "HTTP cannot listen on " + Ports.hostPort(settings.bind(), settings.httpPort()),
        why,
        "choose another port with --http-port, or another address with --bind",
        cause);
  }

  private void startBroker(Consumer<String> onFatal) throws NodeStartException {
    if (settings.brokers().isPresent()) {
      bootstrapServers = settings.brokers().get();
      return;
    }
    try {
      EmbeddedBroker started =
          EmbeddedBroker.start(
              new BrokerSettings(
                  folder.broker(), settings.bind(), settings.brokerPort(), settings.advertise()),
              what -> {
                view.brokerFailed(what);
                log.error("the in-process broker gave up: cause={}", what);
                onFatal.accept(what);
              });
      broker = Optional.of(started);
      bootstrapServers = started.bootstrapServers();
    } catch (BrokerStartException e) {
      throw new NodeStartException(String.valueOf(e.getMessage()), "", e.whatToDo(), e);
    }
    log.info(
        "broker listens: address={} folder={}",
        Ports.hostPort(settings.bind(), broker.orElseThrow().port()),
        folder.broker());
  }

  private void startIngest() throws NodeStartException {
    view.phase(NodePhase.STARTING_INGEST);
    IngestService service =
        new IngestService(
            new IngestSettings(
                bootstrapServers,
                settings.name(),
                settings.topics(),
                folder.partitions(),
                folder.store(),
                settings.threads(),
                settings.retention(),
                settings.limits(),
                settings.closeAfter(),
                settings.sharding(),
                settings.maxFuture(),
                settings.allow1970(),
                settings.schemas(),
                settings.host().map(host -> Ports.hostPort(host, httpPort())),
                folder.instanceId(),
                settings.brokers().isEmpty(),
                settings.readingsRetention(),
                settings.kafka()));
    ingest = Optional.of(service);
    view.ingest(service);
    try {
      service.start();
    } catch (IngestStartException e) {
      throw new NodeStartException(e.what(), e.why(), e.whatToDo(), e.unreachable(), e);
    }
    view.phase(NodePhase.RUNNING);
    var unused =
        sampler.scheduleWithFixedDelay(() -> view.snapshot(), 1000, 1000, TimeUnit.MILLISECONDS);
    log.info(
        "ingest started: topics={} partitions={} brokers={}",
        settings.topics(),
        folder.partitions(),
        bootstrapServers);
  }

  private static long nowMicros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  /** Port that HTTP listens on. */
  public int httpPort() {
    return http.orElseThrow().port();
  }

  /** Addresses that Kafka clients elsewhere are told. */
  public String advertisedBrokers() {
    return broker
        .map(own -> Ports.hostPort(settings.host().orElse(settings.bind()), own.port()))
        .orElse(bootstrapServers);
  }

  /** Address for Kafka clients in this process. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Says in one sentence why the node cannot answer now; empty when it can. */
  public Optional<String> notReady() {
    return view.notReady();
  }

  /** The tree that {@code GET /v1/status} shows. */
  public Map<String, Object> status() {
    return view.status();
  }

  /** The figures of a live status line, as of now. */
  public Pulse pulse() {
    return view.snapshot().pulse();
  }

  /** Stops the node, within 30 seconds, one log line a step. Idempotent. */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    view.phase(NodePhase.STOPPING);
    sampler.shutdownNow();
    if (ingest.isPresent()) {
      log.info("stopping: not ready any more");
    }
    ingest.ifPresent(IngestService::stopCompacting); // or http would wait for who waits for it
    http.ifPresent(
        server -> {
          server.stopAccepting();
          server.close();
          log.info("stopping: http closed, answers in flight finished");
        });
    ingest.ifPresent(
        service -> {
          service.close(INGEST_CLOSE);
          log.info("stopping: ingest closed, stores flushed");
        });
    broker.ifPresent(
        server -> {
          server.close();
          log.info("stopping: broker closed");
        });
    view.close();
    folder.close();
  }
}
