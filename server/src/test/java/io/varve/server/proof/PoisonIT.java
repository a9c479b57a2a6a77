package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One record in a hundred is bad, in every way we know: the good ones go in, each bad one becomes
 * one dead letter that says what is wrong and what would fix it, and the node lives. In the gate
 * over 20 000 records, in full over a million; there the rate is printed beside that of a clean run
 * of equal size.
 */
class PoisonIT {
  private static final int RECORDS = Proof.FULL ? 1_000_000 : 20_000;
  private static final int SENSORS = 200;
  private static final long SEED = 77;

  @Test
  void everyGoodRowIsStoredAndEveryBadRecordIsADeadLetter(@TempDir Path folder) throws Exception {
    NodeProcess.Setup setup =
        NodeProcess.Setup.in(folder.resolve("data")).withJvmFlags("-Duser.timezone=Asia/Shanghai");
    try (NodeProcess node = setup.start();
        Feed feed = new Feed(setup.bootstrap())) {
      double cleanRate = Proof.FULL ? drain(node, feed, "clean", 0) : 0;
      NodeClient.Ledger before = node.client.ledger();
      Map<String, SentPoison> sent = new HashMap<>();
      double rate = drain(node, feed, "mixed", 100, sent);
      if (Proof.FULL) {
        System.out.printf(
            "poison: clean=%.0f/s mixed=%.0f/s ratio=%.2f%n", cleanRate, rate, rate / cleanRate);
      }
      eachBadRecordIsOneDeadLetter(setup, sent);
      ledgerIsExact(node, before, sent);
      goodRowsAreThere(node, sent);
      assertThat(node.client.statusOf("/live")).isEqualTo(200);
      assertThat(node.client.statusOf("/ready")).isEqualTo(200);
      node.stop();
    }
  }

  /** A bad record as it was sent. */
  private record SentPoison(Poison kind, String sensor, ProducerRecord<byte[], byte[]> record) {}

  private static double drain(NodeProcess node, Feed feed, String name, int everyNth) {
    return drain(node, feed, name, everyNth, new HashMap<>());
  }

  /** Fills the topic while ingest is paused and times how long it takes to empty it. */
  private static double drain(
      NodeProcess node, Feed feed, String name, int everyNth, Map<String, SentPoison> sent) {
    assertThat(node.client.post("/v1/ingest/pause", "").status()).isBetween(200, 299);
    long consumedBefore = node.client.ledger().consumed();
    Random random = new Random(SEED);
    long expected = 0;
    for (int i = 0; i < RECORDS; i++) {
      if (everyNth > 0 && i % everyNth == everyNth - 1) {
        SentPoison poison = poison(sent.size(), random);
        sent.put(text(poison.record().key()), poison);
        feed.send(poison.record());
        expected += poison.kind().good + Math.max(1, poison.kind().refused);
      } else {
        feed.reading(name + "/" + i % SENSORS, goodMicros(i), goodValue(i));
        expected++;
      }
    }
    feed.flush();
    assertThat(node.client.ledger().consumed())
        .as("nothing while paused")
        .isEqualTo(consumedBefore);
    long started = System.nanoTime();
    assertThat(node.client.post("/v1/ingest/resume", "").status()).isBetween(200, 299);
    node.client.awaitConsumed(consumedBefore + expected, Duration.ofSeconds(180));
    return RECORDS / ((System.nanoTime() - started) / 1e9);
  }

  private static SentPoison poison(int number, Random random) {
    Poison kind = Poison.values()[number % Poison.values().length];
    String sensor = "poisoned/" + number;
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(Feed.TOPIC, Feed.utf8("poison-" + number), kind.value(sensor, random));
    record.headers().add("gateway", Feed.utf8("gw-" + number));
    return new SentPoison(kind, sensor, record);
  }

  private static long goodMicros(int i) {
    return Poison.NOON + i * 1_000_000L;
  }

  private static double goodValue(int i) {
    return (Proof.mix(SEED, i, 0) >>> 11) * 0x1p-53;
  }

  private static void ledgerIsExact(
      NodeProcess node, NodeClient.Ledger before, Map<String, SentPoison> sent) {
    long good = RECORDS - sent.size() + sum(sent, true);
    long refused = sum(sent, false);
    long dead = sent.values().stream().filter(p -> !p.kind().decodable()).count();
    NodeClient.Ledger now = node.client.ledger();
    JsonNode reasons = node.client.status().path("ledger").path("refused_by_reason");
    assertThat(now)
        .as("refused_by_reason: %s", reasons)
        .isEqualTo(
            new NodeClient.Ledger(before.stored() + good, 0, 0, before.refused() + refused, dead));
    long byReason = 0;
    for (JsonNode count : reasons) {
      byReason += count.longValue();
    }
    assertThat(byReason).as("refused_by_reason: %s", reasons).isEqualTo(now.refused());
  }

  private static long sum(Map<String, SentPoison> sent, boolean good) {
    return sent.values().stream().mapToLong(p -> good ? p.kind().good : p.kind().refused).sum();
  }

  private static void goodRowsAreThere(NodeProcess node, Map<String, SentPoison> sent) {
    List<List<Row>> want = new ArrayList<>();
    for (int s = 0; s < SENSORS; s++) {
      want.add(new ArrayList<>());
    }
    for (int i = 0; i < RECORDS; i++) {
      if (i % 100 != 99) {
        want.get(i % SENSORS).add(new Row(goodMicros(i), 0, goodValue(i)));
      }
    }
    for (int s = 0; s < SENSORS; s++) {
      assertThat(node.client.allRows("mixed/" + s, "asc", 10_000)).isEqualTo(want.get(s));
    }
    for (SentPoison poison : sent.values().stream().limit(100).toList()) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < poison.kind().good; i++) {
        rows.add(new Row(Poison.NOON + i, 0, 1));
      }
      assertThat(node.client.allRows(poison.sensor(), "asc", 100))
          .as("good members of %s", poison.kind())
          .isEqualTo(rows);
    }
  }

  private static void eachBadRecordIsOneDeadLetter(
      NodeProcess.Setup setup, Map<String, SentPoison> sent) {
    Map<Poison, String> reasons = new HashMap<>();
    Set<String> keys = new HashSet<>();
    DeadLetters.forEach(
        setup.bootstrap(),
        "readings.dlq",
        letter -> {
          String key = text(letter.key());
          SentPoison poison = sent.get(key);
          assertThat(poison).as("dead letter of a good record: %s", key).isNotNull();
          assertThat(keys.add(key)).as("only one of %s", key).isTrue();
          assertThat(Arrays.equals(letter.value(), poison.record().value()))
              .as("%s comes back byte for byte", poison.kind())
              .isTrue();
          assertThat(DeadLetters.header(letter, "gateway")).isEqualTo(header(poison));
          reasons.put(poison.kind(), explains(letter, poison.kind()));
        });
    assertThat(keys).isEqualTo(sent.keySet());
    reasons.forEach((kind, reason) -> System.out.println("poison: " + kind + " -> " + reason));
  }

  private static String explains(ConsumerRecord<byte[], byte[]> letter, Poison kind) {
    for (String name : List.of("varve.reason", "varve.hint")) {
      assertThat(DeadLetters.header(letter, name)).as("%s of %s", name, kind).isNotBlank();
    }
    for (String name : List.of("exception", "message", "topic", "partition", "offset")) {
      assertThat(letter.headers().lastHeader("__streams.errors." + name))
          .as("__streams.errors.%s of %s", name, kind)
          .isNotNull();
    }
    assertThat(DeadLetters.header(letter, "__streams.errors.topic")).isEqualTo(Feed.TOPIC);
    String members = DeadLetters.header(letter, "varve.members");
    if (kind == Poison.BATCH_WITH_BAD_MEMBERS) {
      assertThat(members.replaceAll("[^0-9,]", "")).isEqualTo("1,3");
    }
    return DeadLetters.header(letter, "varve.reason")
        + " | "
        + DeadLetters.header(letter, "varve.hint")
        + (members.isEmpty() ? "" : " | members " + members);
  }

  private static String header(SentPoison poison) {
    return new String(
        poison.record().headers().lastHeader("gateway").value(), StandardCharsets.UTF_8);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
