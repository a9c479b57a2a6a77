package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.server.proof.HistorySchedule.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random schedules of loads, late and repeated rows, corrections, and reshards up and down by hand
 * and by the node itself, side by side, through restarts, kills, and a rebuild of all stores from
 * the log, with readers all the while: every answer is judged. Then another installation replays
 * all readings under the same plans. 20 schedules in the gate; in full the same until there have
 * been a thousand reshards.
 */
class ReshardHistoryIT {
  private static final int PAST = 13;
  private static final int LIVE = 5;
  private static final int AUTOMATIC = 2;
  private static final int RESHARDS = Proof.FULL ? 1_000 : 100;

  /** Long enough for live plans to take hold, and for the node to decide by itself. */
  private static final long AT_LEAST_MILLIS = Proof.FULL ? 180_000 : 30_000;

  /** Rounds from one restart or kill to the next. */
  private static final int DISTURB_EVERY = Proof.FULL ? 6 : 8;

  private static final int READERS = 3;
  private static final Duration SOON = Duration.ofSeconds(90);

  private final long seed = Long.getLong("varve.seed", System.nanoTime() % 1_000_000);
  private final Random random = new Random(seed);
  private final List<HistorySchedule> schedules = new ArrayList<>();
  private final HistoryReader.Tally tally = new HistoryReader.Tally();
  private final Path folder;
  private volatile NodeProcess node;

  @SuppressWarnings("NullAway.Init") // set when the node is there
  private Admin admin;

  private int restarts;
  private int kills;

  ReshardHistoryIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    // Rates of live sensors are far below, those of automatic ones far above.
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(
            folder.resolve("data"), "--shard-rate", "200", "--shard-cool-down", "10s");
    this.node = setup.launch();
    for (int i = 0; i < PAST + LIVE + AUTOMATIC; i++) {
      Kind kind = i < PAST ? Kind.PAST : i < PAST + LIVE ? Kind.LIVE : Kind.AUTOMATIC;
      schedules.add(new HistorySchedule(kind, i, seed));
    }
  }

  @Test
  @Timeout(value = 1_500, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyAnswerIsRightThroughAllOfIt() throws Exception {
    System.out.println("reshard history: replay with -Dvarve.seed=" + seed);
    long start = System.nanoTime();
    List<Thread> readers = new ArrayList<>();
    try (Feed feed = new Feed(node.setup.bootstrap());
        Admin client = Admin.create(Map.of("bootstrap.servers", node.setup.bootstrap()))) {
      admin = client;
      node.awaitReady(NodeProcess.START);
      List<History> histories = schedules.stream().map(schedule -> schedule.history).toList();
      for (int i = 0; i < READERS; i++) {
        Thread reader =
            new Thread(
                new HistoryReader(histories, () -> node.client, seed + i, tally),
                "history-reader-" + i);
        reader.start();
        readers.add(reader);
      }
      for (int round = 1;
          asked() < RESHARDS
              || (System.nanoTime() - start) / 1_000_000 < AT_LEAST_MILLIS
              || automatic() == 0;
          round++) {
        round(feed, round);
        isClean();
      }
      settle(feed);
      allIsThere();
      replay();
      rebuild();
      settle(feed);
      allIsThere();
    } finally {
      tally.stopped = true;
      for (Thread reader : readers) {
        reader.join(TimeUnit.SECONDS.toMillis(30));
      }
      report((System.nanoTime() - start) / 1e9);
      node.close();
      isClean();
    }
    assertThat(kills).as("kills").isPositive();
    assertThat(restarts).as("restarts").isPositive();
  }

  /** Rows of all sensors, the node perhaps stopped or killed among them; then reshards. */
  private void round(Feed feed, int round) throws Exception {
    int first = DISTURB_EVERY / 2; // a kill, which a short run must have too
    int disturbedAt = round % DISTURB_EVERY == first ? random.nextInt(10) : -1;
    for (int turn = 0; turn < 10; turn++) {
      if (turn == disturbedAt) {
        disturb(round % (2 * DISTURB_EVERY) == first);
      }
      for (HistorySchedule schedule : schedules) {
        if (schedule.kind != Kind.PAST || turn % 5 == 0) {
          schedule.send(feed);
        }
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
    settle(feed);
    for (HistorySchedule schedule : schedules) {
      reshard(schedule);
    }
  }

  private void disturb(boolean kill) throws Exception {
    if (kill) {
      node.kill();
      schedules.forEach(schedule -> schedule.history.crash());
      kills++;
    } else {
      node.stop();
      restarts++;
    }
    node = node.setup.launch();
  }

  /** Until it is done, or not now for a while: a node that was just killed follows plans soon. */
  private void reshard(HistorySchedule schedule) {
    for (int tries = 0; !schedule.reshard(node.client); tries++) {
      assertThat(tries).as("tries to reshard %s", schedule.history.sensor).isLessThan(300);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
    }
    tally.reshards.set(asked());
  }

  /** Waits until all that was sent is visible, and has that held against every later answer. */
  private void settle(Feed feed) throws Exception {
    node.awaitReady(SOON);
    feed.flush();
    awaitAll(node, "varve", "rows");
    schedules.forEach(schedule -> schedule.history.settle());
  }

  /** Waits until an installation has routed all readings for the last time, and shows them. */
  private void awaitAll(NodeProcess of, String group, String rows) throws Exception {
    Map<TopicPartition, Long> sent = ends(Feed.TOPIC);
    await("routed and committed").atMost(SOON).until(() -> reach(committed(group), sent));
    Map<TopicPartition, Long> routed = ends(rows);
    await("applied").atMost(SOON).until(() -> reach(applied(of, rows), routed));
  }

  private Map<TopicPartition, Long> ends(String topic) throws Exception {
    Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
    for (TopicDescription each :
        admin.describeTopics(List.of(topic)).allTopicNames().get().values()) {
      for (TopicPartitionInfo partition : each.partitions()) {
        latest.put(new TopicPartition(topic, partition.partition()), OffsetSpec.latest());
      }
    }
    Map<TopicPartition, Long> ends = new HashMap<>();
    admin.listOffsets(latest).all().get().forEach((p, found) -> ends.put(p, found.offset()));
    return ends;
  }

  /** Streams commits what it has flushed: what is before these offsets is not routed again. */
  private Map<TopicPartition, Long> committed(String group) throws Exception {
    Map<TopicPartition, Long> committed = new HashMap<>();
    admin
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((p, offset) -> committed.put(p, offset == null ? 0 : offset.offset()));
    return committed;
  }

  private static Map<TopicPartition, Long> applied(NodeProcess of, String rows) {
    Map<TopicPartition, Long> applied = new HashMap<>();
    for (JsonNode store : of.client.status().path("topic_partitions")) {
      applied.put(
          new TopicPartition(rows, store.path("topic_partition").asInt()),
          store.path("applied_offset").asLong(-1) + 1);
    }
    return applied;
  }

  private static boolean reach(Map<TopicPartition, Long> reached, Map<TopicPartition, Long> ends) {
    return ends.entrySet().stream()
        .allMatch(end -> reached.getOrDefault(end.getKey(), 0L) >= end.getValue());
  }

  private void allIsThere() {
    allIsThere(node);
  }

  private void allIsThere(NodeProcess on) {
    for (HistorySchedule schedule : schedules) {
      HistoryReader.whole(schedule.history, on.client).ifPresent(tally.faults::add);
    }
    isClean();
  }

  /** Routes all readings once more, from their beginning, into empty stores. */
  private void replay() throws Exception {
    try (NodeProcess guest = Guest.of(node.setup, folder.resolve("guest"), admin).start()) {
      awaitAll(guest, Guest.NAME, Guest.ROWS);
      allIsThere(guest);
      for (HistorySchedule schedule : schedules) {
        String query =
            "/v1/readings?format=csv&limit=10000&sensor_id="
                + NodeClient.encode(schedule.history.sensor);
        assertThat(guest.client.get(query).body())
            .as("replayed: %s seed %d", schedule.history.sensor, seed)
            .isEqualTo(node.client.get(query).body());
      }
      guest.stop();
    }
  }

  /** Takes the stores away: all rows are read from the log again. */
  private void rebuild() throws Exception {
    node.stop();
    restarts++;
    try (Stream<Path> files = Files.walk(node.setup.data().resolve("store"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    node = node.setup.launch();
  }

  private void isClean() {
    assertThat(tally.faults).as("seed %d", seed).isEmpty();
    assertThat(tally.odd).as("seed %d", seed).isEmpty();
  }

  private int asked() {
    return schedules.stream().mapToInt(HistorySchedule::reshards).sum();
  }

  private int asked(Kind kind) {
    return schedules.stream()
        .filter(schedule -> schedule.kind == kind)
        .mapToInt(HistorySchedule::reshards)
        .sum();
  }

  private void report(double seconds) {
    int rows = schedules.stream().mapToInt(schedule -> schedule.history.size()).sum();
    int automatic = automatic();
    System.out.printf(
        "reshard history: seed=%d schedules=%d reshards=%d in_the_past=%d live=%d by_the_node=%d"
            + " restarts=%d kills=%d rows=%d seconds=%.0f%n",
        seed,
        schedules.size(),
        asked() + automatic,
        asked(Kind.PAST),
        asked(Kind.LIVE),
        automatic,
        restarts,
        kills,
        rows,
        seconds);
    System.out.printf(
        "reshard history: reads=%d %s rows_read=%d walks_across_reshards=%d cut_by_deadline=%d"
            + " said_come_back=%d nobody_listened=%d faults=%s odd=%d%n",
        tally.reads(),
        tally.byRead(),
        tally.rows.get(),
        tally.walksAcrossReshards.get(),
        tally.cut.get(),
        tally.refusals.get(),
        tally.away.get(),
        tally.byKind(),
        tally.odd.size());
  }

  /** Reshards that the node decided, as far as it can tell now. */
  private int automatic() {
    return schedules.stream()
        .filter(schedule -> schedule.kind == Kind.AUTOMATIC)
        .mapToInt(this::plans)
        .sum();
  }

  private int plans(HistorySchedule schedule) {
    try {
      JsonNode plans =
          node.client
              .get("/v1/shards/history?sensor_id=" + NodeClient.encode(schedule.history.sensor))
              .json()
              .path("plans");
      return plans.size();
    } catch (UncheckedIOException e) {
      return 0;
    }
  }
}
