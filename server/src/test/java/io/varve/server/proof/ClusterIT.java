package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.storage.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node on a cluster that is not its own: here the in-process broker of another node, whose topic
 * of readings both follow, each under a name of its own.
 */
class ClusterIT {
  private static final long START = 1_717_200_000_000_000L;
  private static final int PARTITIONS = 4;
  private static final String TOPIC = "plant.readings";

  private final List<Row> sent = new ArrayList<>();

  /** C163, C165. */
  @Test
  void movedOffsetsAndDeletedRecordsNeitherRepeatNorStop(@TempDir Path folder) throws Exception {
    NodeProcess.Setup host = NodeProcess.Setup.in(folder.resolve("host"));
    try (NodeProcess cluster = host.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", host.bootstrap()));
        Feed feed = new Feed(host.bootstrap())) {
      assertThat(cluster.alive()).isTrue();
      admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
      NodeProcess.Setup guest =
          NodeProcess.Setup.in(
              folder.resolve("guest"), "-b", host.bootstrap(), "--name", "guest", "--topic", TOPIC);
      try (NodeProcess node = guest.start()) {
        send(feed, 2_000);
        node.client.awaitConsumed(2_000, Duration.ofSeconds(30));
        isExact(node, 2_000);
        node.stop();
      }
      String group = rewind(admin, 250);
      try (NodeProcess node = guest.start()) {
        send(feed, 100);
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> isExact(node, 2_100));
        assertThat(node.client.ledger().refused()).isZero();
        node.kill();
      }
      try (NodeProcess node = guest.start()) {
        isExact(node, 2_100);
        node.stop();
      }
      int gone = loseHalfOfTheBacklog(admin, feed, group);
      try (NodeProcess node = guest.start()) {
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> rows(node).size() == 2_100 + 1_000 - gone);
        assertThat(node.log()).as("the gap is told").contains(TOPIC);
        node.stop();
      }
    }
  }

  /** Varve's own topics must be as it would make them. */
  @Test
  void ownTopicWithOtherSettingsIsRefusedWithBothValues(@TempDir Path folder) throws Exception {
    NodeProcess.Setup host = NodeProcess.Setup.in(folder.resolve("host"));
    try (NodeProcess cluster = host.start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", host.bootstrap()))) {
      assertThat(cluster.alive()).isTrue();
      admin
          .createTopics(
              List.of(
                  new NewTopic("guest.rows", 3, (short) 1)
                      .configs(Map.of("cleanup.policy", "compact"))))
          .all()
          .get();
      NodeProcess.Setup guest =
          NodeProcess.Setup.in(folder.resolve("guest"), "-b", host.bootstrap(), "--name", "guest");
      try (NodeProcess node = guest.launch()) {
        assertThat(node.awaitExit(Duration.ofSeconds(30))).isNotZero();
        assertThat(node.log()).contains("rows").contains("3").contains("8");
        assertThat(node.log()).doesNotContain("\tat ");
      }
    }
  }

  private void send(Feed feed, int count) {
    for (int i = 0; i < count; i++) {
      Row row = new Row(START + sent.size() * 60_000_000L, 0, sent.size() * 0.5);
      sent.add(row);
      feed.send(
          new org.apache.kafka.clients.producer.ProducerRecord<>(
              TOPIC,
              i % PARTITIONS,
              null,
              ForeignAvro.reading("cluster", row.timestampMicros(), row.value(), 0)));
    }
    feed.flush();
  }

  private static List<Row> rows(NodeProcess node) {
    return node.client.allRows("cluster", "asc", 10_000);
  }

  private void isExact(NodeProcess node, int count) {
    assertThat(rows(node)).isEqualTo(sent.subList(0, count));
  }

  /** Moves what the group has committed back and returns the group's name. */
  private static String rewind(Admin admin, long records) throws Exception {
    for (var listed : admin.listGroups().all().get()) {
      if (listed.groupId().startsWith("guest")) {
        Map<TopicPartition, OffsetAndMetadata> back = new HashMap<>();
        admin
            .listConsumerGroupOffsets(listed.groupId())
            .partitionsToOffsetAndMetadata()
            .get()
            .forEach(
                (partition, offset) -> {
                  if (partition.topic().equals(TOPIC)) {
                    back.put(
                        partition, new OffsetAndMetadata(Math.max(0, offset.offset() - records)));
                  }
                });
        assertThat(back).hasSize(PARTITIONS);
        await()
            .atMost(Duration.ofSeconds(60))
            .ignoreExceptions()
            .until(
                () -> {
                  admin.alterConsumerGroupOffsets(listed.groupId(), back).all().get();
                  return true;
                });
        return listed.groupId();
      }
    }
    throw new AssertionError("no group of the guest");
  }

  /** Sends 1 000 readings and deletes the older half; returns how many are gone. */
  private int loseHalfOfTheBacklog(Admin admin, Feed feed, String group) throws Exception {
    Map<TopicPartition, Long> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((partition, offset) -> committed.put(partition, offset.offset()));
    send(feed, 1_000);
    int each = 1_000 / PARTITIONS / 2;
    Map<TopicPartition, RecordsToDelete> delete = new HashMap<>();
    IntStream.range(0, PARTITIONS)
        .mapToObj(p -> new TopicPartition(TOPIC, p))
        .forEach(
            p -> delete.put(p, RecordsToDelete.beforeOffset(committed.getOrDefault(p, 0L) + each)));
    admin.deleteRecords(delete).all().get();
    return each * PARTITIONS;
  }
}
