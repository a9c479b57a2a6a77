package io.varve.ingest.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ingest.IngestSettings;
import io.varve.ingest.IngestStartException;
import io.varve.ingest.StoreLimits;
import io.varve.ingest.TestBroker;
import io.varve.ingest.sharder.Sharding;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Topics on a real broker; each test has names of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopicSetupIT {
  private final TestBroker broker;
  private final Admin admin;

  TopicSetupIT(@TempDir Path folder) throws Exception {
    this.broker = new TestBroker(folder);
    this.admin = broker.admin();
  }

  @AfterAll
  void stopBroker() {
    admin.close();
    broker.close();
  }

  private static IngestSettings settings(
      String name, String source, boolean ownBroker, Optional<Duration> retention) {
    return new IngestSettings(
        "unused",
        name,
        List.of(source),
        4,
        Path.of("unused"),
        1,
        retention,
        StoreLimits.USUAL,
        Duration.ofHours(1),
        Sharding.DEFAULT,
        Duration.ofHours(1),
        false,
        Optional.empty(),
        Optional.empty(),
        "node",
        ownBroker,
        Duration.ofDays(7),
        Map.of());
  }

  private List<SourceTopic> prepare(IngestSettings settings) throws IngestStartException {
    return new TopicSetup(
            admin, new TopicPlan(settings), settings.ownBroker(), broker.bootstrapServers())
        .prepare(settings.sourceTopics());
  }

  private List<SourceTopic> prepareShared(String name) throws IngestStartException {
    return prepare(settings(name, name + ".in", false, Optional.empty()));
  }

  private String setting(String topic, String name) throws Exception {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    return admin
        .describeConfigs(Set.of(resource))
        .values()
        .values()
        .iterator()
        .next()
        .get()
        .get(name)
        .value();
  }

  private int partitions(String topic) throws Exception {
    return admin
        .describeTopics(List.of(topic))
        .topicNameValues()
        .values()
        .iterator()
        .next()
        .get()
        .partitions()
        .size();
  }

  @Test
  void onItsOwnBrokerANodeCreatesAllTopicsWithoutPrefix() throws Exception {
    prepare(settings("varve", "readings", true, Optional.empty()));

    assertThat(admin.listTopics().names().get())
        .contains(
            "readings", "rows", "readings.dlq", "shard-plans", "varve-ledger-readings-changelog");
    assertThat(setting("readings", "message.timestamp.type")).isEqualTo("LogAppendTime");
    assertThat(setting("readings", "retention.ms"))
        .isEqualTo(Long.toString(Duration.ofDays(7).toMillis()));
    assertThat(partitions("rows")).isEqualTo(4);
    assertThat(setting("rows", "message.timestamp.type")).isEqualTo("LogAppendTime");
    assertThat(setting("rows", "cleanup.policy")).isEqualTo("delete");
    assertThat(setting("rows", "retention.ms")).isEqualTo("-1");
    assertThat(setting("shard-plans", "cleanup.policy")).isEqualTo("compact");
    assertThat(Integer.parseInt(setting("readings.dlq", "max.message.bytes")))
        .isGreaterThan(Integer.parseInt(setting("readings", "max.message.bytes")));

    prepare(settings("varve", "readings", true, Optional.of(Duration.ofDays(400))));
    assertThat(setting("rows", "retention.ms")).isEqualTo("-1");
  }

  @Test
  void onASharedClusterEveryNameHasThePrefix() throws Exception {
    broker.createTopic("plant.in", 3, Map.of("max.message.bytes", "3000000"));
    List<SourceTopic> sources = prepareShared("plant");

    assertThat(sources).singleElement().extracting(SourceTopic::partitions).isEqualTo(3);
    assertThat(admin.listTopics().names().get())
        .contains("plant.rows", "plant.readings.dlq", "plant.shard-plans");
    assertThat(Integer.parseInt(setting("plant.readings.dlq", "max.message.bytes")))
        .isGreaterThan(3_000_000);
    assertThat(setting("plant.in", "max.message.bytes")).isEqualTo("3000000");
  }

  @Test
  void aMissingSourceTopicOfASharedClusterIsAnError() { // C183
    assertThatThrownBy(() -> prepareShared("absent"))
        .isInstanceOf(IngestStartException.class)
        .hasMessageContaining("absent.in")
        .hasMessageContaining("--topic");
  }

  @Test
  void rowsWithOtherSettingsAreRefusedWithBothValues() throws Exception {
    broker.createTopic("compacted.in", 1, Map.of());
    broker.createTopic("compacted.rows", 4, Map.of("cleanup.policy", "compact"));
    assertThatThrownBy(() -> prepareShared("compacted"))
        .isInstanceOf(IngestStartException.class)
        .hasMessageContaining("compacted.rows")
        .hasMessageContaining("cleanup.policy=compact")
        .hasMessageContaining("needed is delete");
  }

  @Test
  void rowsWithAnotherNumberOfPartitionsAreRefused() throws Exception {
    broker.createTopic("narrow.in", 1, Map.of());
    broker.createTopic(
        "narrow.rows", 2, Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", "-1"));
    assertThatThrownBy(() -> prepareShared("narrow"))
        .isInstanceOf(IngestStartException.class)
        .hasMessageContaining("partitions=2")
        .hasMessageContaining("--partitions 2");
  }

  @Test
  void rowsThatExpireBeforeTheStoreAreRefusedOnASharedCluster() throws Exception {
    broker.createTopic("short.in", 1, Map.of());
    broker.createTopic(
        "short.rows",
        4,
        Map.of("message.timestamp.type", "LogAppendTime", "retention.ms", "86400000"));
    assertThatThrownBy(() -> prepareShared("short"))
        .isInstanceOf(IngestStartException.class)
        .hasMessageContaining("retention.ms=86400000")
        .hasMessageContaining("needed is -1");
  }

  @Test
  void theLedgersTopicFollowsASourceThatGrew() throws Exception {
    broker.createTopic("grown.in", 2, Map.of());
    prepareShared("grown");
    admin.createPartitions(Map.of("grown.in", NewPartitions.increaseTo(5))).all().get();
    TestBroker.awaitPartitions(admin, "grown.in", 5);
    prepareShared("grown");
    assertThat(partitions("grown-ledger-grown.in-changelog")).isEqualTo(5);
  }
}
