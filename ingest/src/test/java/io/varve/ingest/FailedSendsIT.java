package io.varve.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node whose rows the brokers refuse for good while its stream threads close in order. */
class FailedSendsIT {
  private static final String ROWS = "refused.rows";
  private static final int SOURCES = 4;
  private static final int BEFORE = 1_000;
  private static final int IN_ALL = 3_000;
  private static final Duration SOON = Duration.ofSeconds(60);

  /** No commit but the one of the close: an earlier one would end the threads out of order. */
  private static final Map<String, String> COMMITS_AT_CLOSE =
      Map.of("commit.interval.ms", "3600000");

  @Test
  void offsetsOfRowsThatDidNotArriveAreNotCommitted(@TempDir Path folder) throws Exception {
    try (TestBroker broker = new TestBroker(folder.resolve("broker"));
        Admin admin = broker.admin()) {
      broker.createTopic("refused.in", SOURCES, Map.of());
      try (Readings readings = new Readings(broker.bootstrapServers(), "refused.in")) {
        try (IngestService node = node(broker, folder)) {
          node.start();
          await().atMost(SOON).until(() -> IngestServiceIT.allServing(node, 4));
          send(readings, 0, BEFORE);
          await().atMost(SOON).until(() -> IngestServiceIT.stored(node) == BEFORE);

          limitRows(broker, admin, "1");
          send(readings, BEFORE, IN_ALL);
          await().atMost(SOON).until(() -> node.report().routed() == IN_ALL);
          assertThat(node.state()).isEqualTo(IngestState.RUNNING);
          assertThat(IngestServiceIT.stored(node)).isEqualTo(BEFORE);
        }
        assertThat(committed(admin)).as("readings whose offsets were committed").isZero();
        limitRows(broker, admin, "1048588");
      }
      try (IngestService node = node(broker, folder)) {
        node.start();
        await()
            .atMost(SOON)
            .untilAsserted(
                () -> {
                  assertThat(IngestServiceIT.stored(node)).isEqualTo(IN_ALL);
                  assertThat(node.report().visibleLag()).isZero();
                  assertThat(node.report().routed()).isEqualTo(IN_ALL);
                });
      }
    }
  }

  private static IngestService node(TestBroker broker, Path folder) {
    return new IngestService(
        IngestServiceIT.settings(
            broker.bootstrapServers(), "refused", folder.resolve("store"), COMMITS_AT_CLOSE));
  }

  /** Sends readings of many sensors, so that each source topic partition gets its share. */
  private static void send(Readings readings, int from, int to) throws Exception {
    for (int i = from; i < to; i++) {
      readings.send("sensor-" + i % 100, Readings.JUNE + i, i);
    }
    readings.flush();
  }

  /**
   * Sets the largest record that the topic of rows takes, and waits until its partitions do or do
   * not take one.
   */
  private static void limitRows(TestBroker broker, Admin admin, String maxBytes) throws Exception {
    ConfigResource rows = new ConfigResource(ConfigResource.Type.TOPIC, ROWS);
    AlterConfigOp limit =
        new AlterConfigOp(new ConfigEntry("max.message.bytes", maxBytes), AlterConfigOp.OpType.SET);
    admin.incrementalAlterConfigs(Map.of(rows, List.of(limit))).all().get();
    boolean taken = !maxBytes.equals("1");
    await().atMost(SOON).until(() -> takesARecord(broker) == taken);
  }

  private static boolean takesARecord(TestBroker broker) throws Exception {
    try (Readings probe = new Readings(broker.bootstrapServers(), ROWS)) {
      probe.sendBytes(new byte[] {'?'}, new byte[0]);
      probe.flush();
      return true;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(RecordTooLargeException.class);
      return false;
    }
  }

  /** Sums the offsets that the group has committed of the source. */
  private static long committed(Admin admin) throws Exception {
    return admin
        .listConsumerGroupOffsets("refused")
        .partitionsToOffsetAndMetadata()
        .get()
        .entrySet()
        .stream()
        .filter(each -> each.getKey().topic().equals("refused.in"))
        .mapToLong(each -> each.getValue().offset())
        .sum();
  }
}
