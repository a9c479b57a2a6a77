package io.varve.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.ingest.sharder.Sharding;
import io.varve.ingest.shards.PlanReport;
import io.varve.storage.CorruptBlockException;
import io.varve.storage.Fragment;
import io.varve.storage.Order;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.StoreState;
import io.varve.storage.StoreUnavailableException;
import io.varve.storage.TimeRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.RemoveMembersFromConsumerGroupOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * One node on a real broker; each test has a name, and so topics, a group and a store, of its own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IngestServiceIT {
  static final int PARTITIONS = 4;
  private static final Duration SOON = Duration.ofSeconds(60);

  private final Path folder;
  private final TestBroker broker;

  IngestServiceIT(@TempDir Path folder) throws Exception {
    this.folder = folder;
    this.broker = new TestBroker(folder.resolve("broker"));
  }

  @BeforeAll
  void createSources() throws Exception {
    for (String name :
        List.of(
            "restart",
            "pause",
            "outage",
            "damage",
            "protocol",
            "empty",
            "moved",
            "files",
            "plans")) {
      broker.createTopic(name + ".in", 2, Map.of());
    }
  }

  @AfterAll
  void stopBroker() {
    broker.close();
  }

  private IngestService node(String name, Map<String, String> overrides) {
    return new IngestService(
        settings(broker.bootstrapServers(), name, folder.resolve(name), overrides));
  }

  /** A node on a shared cluster that reads the topic {@code name.in}. */
  static IngestSettings settings(
      String bootstrapServers, String name, Path stateFolder, Map<String, String> overrides) {
    return new IngestSettings(
        bootstrapServers,
        name,
        List.of(name + ".in"),
        PARTITIONS,
        stateFolder,
        2,
        Optional.empty(),
        StoreLimits.USUAL,
        Duration.ofHours(1),
        Sharding.DEFAULT,
        Duration.ofHours(1),
        false,
        Optional.empty(),
        Optional.empty(),
        "node-1",
        false,
        Duration.ofDays(7),
        overrides);
  }

  private Readings readings(String name) {
    return new Readings(broker.bootstrapServers(), name + ".in");
  }

  static long stored(IngestService ingest) {
    return ingest.readers().stream().mapToLong(reader -> reader.totals().stored()).sum();
  }

  static boolean allServing(IngestService ingest, int topicPartitions) {
    List<PartitionReader> readers = ingest.readers();
    return readers.size() == topicPartitions
        && readers.stream().allMatch(reader -> reader.state() == StoreState.SERVING);
  }

  private static void awaitServing(IngestService ingest) {
    await().atMost(SOON).until(() -> allServing(ingest, PARTITIONS));
  }

  private static void awaitStored(IngestService ingest, long rows) {
    await().atMost(SOON).untilAsserted(() -> assertThat(stored(ingest)).isEqualTo(rows));
  }

  private static void send(Readings readings, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      readings.send("sensor-" + i % 50, Readings.JUNE + i, i + 0.5);
    }
    readings.flush();
  }

  @Test
  void readingsBecomeRowsAndSurviveARestart() throws Exception {
    try (IngestService ingest = node("restart", Map.of())) {
      ingest.start();
      awaitServing(ingest);
      try (Readings readings = readings("restart")) {
        send(readings, 0, 5000);
        readings.sendBytes(new byte[] {1}, new byte[] {0, 1, 2});
        readings.flush();
      }
      awaitStored(ingest, 5000);
      await()
          .atMost(SOON)
          .untilAsserted(
              () -> {
                IngestReport report = ingest.report();
                assertThat(report.routed()).isEqualTo(5000);
                assertThat(report.deadLettered()).isEqualTo(1);
                assertThat(report.visibleLag()).isZero();
                assertThat(report.topicBytes()).containsKeys("restart.rows", "restart.in");
              });
      await().atMost(SOON).until(() -> ingest.state() == IngestState.RUNNING);
      assertThat(ingest.remoteOwners()).isEmpty();
    }
    try (IngestService again = node("restart", Map.of())) {
      again.start();
      awaitServing(again);
      assertThat(stored(again)).isEqualTo(5000);
      await().atMost(SOON).untilAsserted(() -> assertThat(again.report().routed()).isEqualTo(5000));
      assertThat(again.report().deadLettered()).isEqualTo(1);
    }
  }

  @Test
  void aStoreWithoutDataServesToo() throws Exception { // C181
    try (IngestService ingest = node("empty", Map.of())) {
      ingest.start();
      awaitServing(ingest);
      assertThat(ingest.report().visibleLag()).isZero();
    }
    assertThat(node("empty", Map.of()).state()).isEqualTo(IngestState.STARTING);
  }

  @Test
  void lagGrowsWhilePausedAndShrinksAfter() throws Exception { // C217
    try (IngestService ingest = node("pause", Map.of())) {
      ingest.start();
      awaitServing(ingest);
      ingest.pause();
      try (Readings readings = readings("pause")) {
        send(readings, 0, 10_000);
      }
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(ingest.report().visibleLag()).isEqualTo(10_000));
      assertThat(stored(ingest)).isZero();
      assertThat(allServing(ingest, PARTITIONS)).isTrue();
      ingest.resume();
      awaitStored(ingest, 10_000);
      await().atMost(SOON).until(() -> ingest.report().visibleLag() == 0);
    }
  }

  @Test
  void theStreamsProtocolWorksWhenTheUserSetsIt() throws Exception {
    try (IngestService ingest = node("protocol", Map.of("group.protocol", "streams"))) {
      ingest.start();
      awaitServing(ingest);
      try (Readings readings = readings("protocol")) {
        send(readings, 0, 1000);
      }
      awaitStored(ingest, 1000);
    }
  }

  @Test
  void damageFoundOnReadIsRebuiltFromTheLog() throws Exception {
    try (IngestService ingest = node("damage", Map.of())) {
      ingest.start();
      awaitServing(ingest);
      double marker = 12345.678;
      try (Readings readings = readings("damage")) {
        send(readings, 0, 2000);
        readings.send("marked", Readings.JUNE, marker);
        readings.flush();
      }
      awaitStored(ingest, 2001);
      assertThat(valuesOf(ingest, "marked")).containsExactly(marker);
      assertThat(flip(folder.resolve("damage"), marker)).isPositive();

      assertThatThrownBy(() -> valuesOf(ingest, "marked"))
          .isInstanceOf(CorruptBlockException.class);
      await()
          .atMost(SOON)
          .ignoreExceptionsInstanceOf(CorruptBlockException.class)
          .ignoreExceptionsInstanceOf(StoreUnavailableException.class)
          .untilAsserted(
              () -> {
                assertThat(allServing(ingest, PARTITIONS)).isTrue();
                assertThat(valuesOf(ingest, "marked")).containsExactly(marker);
              });
      assertThat(stored(ingest)).isEqualTo(2001);
      assertThat(ingest.state()).isEqualTo(IngestState.RUNNING);
    }
  }

  private static List<Double> valuesOf(IngestService ingest, String sensor) {
    SensorId id = SensorId.of(sensor);
    List<Double> values = new java.util.ArrayList<>();
    Scan all = new Scan(TimeRange.ALL, Order.NEWEST_FIRST, Optional.empty(), 100);
    for (PartitionReader reader : ingest.readers()) {
      for (Fragment fragment : reader.fragments(id, TimeRange.ALL)) {
        try (RowCursor cursor = reader.read(id, fragment, all, new ReadStats())) {
          while (cursor.next()) {
            values.add(cursor.value());
          }
        }
      }
    }
    return values;
  }

  /** Damages the stored bits of a value wherever they are; returns at how many places. */
  private static int flip(Path folder, double value) throws IOException {
    byte[] bits =
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(Double.doubleToRawLongBits(value))
            .array();
    int found = 0;
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] content = Files.readAllBytes(file);
        for (int i = 0; i + 8 <= content.length; i++) {
          if (java.util.Arrays.equals(content, i, i + 8, bits, 0, 8)) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
              channel.write(ByteBuffer.wrap(new byte[] {(byte) ~bits[0]}), i);
            }
            found++;
          }
        }
      }
    }
    return found;
  }

  @Test
  void movedOffsetsRepeatNothingAndDroppedRecordsAreTold() throws Exception { // C163, C165
    try (Readings readings = readings("moved");
        Admin admin = broker.admin()) {
      try (IngestService ingest = node("moved", Map.of())) {
        ingest.start();
        send(readings, 0, 2000);
        awaitRouted(ingest, 2000);
      }
      commitBack(admin, "moved", 500);
      try (IngestService ingest = node("moved", Map.of())) {
        ingest.start();
        send(readings, 2000, 2100);
        awaitRouted(ingest, 2100);
        await().atMost(SOON).until(() -> duplicates(ingest) > 500);
        assertThat(stored(ingest)).isEqualTo(2100);
        assertThat(ingest.report().lost()).isZero();
      }
      send(readings, 2100, 3100);
      long gone = dropMostOf(admin, "moved.in", 1000);
      try (IngestService ingest = node("moved", Map.of())) {
        ingest.start();
        awaitRouted(ingest, 3100 - gone);
        assertThat(ingest.report().lost()).isEqualTo(gone);
      }
      try (IngestService ingest = node("moved", Map.of())) {
        ingest.start();
        awaitRouted(ingest, 3100 - gone);
        assertThat(ingest.report().lost()).isEqualTo(gone);
      }
    }
  }

  private static void awaitRouted(IngestService ingest, long readings) {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(ingest.report().routed()).isEqualTo(readings);
              assertThat(stored(ingest)).isEqualTo(readings);
              assertThat(ingest.report().visibleLag()).isZero();
            });
  }

  private static long duplicates(IngestService ingest) {
    return ingest.readers().stream().mapToLong(reader -> reader.totals().duplicates()).sum();
  }

  /** Moves what the node's group has committed of its source topic back. */
  private static void commitBack(Admin admin, String name, long records) throws Exception {
    String group =
        admin.listGroups().all().get().stream()
            .map(GroupListing::groupId)
            .filter(id -> id.startsWith(name))
            .findFirst()
            .orElseThrow();
    // A static member that has left keeps its place, and so the group's offsets, for a session.
    admin
        .removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions())
        .all()
        .get();
    Map<TopicPartition, OffsetAndMetadata> back = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach(
            (partition, committed) -> {
              if (partition.topic().equals(name + ".in")) {
                back.put(partition, new OffsetAndMetadata(committed.offset() - records));
              }
            });
    assertThat(back).hasSize(2);
    admin.alterConsumerGroupOffsets(group, back).all().get();
  }

  /** Keeps an eighth of the newest records in each of two partitions; returns how many are gone. */
  private static long dropMostOf(Admin admin, String topic, int newest) throws Exception {
    Map<TopicPartition, RecordsToDelete> drop = new HashMap<>();
    long gone = newest;
    for (int p = 0; p < 2; p++) {
      TopicPartition partition = new TopicPartition(topic, p);
      long end =
          admin
              .listOffsets(Map.of(partition, OffsetSpec.latest()))
              .partitionResult(partition)
              .get()
              .offset();
      long before = end - newest / 8;
      drop.put(partition, RecordsToDelete.beforeOffset(before));
      gone -= newest / 8;
    }
    admin.deleteRecords(drop).all().get();
    return gone;
  }

  @Test
  void filesLostWhileRunningComeAgainAtTheNextStart() throws Exception { // C177, C187
    Path state = folder.resolve("files");
    try (Readings readings = readings("files")) {
      try (IngestService ingest = node("files", Map.of())) {
        ingest.start();
        send(readings, 0, 1000);
        awaitRouted(ingest, 1000);
        assertThat(deleteEverySecondStore(state)).isPositive();
        send(readings, 1000, 2000);
        awaitRouted(ingest, 2000);
      }
      try (IngestService ingest = node("files", Map.of())) {
        ingest.start();
        awaitServing(ingest);
        awaitStored(ingest, 2000);
        assertThat(ingest.report().routed()).isEqualTo(2000);
      }
    }
  }

  /** Deletes whole folders of stores, as a cleaner of temporary files does; returns how many. */
  private static int deleteEverySecondStore(Path state) throws IOException {
    List<Path> stores;
    try (Stream<Path> files = Files.walk(state)) {
      stores =
          files
              .filter(file -> file.getFileName().toString().equals("offsets"))
              .map(Path::getParent)
              .sorted()
              .toList();
    }
    int deleted = 0;
    for (int i = 0; i < stores.size(); i += 2) {
      try (Stream<Path> files = Files.walk(stores.get(i))) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
      deleted++;
    }
    return deleted;
  }

  @Test
  void anOutageOfTheBrokerIsWaitedOut(@TempDir Path own) throws Exception { // C183
    try (TestBroker frail = new TestBroker(own.resolve("broker"))) {
      frail.createTopic("outage.in", 2, Map.of());
      IngestSettings settings =
          settings(frail.bootstrapServers(), "outage", own.resolve("store"), Map.of());
      try (IngestService ingest = new IngestService(settings);
          Readings readings = new Readings(frail.bootstrapServers(), "outage.in")) {
        ingest.start();
        awaitServing(ingest);
        send(readings, 0, 1000);
        awaitStored(ingest, 1000);
        frail.stop();
        assertThat(allServing(ingest, PARTITIONS)).isTrue();
        frail.restart();
        send(readings, 1000, 2000);
        awaitStored(ingest, 2000);
        assertThat(ingest.state()).isNotEqualTo(IngestState.FAILED);
        await()
            .atMost(SOON)
            .untilAsserted(() -> assertThat(ingest.report().routed()).isEqualTo(2000));
      }
    }
  }

  @Test
  void routingWaitsWhilePlansCannotBeConfirmedAndGoesOnAfterwards() throws Exception {
    try (IngestService ingest = node("plans", Map.of())) {
      ingest.start();
      awaitServing(ingest);
      try (Readings readings = readings("plans");
          Admin admin = broker.admin()) {
        send(readings, 0, 100);
        awaitStored(ingest, 100);
        admin.deleteTopics(List.of("plans.shard-plans")).all().get();
        await().atMost(SOON).until(() -> planState(ingest) == PlanReport.State.BEHIND);
        send(readings, 100, 200);
        // Longer than one call of a router waits, so that its task goes back to the last commit.
        await()
            .during(Duration.ofSeconds(7))
            .atMost(SOON)
            .until(() -> stored(ingest) == 100 && allServing(ingest, PARTITIONS));
        assertThat(ingest.state()).isIn(IngestState.RUNNING, IngestState.REBALANCING);
        broker.createTopic("plans.shard-plans", 1, Map.of("cleanup.policy", "compact"));
        awaitStored(ingest, 200);
        assertThat(ingest.report().routed()).isEqualTo(200);
        admin.deleteTopics(List.of("plans.shard-plans")).all().get();
        await().atMost(SOON).until(() -> planState(ingest) == PlanReport.State.BEHIND);
        send(readings, 200, 300);
      }
    } // closes while routers wait, within the time that a close may take
    broker.createTopic("plans.shard-plans", 1, Map.of("cleanup.policy", "compact"));
    try (IngestService again = node("plans", Map.of())) {
      again.start();
      awaitStored(again, 300);
    }
  }

  private static PlanReport.State planState(IngestService ingest) {
    return ingest.plans().orElseThrow().report().state();
  }
}
