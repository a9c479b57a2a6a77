package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.storage.Row;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Keys, repeats and values, from a Kafka record to an answer. */
@ExtendWith(SharedNode.Extension.class)
class RecordCasesIT {
  private static final long NOON = Poison.NOON;

  /** C081, within one run: the later offset wins. */
  @Test
  void lastOfAThousandCorrectionsIsShown(SharedNode shared) {
    NodeClient.Ledger before = shared.client.ledger();
    for (int version = 1; version <= 1_000; version++) {
      shared.feed.reading("c081", NOON, version);
    }
    shared.feed.flush();
    NodeClient.Ledger after =
        shared.client.awaitConsumed(before.consumed() + 1_000, Duration.ofSeconds(20));
    assertThat(shared.client.allRows("c081", "desc", 10)).containsExactly(new Row(NOON, 0, 1_000));
    assertThat(after.stored()).isEqualTo(before.stored() + 1);
    assertThat(after.overwritten()).isEqualTo(before.overwritten() + 999);
  }

  /** C087. */
  @Test
  void historySentAgainDisturbsNothing(SharedNode shared) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      rows.add(new Row(NOON + i * 30_000_000L, 0, i * 0.25));
    }
    shared.store("c087", rows);
    NodeClient.Ledger before = shared.client.ledger();
    long bytes = Proof.bytesBelow(shared.node.setup.data().resolve("store"));
    List<Row> shuffled = new ArrayList<>(rows);
    Collections.shuffle(shuffled, new Random(87));
    shuffled.forEach(r -> shared.feed.reading("c087", r.timestampMicros(), r.value()));
    shared.feed.flush();
    NodeClient.Ledger after =
        shared.client.awaitConsumed(before.consumed() + 10_000, Duration.ofSeconds(20));
    assertThat(shared.client.allRows("c087", "asc", 10_000)).isEqualTo(rows);
    assertThat(after.stored()).isEqualTo(before.stored());
    assertThat(after.duplicates()).isEqualTo(before.duplicates() + 10_000);
    assertThat(Proof.bytesBelow(shared.node.setup.data().resolve("store")))
        .isLessThan(bytes * 105 / 100);
  }

  /** C091, and every other bit pattern that JSON can carry. */
  @Test
  void doublesKeepTheirBits(SharedNode shared) {
    double[] values = {
      0.0,
      -0.0,
      Double.MIN_VALUE,
      -Double.MIN_VALUE,
      Double.MIN_NORMAL,
      Double.MAX_VALUE,
      -Double.MAX_VALUE,
      0.1,
      1e23,
      2.2250738585072011e-308,
      9007199254740993.0,
      123456789.123456789,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY
    };
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      rows.add(new Row(NOON + i, 0, values[i]));
    }
    shared.store("c091", rows);
    assertThat(shared.client.allRows("c091", "asc", 100)).isEqualTo(rows);
    String json = shared.client.get("/v1/readings?sensor_id=c091&order=asc").body();
    assertThat(json).contains("\"value\":-0.0").contains("\"NaN\"").contains("\"-Infinity\"");
    NodeClient.Answer csv = shared.client.get("/v1/readings?sensor_id=c091&order=asc&format=csv");
    assertThat(csv.status()).isEqualTo(200);
    assertThat(csv.body()).contains(",-0.0").contains("NaN").contains("-Infinity");
  }

  /** C127, as far as doubles go: beyond 2^53 a value is the nearest double. */
  @Test
  void largeIntegersAreNotRoundedOnTheirWay(SharedNode shared) {
    long edge = 1L << 53;
    for (String text : List.of("" + edge, "-" + edge, "" + (edge - 1), "" + (1L << 62))) {
      String sensor = "c127/" + text;
      String json =
          "{\"sensor_id\":\"" + sensor + "\",\"timestamp\":1717243200,\"value\":" + text + "}";
      shared.feed.raw(null, Feed.utf8(json));
      shared.feed.flush();
      assertThat(shared.awaitRows(sensor, 1))
          .containsExactly(new Row(NOON, 0, Double.parseDouble(text)));
    }
  }

  /** C155. */
  @Test
  void keyOfARecordDecidesNothing(SharedNode shared) {
    byte[][] keys = {null, {}, Feed.utf8("another sensor"), {0, -1, 7}};
    for (int i = 0; i < keys.length; i++) {
      shared.feed.raw(keys[i], ForeignAvro.reading("c155", NOON + i, i, 0));
    }
    shared.feed.flush();
    assertThat(shared.awaitRows("c155", keys.length)).hasSize(keys.length);
    assertThat(shared.client.readings("another sensor", "").path("known").asBoolean()).isFalse();
  }

  /** C161. */
  @Test
  void inputPartitionDecidesNothing(SharedNode shared) {
    int partitions = shared.feed.partitions();
    for (String sensor : List.of("100:48069", "sensor-3")) {
      for (int p = 0; p < partitions; p++) {
        shared.feed.send(
            new ProducerRecord<>(
                Feed.TOPIC, p, Feed.utf8(sensor), ForeignAvro.reading(sensor, NOON + p, p, 0)));
      }
      shared.feed.flush();
      assertThat(shared.awaitRows(sensor, partitions)).hasSize(partitions);
    }
  }
}
