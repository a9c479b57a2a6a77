package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to the files of a store while no one looks: whatever it is, the store is rebuilt
 * from the log, says so, counts it, and never serves a wrong or a short answer. In the gate each
 * store is damaged in another way and one start repairs them all; in full one damage after another,
 * each with a start of its own, and once more after a kill.
 */
class DamageIT {
  private static final int SENSORS = 24;
  private static final int ROWS_A_SENSOR = 500;
  private static final long START = 1_717_200_000_000_000L;
  private static final long STEP = 864_000_000L;
  private static final Duration REBUILT = Duration.ofSeconds(60);

  private static final String LONG = "one damage after another takes minutes: with -Pfull";

  private final List<List<Row>> truth = new ArrayList<>();
  private final Random random = new Random(Long.getLong("varve.seed", 9));

  @Test
  void storesDamagedEachInItsWayAreRebuiltAtOnce(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    Path store = setup.data().resolve("store");
    TreeMap<Path, byte[]> stale;
    try (NodeProcess node = setup.start()) {
      stale = read(find(store, "offsets"));
      load(setup, 0, ROWS_A_SENSOR);
      awaitExact(node);
      node.stop();
    }
    List<Path> offsets = find(store, "offsets");
    assertThat(offsets).as("one offsets file a store").hasSizeGreaterThanOrEqualTo(8);
    Files.write(offsets.get(0), Optional.ofNullable(stale.get(offsets.get(0))).orElseThrow());
    Files.writeString(offsets.get(1), "garbage\n");
    Files.write(offsets.get(2), new byte[0]);
    truncate(segmentBeside(offsets.get(3)), 4_096);
    flipBytes(find(folderOf(offsets.get(4)), ".*\\.blocks"), 12);
    Files.delete(segmentBeside(offsets.get(5)));
    deleteTree(folderOf(offsets.get(6)));
    rebuilds(setup, "each store in its way", true);
  }

  @Test
  @EnabledIfSystemProperty(named = "varve.full", matches = "true", disabledReason = LONG)
  void damagedStoresAreRebuiltAndNothingWrongIsServed(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    Path store = setup.data().resolve("store");
    try (NodeProcess node = setup.start()) {
      load(setup, 0, ROWS_A_SENSOR - 100);
      awaitExact(node);
      node.stop();
    }
    TreeMap<Path, byte[]> staleOffsets = read(find(store, "offsets"));
    try (NodeProcess node = setup.start()) {
      load(setup, ROWS_A_SENSOR - 100, ROWS_A_SENSOR);
      awaitExact(node);
      node.stop();
    }

    deleteTree(store);
    rebuilds(setup, "store folder deleted", false);

    List<Path> offsets = find(store, "offsets");
    assertThat(offsets).as("one offsets file a store").hasSizeGreaterThanOrEqualTo(8);
    for (Path file : offsets.subList(0, 4)) {
      Files.write(file, staleOffsets.getOrDefault(file, new byte[0]));
    }
    Files.writeString(offsets.get(4), "garbage\n");
    Files.write(offsets.get(5), new byte[4_096]);
    Files.write(offsets.get(6), new byte[0]);
    rebuilds(setup, "offsets stale, garbage, zeros, empty", false);

    List<Path> segments = find(store, ".*\\.blocks");
    Collections.shuffle(segments, random);
    truncate(segments.get(0), Files.size(segments.get(0)) / 2);
    truncate(segments.get(1), 0);
    Files.delete(segments.get(2));
    rebuilds(setup, "segments truncated, empty, missing", true);

    flipBytes(find(store, ".*\\.blocks"), 12);
    rebuilds(setup, "bytes flipped in segments", true);

    flipBytes(find(store, ".*\\.index"), 12);
    rebuilds(setup, "bytes flipped in indexes", false);
  }

  @Test
  @EnabledIfSystemProperty(named = "varve.full", matches = "true", disabledReason = LONG)
  void damageAfterAKillIsRebuilt(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup = NodeProcess.Setup.in(folder.resolve("data"));
    try (NodeProcess node = setup.start()) {
      load(setup, 0, ROWS_A_SENSOR);
      awaitExact(node);
      node.kill();
    }
    Path store = setup.data().resolve("store");
    flipBytes(find(store, ".*\\.blocks"), 6);
    List<Path> segments = find(store, ".*\\.blocks");
    Collections.shuffle(segments, random);
    truncate(segments.get(0), 4_096);
    rebuilds(setup, "killed, then flipped and truncated", true);
  }

  /** Starts on a damaged folder and stops when every answer is right again. */
  private void rebuilds(NodeProcess.Setup setup, String damage, boolean segments) throws Exception {
    try (NodeProcess node = setup.launch();
        AnswerWatch one = new AnswerWatch(node, sensor(0), newestFirst(0));
        AnswerWatch two = new AnswerWatch(node, sensor(7), newestFirst(7))) {
      node.awaitReady(REBUILT);
      awaitExact(node);
      one.assertNeverShort();
      two.assertNeverShort();
      long millis = (System.nanoTime() - node.startedNanos) / 1_000_000;
      JsonNode status = node.client.status();
      long damaged = 0;
      for (JsonNode partition : status.path("topic_partitions")) {
        damaged += partition.path("damaged_days").asLong();
        assertThat(partition.path("incomplete_days").asLong()).as(damage).isZero();
      }
      System.out.printf("damage: %s: right_after_ms=%d damaged_days=%d%n", damage, millis, damaged);
      if (segments) {
        assertThat(damaged).as("%s is counted\n%s", damage, node.log()).isPositive();
        assertThat(node.log()).as(damage).containsIgnoringCase("damaged");
      }
      assertThat(node.client.ledger().stored())
          .as("stored after: %s", damage)
          .isEqualTo((long) SENSORS * ROWS_A_SENSOR);
      node.stop();
    }
  }

  /**
   * Sends rows of every sensor; the producer's clock, which must not matter, is in 1970 for a third
   * of the records and two days ahead for another.
   */
  private void load(NodeProcess.Setup setup, int from, int to) {
    long[] clocks = {0, System.currentTimeMillis() + 2 * 86_400_000L, System.currentTimeMillis()};
    try (Feed feed = new Feed(setup.bootstrap())) {
      for (int s = 0; s < SENSORS; s++) {
        if (truth.size() <= s) {
          truth.add(new ArrayList<>());
        }
        for (int i = from; i < to; i++) {
          Row row = new Row(START + i * STEP, i % 3, Proof.mix(s, i, 1) * 0x1p-40);
          truth.get(s).add(row);
          feed.send(
              new ProducerRecord<>(
                  Feed.TOPIC,
                  null,
                  clocks[i % 3],
                  Feed.utf8(sensor(s)),
                  ForeignAvro.reading(
                      sensor(s), row.timestampMicros(), row.value(), row.sequence())));
        }
      }
      feed.flush();
    }
  }

  private void awaitExact(NodeProcess node) {
    for (int s = 0; s < SENSORS; s++) {
      List<Row> want = newestFirst(s);
      String query = "/v1/readings?ts=epoch_us&limit=10000&sensor_id=" + sensor(s);
      await("all rows of " + sensor(s))
          .atMost(REBUILT)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                NodeClient.Answer answer = node.client.get(query);
                return answer.status() == 200 && NodeClient.rows(answer.json()).equals(want);
              });
    }
  }

  private List<Row> newestFirst(int sensor) {
    List<Row> rows = new ArrayList<>(truth.get(sensor));
    Collections.reverse(rows);
    return rows;
  }

  private static String sensor(int s) {
    return "damage-" + s;
  }

  private void flipBytes(List<Path> files, int count) throws IOException {
    Collections.shuffle(files, random);
    for (Path file : files.subList(0, Math.min(count, files.size()))) {
      try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
        for (int flip = 0; flip < 40; flip++) {
          long at = (long) (random.nextDouble() * bytes.length());
          bytes.seek(at);
          int old = bytes.read();
          bytes.seek(at);
          bytes.write(old ^ 1 << random.nextInt(8));
        }
      }
    }
  }

  private static Path folderOf(Path file) {
    return file.resolveSibling("");
  }

  private static Path segmentBeside(Path offsets) throws IOException {
    return find(folderOf(offsets), ".*\\.blocks").get(0);
  }

  private static void truncate(Path file, long length) throws IOException {
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.setLength(length);
    }
  }

  private static List<Path> find(Path folder, String name) throws IOException {
    try (var files = Files.walk(folder)) {
      return new ArrayList<>(
          files
              .filter(f -> f.getFileName().toString().matches(name))
              .filter(f -> !f.toString().contains("damaged"))
              .sorted()
              .toList());
    }
  }

  private static TreeMap<Path, byte[]> read(List<Path> files) throws IOException {
    TreeMap<Path, byte[]> contents = new TreeMap<>();
    for (Path file : files) {
      contents.put(file, Files.readAllBytes(file));
      assertThat(new String(contents.get(file), StandardCharsets.UTF_8)).isNotBlank();
    }
    return contents;
  }

  private static void deleteTree(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
    }
    assertThat(folder).doesNotExist();
  }
}
