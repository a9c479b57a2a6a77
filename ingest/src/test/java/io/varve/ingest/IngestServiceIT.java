package io.varve.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.storage.PartitionReader;
import io.varve.storage.StoreState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestServiceIT {
  private static final int PARTITIONS = 4;

  private final Path folder;

  IngestServiceIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private IngestSettings settings(TestBroker broker) {
    return new IngestSettings(
        broker.bootstrapServers(),
        "varve",
        List.of("readings"),
        PARTITIONS,
        folder.resolve("store"),
        2,
        Optional.empty(),
        Duration.ofHours(1),
        false,
        Optional.empty(),
        Optional.empty(),
        "node-1",
        true,
        Duration.ofDays(7),
        Map.of());
  }

  static long stored(IngestService ingest) {
    return ingest.readers().stream().mapToLong(reader -> reader.totals().stored()).sum();
  }

  static boolean serving(IngestService ingest) {
    return allServing(ingest, PARTITIONS);
  }

  static boolean allServing(IngestService ingest, int topicPartitions) {
    List<PartitionReader> readers = ingest.readers();
    return readers.size() == topicPartitions
        && readers.stream().allMatch(reader -> reader.state() == StoreState.SERVING);
  }

  @Test
  void readingsBecomeRowsAndSurviveARestart() throws Exception {
    try (TestBroker broker = new TestBroker(folder.resolve("broker"))) {
      try (IngestService ingest = new IngestService(settings(broker))) {
        ingest.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> serving(ingest));
        try (Readings readings = new Readings(broker.bootstrapServers(), "readings")) {
          for (int i = 0; i < 5000; i++) {
            readings.send("sensor-" + i % 50, Readings.JUNE + i, i);
          }
          readings.sendBytes(new byte[] {1}, new byte[] {0, 1, 2});
          readings.flush();
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> stored(ingest) == 5000);
        await()
            .atMost(Duration.ofSeconds(10))
            .untilAsserted(
                () -> {
                  assertThat(ingest.report().routed()).isEqualTo(5000);
                  assertThat(ingest.report().deadLettered()).isEqualTo(1);
                  assertThat(ingest.report().visibleLag()).isZero();
                  assertThat(ingest.report().topicBytes()).containsKeys("rows", "readings");
                });
      }
      try (IngestService again = new IngestService(settings(broker))) {
        again.start();
        await().atMost(Duration.ofSeconds(30)).until(() -> serving(again));
        assertThat(stored(again)).isEqualTo(5000);
        await()
            .atMost(Duration.ofSeconds(10))
            .untilAsserted(() -> assertThat(again.report().routed()).isEqualTo(5000));
      }
    }
  }
}
