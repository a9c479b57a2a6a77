package io.varve.ingest.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.ingest.TestBroker;
import io.varve.storage.SensorId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Writers and followers of plans on a real broker; each test has a topic of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShardPlansIT {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final SensorId SENSOR = SensorId.of("plant-3/temp");
  private static final byte[] ID = SENSOR.toBytes();
  private static final long NOW = 1_717_200_000_000_000L;

  private final TestBroker broker;

  ShardPlansIT(@TempDir Path folder) throws Exception {
    broker = new TestBroker(folder);
  }

  @BeforeAll
  void createTopics() throws Exception {
    for (String topic : new String[] {"follow", "bad"}) {
      broker.createTopic(topic, 1, Map.of("cleanup.policy", "compact"));
    }
  }

  @AfterAll
  void stopBroker() {
    broker.close();
  }

  private Map<String, Object> config() {
    return new HashMap<>(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  private Producer<byte[], byte[]> producer() {
    Map<String, Object> config = config();
    // KAFKA-15591: or what is written right after the topic's creation may wait for minutes.
    config.put("max.in.flight.requests.per.connection", "1");
    return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private ShardPlans node(String topic) {
    Map<String, Object> consumer = config();
    consumer.put("auto.offset.reset", "earliest");
    consumer.put("enable.auto.commit", "false");
    ShardPlans node =
        new ShardPlans(
            topic,
            PlanLead.USUAL,
            () ->
                new KafkaConsumer<>(
                    consumer, new ByteArrayDeserializer(), new ByteArrayDeserializer()),
            lead -> producer(),
            () -> NOW);
    node.start();
    return node;
  }

  private static void awaitFollowing(ShardPlans node) {
    await().atMost(SOON).until(() -> node.report().state() == PlanReport.State.FOLLOWING);
  }

  private static PlanProposal proposal(int shards, long from) {
    return new PlanProposal(SENSOR, shards, OptionalLong.of(from), "by hand");
  }

  @Test
  void planOfOneNodeIsFollowedByAllAndReadAgainByNewOnes() throws Exception {
    try (ShardPlans one = node("follow");
        ShardPlans two = node("follow")) {
      awaitFollowing(one);
      awaitFollowing(two);
      PlanDecision decided = one.write(proposal(8, NOW + 60_000_000));
      assertThat(decided.plan().revision()).isEqualTo(1);
      assertThat(one.live().at(ID, 0, ID.length, NOW + 60_000_000)).isEqualTo(8);
      assertThat(one.live().at(ID, 0, ID.length, NOW + 59_999_999)).isEqualTo(1);
      await().atMost(SOON).until(() -> two.live().at(ID, 0, ID.length, NOW + 60_000_000) == 8);
      assertThat(two.write(proposal(1, NOW + 90_000_000)).plan().revision()).isEqualTo(2);
      assertThat(two.write(proposal(1, NOW + 95_000_000)).changes()).isFalse();
    }
    try (ShardPlans later = node("follow")) {
      awaitFollowing(later);
      assertThat(later.live().table().of(SENSOR))
          .extracting(ShardPlan::shards)
          .containsExactly(8, 1);
    }
  }

  @Test
  void recordsThatAreNoPlansArePassedOverAndNoBrokerMeansNoRouting() throws Exception {
    ShardPlan plan = new ShardPlan(SENSOR, NOW, 4, 1, "", NOW);
    ShardPlan taken = new ShardPlan(SensorId.of("gone"), NOW, 4, 1, "", NOW);
    try (Producer<byte[], byte[]> raw = producer()) {
      byte[] junk = "junk".getBytes(StandardCharsets.UTF_8);
      raw.send(new ProducerRecord<>("bad", junk, junk));
      raw.send(new ProducerRecord<>("bad", PlanCodec.key(taken), PlanCodec.value(taken)));
      raw.send(new ProducerRecord<>("bad", junk, null));
      raw.send(new ProducerRecord<>("bad", PlanCodec.key(plan), junk));
      raw.send(new ProducerRecord<>("bad", PlanCodec.key(plan), PlanCodec.value(plan)));
      raw.send(new ProducerRecord<>("bad", PlanCodec.key(taken), null));
    }
    try (ShardPlans node = node("bad")) {
      awaitFollowing(node);
      assertThat(node.report().badRecords()).isEqualTo(3);
      assertThat(node.live().table().sensors()).containsExactly(SENSOR);
      broker.stop();
      await().atMost(SOON).until(() -> node.report().state() == PlanReport.State.BEHIND);
      assertThat(node.live().isConfirmed()).isFalse();
      assertThatThrownBy(() -> node.write(proposal(8, NOW)))
          .isInstanceOf(PlanNotWrittenException.class);
      broker.restart();
      awaitFollowing(node);
      assertThat(node.live().at(ID, 0, ID.length, NOW)).isEqualTo(4);
    }
  }
}
