package io.varve.server.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {
  private final Path folder;

  EmbeddedBrokerIT(@TempDir Path folder) {
    this.folder = folder.resolve("broker");
  }

  @Test
  void topicsAndRecordsOutliveARestartOnOtherPorts() throws Exception {
    int port;
    try (EmbeddedBroker broker = start(0, Optional.empty());
        Admin admin = admin(broker)) {
      port = broker.port();
      admin.createTopics(List.of(new NewTopic("t", 1, (short) 1))).all().get(60, TimeUnit.SECONDS);
      try (KafkaProducer<String, String> producer = producer(broker)) {
        producer.send(new ProducerRecord<>("t", "k", "v")).get(60, TimeUnit.SECONDS);
      }
    }
    try (EmbeddedBroker broker = start(0, Optional.empty());
        KafkaProducer<String, String> producer = producer(broker)) {
      assertThat(broker.port()).isNotEqualTo(port);
      assertThat(
              producer.send(new ProducerRecord<>("t", "k", "v")).get(60, TimeUnit.SECONDS).offset())
          .isEqualTo(1);
    }
  }

  @Test
  void topicsAreNotMadeByNamingThem() throws Exception {
    try (EmbeddedBroker broker = start(0, Optional.empty());
        Admin admin = admin(broker);
        KafkaProducer<String, String> producer = producer(broker)) {
      assertThatThrownBy(
              () -> producer.send(new ProducerRecord<>("typo", "k", "v")).get(60, TimeUnit.SECONDS))
          .hasMessageContaining("typo");
      assertThat(admin.listTopics().names().get(60, TimeUnit.SECONDS)).doesNotContain("typo");
    }
  }

  @Test
  void clientsElsewhereAreToldTheAdvertisedName() throws Exception {
    try (EmbeddedBroker broker = start(0, Optional.of("broker.invalid"))) {
      try (Admin local = admin(broker)) {
        // This process reaches its broker although the name resolves nowhere.
        assertThat(local.describeCluster().nodes().get(60, TimeUnit.SECONDS))
            .extracting(Node::host)
            .containsExactly("127.0.0.1");
      }
    }
  }

  @Test
  void takenPortNamesItsFlag() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> start(taken.getLocalPort(), Optional.empty()))
          .isInstanceOf(BrokerStartException.class)
          .hasMessageContaining("127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("taken")
          .extracting(e -> ((BrokerStartException) e).whatToDo())
          .asString()
          .contains("--broker-port");
    }
  }

  @Test
  void folderThatCannotBeUsedIsNamed() throws Exception {
    Files.writeString(folder, "a file where the folder should be");
    assertThatThrownBy(() -> start(0, Optional.empty()))
        .isInstanceOf(BrokerStartException.class)
        .hasMessageContaining(folder.toString());
  }

  private EmbeddedBroker start(int port, Optional<String> advertised) throws BrokerStartException {
    return EmbeddedBroker.start(
        new BrokerSettings(folder, "127.0.0.1", port, advertised), what -> {});
  }

  private static Admin admin(EmbeddedBroker broker) {
    return Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private static KafkaProducer<String, String> producer(EmbeddedBroker broker) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            broker.bootstrapServers(),
            "max.block.ms",
            "5000",
            "max.in.flight.requests.per.connection",
            "1"),
        new StringSerializer(),
        new StringSerializer());
  }
}
