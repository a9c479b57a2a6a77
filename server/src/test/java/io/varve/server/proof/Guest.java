package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * An installation of its own on the brokers of another, under the same plans: it replays all
 * readings from their beginning into empty stores.
 */
final class Guest {
  static final String NAME = "guest";
  static final String ROWS = NAME + ".rows";

  private static final String PLANS = "shard-plans";

  private Guest() {}

  /** Gives the guest the host's plans, and tells how to start it. */
  static NodeProcess.Setup of(NodeProcess.Setup host, Path folder, Admin admin) throws Exception {
    NewTopic topic = new NewTopic(NAME + "." + PLANS, 1, (short) 1);
    admin.createTopics(List.of(topic.configs(Map.of("cleanup.policy", "compact")))).all().get();
    copyPlans(host.bootstrap(), topic.name());
    return setup(host, folder);
  }

  private static NodeProcess.Setup setup(NodeProcess.Setup host, Path folder) throws IOException {
    return NodeProcess.Setup.in(
        folder, "-b", host.bootstrap(), "--name", NAME, "--sharding", "off");
  }

  private static void copyPlans(String bootstrap, String to) {
    TopicPartition plans = new TopicPartition(PLANS, 0);
    try (KafkaConsumer<byte[], byte[]> from =
            new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrap),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        KafkaProducer<byte[], byte[]> producer = producer(bootstrap)) {
      from.assign(List.of(plans));
      from.seekToBeginning(List.of(plans));
      long end = from.endOffsets(List.of(plans)).getOrDefault(plans, 0L);
      assertThat(end).as("plans").isPositive();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                for (ConsumerRecord<byte[], byte[]> plan : from.poll(Duration.ofMillis(200))) {
                  producer.send(new ProducerRecord<>(to, plan.key(), plan.value())).get();
                }
                return from.position(plans) >= end;
              });
    }
  }

  /** A producer that keeps the order of what it sends. */
  static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", bootstrap, "max.in.flight.requests.per.connection", "1"),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }
}
