package io.varve.server.broker;

import io.varve.server.net.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A Kafka broker inside this process: one KRaft node that is broker and controller at once.
 *
 * <p>Its folder is formatted on first use and keeps topics, records and consumer offsets over
 * restarts; client and controller ports may differ from one start to the next. Topics are never
 * created by merely naming them. Not for several nodes: that is what {@code -b} is for.
 *
 * <p>One at a time in a process: Kafka ends the process on a fatal fault through static hooks,
 * which {@link #start} points at the given receiver.
 */
public final class EmbeddedBroker implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);
  private static final int CONTROLLER_PORT_TRIES = 5;

  private final KafkaRaftServer server;
  private final int port;
  private final String bootstrapServers;

  private EmbeddedBroker(KafkaRaftServer server, int port, String bootstrapServers) {
    this.server = server;
    this.port = port;
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Starts a broker and returns once it serves clients, in 3 s on a cold JVM.
   *
   * @param settings where it keeps its data and listens
   * @param onFatal told once what happened when the broker gives up (disk failed, metadata log
   *     broken); called on the failing thread, which is then ended by an exception
   * @throws BrokerStartException when the port is taken or the folder cannot be used
   */
  public static EmbeddedBroker start(BrokerSettings settings, Consumer<String> onFatal)
      throws BrokerStartException {
    try {
      Ports.requireFree(settings.bind(), settings.port());
    } catch (IOException e) {
      throw taken(settings, e);
    }
    receiveFatalFaults(onFatal);
    for (int tries = 1; ; tries++) {
      int clientPort;
      int controllerPort;
      int localPort;
      try {
        format(settings.folder());
        clientPort = settings.port() == 0 ? Ports.free() : settings.port();
        controllerPort = Ports.free();
        localPort = Ports.free();
      } catch (Exception e) {
        throw new BrokerStartException(
            "the in-process broker cannot use its folder: folder=" + settings.folder(),
            "check that the folder can be written and is a Varve data folder, or use another --data",
            e);
      }
      KafkaRaftServer server =
          new KafkaRaftServer(
              new KafkaConfig(properties(settings, clientPort, controllerPort, localPort), false),
              Time.SYSTEM);
      try {
        server.startup();
        return new EmbeddedBroker(
            server,
            clientPort,
            settings.advertised().isEmpty()
                ? Ports.hostPort(settings.bind(), clientPort)
                : "127.0.0.1:" + localPort);
      } catch (RuntimeException e) {
        server.shutdown();
        server.awaitShutdown();
        if (!isBindFailure(e) || tries == CONTROLLER_PORT_TRIES) {
          throw new BrokerStartException(
              "the in-process broker did not start: cause=" + e.getMessage(),
              "see the lines above with --verbose; an existing cluster is used with -b host:port",
              e);
        }
        // Somebody may have taken the controller's port since it was seen free; the client port is
        // the user's choice and is not tried twice.
        try {
          Ports.requireFree(settings.bind(), settings.port());
        } catch (IOException busy) {
          throw taken(settings, busy);
        }
      }
    }
  }

  private static BrokerStartException taken(BrokerSettings settings, IOException cause) {
    return new BrokerStartException(
        "the broker cannot listen on "
            + settings.bind()
            + ":"
            + settings.port()
            + ": "
            + cause.getMessage(),
        "choose another port with --broker-port, or use a running cluster with -b host:port",
        cause);
  }

  private static boolean isBindFailure(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof BindException) {
        return true;
      }
    }
    return false;
  }

  /** Kafka ends the JVM on fatal faults; here that decision belongs to the node. */
  private static void receiveFatalFaults(Consumer<String> onFatal) {
    Exit.Procedure procedure =
        (status, message) -> {
          String what = message == null ? "status=" + status : message;
          onFatal.accept(what);
          throw new IllegalStateException("the in-process broker gave up: " + what);
        };
    Exit.setExitProcedure(procedure);
    Exit.setHaltProcedure(procedure);
  }

  private static void format(Path folder) throws Exception {
    if (Files.exists(folder.resolve("meta.properties"))) {
      return;
    }
    Files.createDirectories(folder);
    try (PrintStream quiet =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8)) {
      new Formatter()
          .setNodeId(1)
          .setClusterId(Uuid.randomUuid().toString())
          .setDirectories(List.of(folder.toString()))
          .setMetadataLogDirectory(folder.toString())
          .setControllerListenerName("CONTROLLER")
          .setReleaseVersion(MetadataVersion.latestProduction())
          .setPrintStream(quiet)
          .run();
    }
  }

  private static Properties properties(
      BrokerSettings settings, int clientPort, int controllerPort, int localPort) {
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    p.put("controller.listener.names", "CONTROLLER");
    String client = "CLIENT://" + Ports.hostPort(settings.bind(), clientPort);
    String controller = "CONTROLLER://127.0.0.1:" + controllerPort;
    String told = "CLIENT://" + Ports.hostPort(settings.clientHost(), clientPort);
    if (settings.advertised().isEmpty()) {
      p.put("listeners", client + "," + controller);
      p.put("advertised.listeners", told);
      p.put("inter.broker.listener.name", "CLIENT");
    } else {
      // This node's own clients need an address that works from here, whatever others are told.
      String local = "LOCAL://127.0.0.1:" + localPort;
      p.put("listeners", client + "," + local + "," + controller);
      p.put("advertised.listeners", told + "," + local);
      p.put("inter.broker.listener.name", "LOCAL");
    }
    p.put(
        "listener.security.protocol.map", "CLIENT:PLAINTEXT,LOCAL:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.put("log.dirs", settings.folder().toString());
    p.put("auto.create.topics.enable", "false");
    for (String topic : List.of("offsets.topic", "transaction.state.log")) {
      p.put(topic + ".replication.factor", "1");
      // A partition is a folder with files; fifty of them serve a cluster, not one node.
      p.put(topic + ".num.partitions", "4");
    }
    p.put("transaction.state.log.min.isr", "1");
    p.put("share.coordinator.state.topic.replication.factor", "1");
    p.put("share.coordinator.state.topic.min.isr", "1");
    p.put("share.coordinator.state.topic.num.partitions", "4");
    p.put("group.initial.rebalance.delay.ms", "0");
    // The controller turns a broker away while the session of its killed predecessor lasts: 9 s by
    // default, by which a restart after a crash would wait.
    p.put("broker.session.timeout.ms", "2000");
    p.put("broker.heartbeat.interval.ms", "400");
    // Two index files of this size are reserved for each topic partition; a full 1 GiB log segment
    // needs 3 MiB.
    p.put("log.index.size.max.bytes", String.valueOf(4 << 20));
    // The default is taken from the heap at start: 128 MiB.
    p.put("log.cleaner.dedupe.buffer.size", String.valueOf(16 << 20));
    p.put("num.io.threads", "4");
    p.put("num.network.threads", "2");
    p.put("controlled.shutdown.enable", "false");
    // Else an idle controller forces an empty record to disk twice a second, and heartbeats wait
    // behind it.
    p.put("metadata.max.idle.interval.ms", "0");
    return p;
  }

  /** Port that clients reach the broker on. */
  public int port() {
    return port;
  }

  /** Address for clients in this process. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Stops the broker and waits until its files are closed, in half a second. */
  @Override
  public void close() {
    long start = System.nanoTime();
    server.shutdown();
    server.awaitShutdown();
    log.debug(
        "in-process broker stopped: ms={}",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
  }
}
