package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.varve.storage.Row;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Days, units, the far past and the future, on a node in Tokyo. */
@ExtendWith(SharedNode.Extension.class)
class TimeCasesIT {
  private static final long HOUR = 3_600_000_000L;

  /** C001. */
  @Test
  void rowsStayInTheirUtcDay(SharedNode shared) {
    String sensor = "c001";
    shared.store(
        sensor,
        List.of(
            new Row(micros("2024-06-01T20:00:00Z"), 0, 1),
            new Row(micros("2024-06-01T00:00:00Z"), 0, 2)));
    assertThat(between(shared, sensor, "2024-06-01", "2024-06-02")).hasSize(2);
    assertThat(between(shared, sensor, "2024-05-31", "2024-06-01")).isEmpty();
    assertThat(between(shared, sensor, "2024-06-02", "2024-06-03")).isEmpty();
  }

  /** C003. */
  @Test
  void dayHoldsAllItsHoursInOneBucket(SharedNode shared) {
    String sensor = "c003";
    List<Row> rows = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      rows.add(new Row(micros("2024-06-01T00:00:00Z") + hour * HOUR, 0, hour));
    }
    shared.store(sensor, rows);
    assertThat(between(shared, sensor, "2024-06-01", "2024-06-02")).hasSize(24);
    JsonNode buckets =
        shared.client.readings(sensor, "&from=2024-06-01&to=2024-06-02&step=1d&agg=count");
    assertThat(buckets.path("rows")).hasSize(1);
    JsonNode bucket = buckets.path("rows").path(0);
    assertThat(bucket.path("timestamp").longValue()).isEqualTo(micros("2024-06-01T00:00:00Z"));
    assertThat(bucket.path("value").longValue()).isEqualTo(24);
  }

  /** C021. */
  @Test
  void timesBeforeTheEpochBlockNothing(SharedNode shared) {
    String sensor = "c021";
    NodeClient.Ledger before = shared.client.ledger();
    long now = nowMicros();
    shared.feed.reading(sensor, -1_000_000, 1);
    shared.feed.reading(sensor, -2_000_000, 2);
    shared.feed.reading(sensor, 2_000_000, 3);
    shared.feed.reading(sensor, now, 4);
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 4, Duration.ofSeconds(20));
    assertThat(shared.awaitRows(sensor, 3))
        .containsExactly(new Row(now, 0, 4), new Row(-1_000_000, 0, 1), new Row(-2_000_000, 0, 2));
    assertThat(shared.client.ledger().refused()).isEqualTo(before.refused() + 1);
  }

  /** C023. */
  @Test
  void monthsOfEightyYearsInAnyOrderDoNotStopTheStream(SharedNode shared) {
    String sensor = "c023";
    NodeClient.Ledger before = shared.client.ledger();
    List<Row> rows = new ArrayList<>();
    for (LocalDate month = LocalDate.of(1960, 1, 15); rows.size() < 1_000; ) {
      rows.add(new Row(micros(month.atStartOfDay().toInstant(ZoneOffset.UTC)), 0, rows.size()));
      month = month.plusMonths(1);
    }
    List<Row> accepted = new ArrayList<>(rows);
    accepted.removeIf(
        r ->
            r.timestampMicros() > nowMicros()
                || r.timestampMicros() == micros("1970-01-15T00:00:00Z"));
    Collections.shuffle(rows, new Random(23));
    rows.forEach(r -> shared.feed.reading(sensor, r.timestampMicros(), r.value()));
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 1_000, Duration.ofSeconds(60));
    assertThat(shared.client.allRows(sensor, "asc", 1_000)).isEqualTo(accepted);
    assertThat(shared.client.ledger().refused() - before.refused())
        .isEqualTo(1_000 - accepted.size());
  }

  /** C031. */
  @Test
  void microsUnderAMillisSchemaAreRefusedAsFarFuture(SharedNode shared) {
    long noon = 1_717_243_200_000_000L;
    shared.store("c031", List.of(new Row(noon, 0, 1)));
    NodeClient.Answer answer = shared.client.get("/v1/readings?sensor_id=c031");
    assertThat(answer.body()).contains("\"2024-06-01T12:00:00.000000Z\"");
    NodeClient.Ledger before = shared.client.ledger();
    shared.feed.raw(Feed.utf8("c031-millis"), ForeignAvro.millis("c031-millis", noon, 1, 0));
    shared.feed.raw(
        Feed.utf8("c031-millis"), ForeignAvro.millis("c031-millis", noon / 1_000, 2, 0));
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 2, Duration.ofSeconds(20));
    assertThat(shared.awaitRows("c031-millis", 1)).containsExactly(new Row(noon, 0, 2));
    assertThat(shared.client.ledger().refused()).isEqualTo(before.refused() + 1);
  }

  /** C033. */
  @Test
  void implausibleTimesAreNeverReplacedByTheArrivalTime(SharedNode shared) {
    String sensor = "c033";
    NodeClient.Ledger before = shared.client.ledger();
    long start = 1_717_200_000L;
    for (int i = 0; i < 100; i++) {
      shared.feed.reading(sensor, start + i, -1);
      shared.feed.reading(sensor, (start + i) * 1_000_000, i);
    }
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 200, Duration.ofSeconds(20));
    List<Row> rows = shared.client.allRows(sensor, "asc", 1_000);
    assertThat(rows).hasSize(100);
    for (int i = 0; i < 100; i++) {
      assertThat(rows.get(i)).isEqualTo(new Row((start + i) * 1_000_000, 0, i));
    }
    assertThat(shared.client.ledger().refused()).isEqualTo(before.refused() + 100);
  }

  /** C037. */
  @Test
  void rowsOfTheNearFutureAreInTheDefaultRange(SharedNode shared) {
    String sensor = "c037";
    long now = nowMicros();
    Row past = new Row(now - 60_000_000, 0, 1);
    Row future = new Row(now + 300_000_000, 0, 2);
    shared.store(sensor, List.of(past, future));
    JsonNode open = shared.client.readings(sensor, "");
    assertThat(NodeClient.rows(open)).containsExactly(future, past);
    assertThat(open.has("from")).isTrue();
    assertThat(open.has("to")).isTrue();
    JsonNode closed =
        shared.client.readings(sensor, "&from=" + past.timestampMicros() + "&to=" + (now + HOUR));
    assertThat(NodeClient.rows(closed)).containsExactly(future, past);
    JsonNode untilNow = shared.client.readings(sensor, "&to=now");
    assertThat(NodeClient.rows(untilNow)).containsExactly(past);
  }

  /** C047: rows of skewed clocks stay under their own time; what is too far ahead is counted. */
  @Test
  void skewedClocksAreStoredAsTheySayOrRefusedByReason(SharedNode shared) {
    String slow = "c047/slow";
    String fast = "c047/fast";
    NodeClient.Ledger before = shared.client.ledger();
    long refusedBefore = tooFarAhead(shared);
    long now = nowMicros();
    for (int minute = 0; minute < 60; minute++) {
      long at = now - minute * 60_000_000L;
      shared.feed.reading(slow, at - 27 * HOUR, minute);
      shared.feed.reading(fast, at + 600_000_000, minute);
      shared.feed.reading(fast, at + 3 * HOUR, minute);
    }
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 180, Duration.ofSeconds(20));
    assertThat(shared.awaitRows(slow, 60).get(0).timestampMicros()).isEqualTo(now - 27 * HOUR);
    assertThat(shared.awaitRows(fast, 60)).hasSize(60);
    assertThat(shared.awaitRows(fast, 60).get(0).timestampMicros()).isEqualTo(now + 600_000_000);
    assertThat(tooFarAhead(shared)).isEqualTo(refusedBefore + 60);
  }

  private static long tooFarAhead(SharedNode shared) {
    JsonNode reasons = shared.client.status().path("ledger").path("refused_by_reason");
    return reasons.path("timestamp-too-far-ahead").asLong();
  }

  /** C041. */
  @Test
  void saturatedDateMakesNoBucket(SharedNode shared) {
    String sensor = "c041";
    NodeClient.Ledger before = shared.client.ledger();
    long hour = Math.floorDiv(nowMicros(), HOUR) * HOUR - HOUR;
    for (int i = 0; i < 10; i++) {
      shared.feed.reading(sensor, hour + i * 60_000_000L, i);
    }
    shared.feed.reading(sensor, 253_402_300_799_000_000L, 99);
    shared.feed.flush();
    shared.client.awaitConsumed(before.consumed() + 11, Duration.ofSeconds(20));
    assertThat(NodeClient.rows(shared.client.readings(sensor, "&from=now-24h"))).hasSize(10);
    JsonNode buckets =
        shared.client.readings(sensor, "&from=now-24h&to=now&step=1h&agg=max").path("rows");
    assertThat(buckets).hasSize(1);
    assertThat(buckets.path(0).path("timestamp").longValue()).isEqualTo(hour);
    assertThat(buckets.path(0).path("value").doubleValue()).isEqualTo(9);
  }

  private static List<Row> between(SharedNode shared, String sensor, String from, String to) {
    return NodeClient.rows(shared.client.readings(sensor, "&from=" + from + "&to=" + to));
  }

  private static long micros(String instant) {
    return micros(Instant.parse(instant));
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000;
  }

  private static long nowMicros() {
    return micros(Instant.now());
  }
}
