package io.varve.server;

import io.varve.schemas.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** A node on the official broker image; skipped where no Docker answers. */
@Testcontainers(disabledWithoutDocker = true)
class ContainerBrokerIT extends EndToEndSuite {
  @Container private static final KafkaContainer KAFKA = new KafkaContainer("apache/kafka:4.4.0");

  ContainerBrokerIT(@TempDir Path folder) {
    super(folder);
  }

  @BeforeAll
  static void createSourceTopic() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", KAFKA.getBootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic("readings", 4, (short) 1)))
          .all()
          .get(60, TimeUnit.SECONDS);
    }
  }

  @Override
  Optional<String> brokers() {
    return Optional.of(KAFKA.getBootstrapServers());
  }

  @Override
  String deadLetters() {
    return Topics.onSharedCluster("varve").deadLetters();
  }
}
