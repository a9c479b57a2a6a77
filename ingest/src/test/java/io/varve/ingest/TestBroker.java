package io.varve.ingest;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/** A real one-node broker in the test's process, on free ports, which keeps its folder. */
public final class TestBroker implements AutoCloseable {
  private final Path folder;
  private final int port;
  private KafkaRaftServer server;

  public TestBroker(Path folder) throws Exception {
    this.folder = folder;
    this.port = freePort();
    this.server = startServer();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private KafkaRaftServer startServer() throws Exception {
    if (!Files.exists(folder.resolve("meta.properties"))) {
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
    int controllerPort = freePort();
    Properties p = new Properties();
    p.put("process.roles", "broker,controller");
    p.put("node.id", "1");
    p.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    p.put("controller.listener.names", "CONTROLLER");
    p.put(
        "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
    p.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
    p.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    p.put("log.dirs", folder.toString());
    p.put("auto.create.topics.enable", "false");
    p.put("offsets.topic.replication.factor", "1");
    p.put("offsets.topic.num.partitions", "4");
    p.put("transaction.state.log.replication.factor", "1");
    p.put("transaction.state.log.num.partitions", "4");
    p.put("transaction.state.log.min.isr", "1");
    p.put("group.initial.rebalance.delay.ms", "0");
    // A controller that starts again registers no broker before the last one's session is over.
    p.put("broker.session.timeout.ms", "2000");
    p.put("broker.heartbeat.interval.ms", "250");
    p.put("log.index.size.max.bytes", String.valueOf(1 << 20));
    p.put("log.cleaner.dedupe.buffer.size", String.valueOf(4 << 20));
    KafkaRaftServer started = new KafkaRaftServer(new KafkaConfig(p, false), Time.SYSTEM);
    started.startup();
    return started;
  }

  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }

  /** Creates a topic and waits until the broker knows it, which is a moment later. */
  public void createTopic(String name, int partitions, Map<String, String> configs)
      throws Exception {
    try (Admin admin = admin()) {
      admin
          .createTopics(List.of(new NewTopic(name, partitions, (short) 1).configs(configs)))
          .all()
          .get();
      awaitPartitions(admin, name, partitions);
    }
  }

  /** Waits until the broker knows a topic with so many partitions. */
  public static void awaitPartitions(Admin admin, String topic, int partitions) {
    await("partitions of " + topic)
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptionsInstanceOf(ExecutionException.class)
        .until(() -> partitions(admin, topic) == partitions);
  }

  private static int partitions(Admin admin, String topic) throws Exception {
    return Objects.requireNonNull(
            admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic))
        .partitions()
        .size();
  }

  public void stop() {
    server.shutdown();
    server.awaitShutdown();
  }

  public void restart() throws Exception {
    server = startServer();
  }

  @Override
  public void close() {
    stop();
  }
}
