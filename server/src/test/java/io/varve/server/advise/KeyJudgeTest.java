package io.varve.server.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class KeyJudgeTest {
  private static final long MONDAY = 1_735_516_800_000_000L; // 2024-12-30
  private static final long HOUR = 3_600_000_000L;

  private final KeyReplay replay =
      new KeyReplay(new KeyReplay.Tables(1 << 10, 1 << 14, 1 << 15, 1 << 10, 1 << 12));

  private void rows(String sensor, long hour, long rows, long bytes) {
    byte[] id = sensor.getBytes(StandardCharsets.UTF_8);
    replay.rows(id, 0, id.length, MONDAY + hour * HOUR, rows, bytes);
  }

  /** So many sensors, each with so many rows in every hour. */
  private void fleet(int sensors, int hours, long rowsAnHour, long rowBytes) {
    for (int hour = 0; hour < hours; hour++) {
      for (int s = 0; s < sensors; s++) {
        rows("s" + s, hour, rowsAnHour, rowsAnHour * rowBytes);
      }
    }
  }

  private Advice judge(Guides guides) {
    return KeyJudge.judge(replay.figures(), guides);
  }

  private static Candidate of(Advice advice, BucketWidth width, int shards) {
    return advice.candidates().stream()
        .filter(c -> c.width() == width && c.shards() == shards)
        .findFirst()
        .orElseThrow();
  }

  private static Guides asking(Guides.Query query) {
    Guides d = Guides.DEFAULT;
    return new Guides(
        d.rows(), d.bytes(), query, d.touched(), d.keys(), d.skew(), d.share(), d.keepDays());
  }

  @Test
  void queryThatTouchesTooManyBucketsIsNotAligned() {
    fleet(20, 14 * 24, 100, 50);
    Advice advice = judge(asking(Guides.Query.range(7 * 24)));

    assertThat(of(advice, BucketWidth.HOUR, 1).touched()).isEqualTo(168);
    assertThat(of(advice, BucketWidth.HOUR, 1).firstFailing()).contains(Property.ALIGNMENT);
    assertThat(of(advice, BucketWidth.DAY, 4).touched()).isEqualTo(28);
    assertThat(of(advice, BucketWidth.DAY, 4).failing()).isEmpty();
    assertThat(of(advice, BucketWidth.DAY, 8).failing()).containsExactly(Property.ALIGNMENT);
    assertThat(advice.proposal().text()).isEqualTo("sensor+month");
  }

  @Test
  void latestRowsReachBackAsFarAsTheMedianSensorNeeds() {
    fleet(20, 14 * 24, 10, 50);
    Advice advice = judge(asking(Guides.Query.latest(100)));

    assertThat(of(advice, BucketWidth.HOUR, 1).touched()).isEqualTo(10);
    assertThat(of(advice, BucketWidth.DAY, 1).touched()).isEqualTo(1);
    assertThat(of(advice, BucketWidth.DAY, 16).touched()).isEqualTo(16);
  }

  @Test
  void fewSensorsAreFewKeysWhateverTheBucket() {
    fleet(3, 14 * 24, 1000, 50);
    Advice advice = judge(Guides.DEFAULT);

    assertThat(of(advice, BucketWidth.DAY, 1).failing()).containsExactly(Property.CARDINALITY);
    assertThat(of(advice, BucketWidth.DAY, 8).failing()).isEmpty();
    assertThat(advice.proposal().text()).isEqualTo("sensor+month with 8 shards");
  }

  @Test
  void partitionsOfOneRowAreNoPartitions() {
    for (int day = 0; day < 14; day++) {
      for (int s = 0; s < 50; s++) {
        rows("s" + s, day * 24L, 1, 50);
      }
    }
    assertThat(of(judge(Guides.DEFAULT), BucketWidth.DAY, 1).failing())
        .containsExactly(Property.CARDINALITY);
  }

  @Test
  void oneBusySensorIsSkewAlsoWithinTheGuide() {
    fleet(100, 14 * 24, 4, 50);
    for (int hour = 0; hour < 14 * 24; hour++) {
      rows("busy", hour, 400, 20_000);
    }
    Advice advice = judge(Guides.DEFAULT);

    assertThat(of(advice, BucketWidth.DAY, 1).failing()).containsExactly(Property.SKEW);
    assertThat(of(advice, BucketWidth.DAY, 8).failing()).isEmpty(); // 50 % over 8
  }

  @Test
  void evenPartitionsThatAreTooLargeFailGrowthOnly() {
    fleet(20, 7 * 24, 10_000, 50);
    Advice advice = judge(Guides.DEFAULT);

    assertThat(of(advice, BucketWidth.DAY, 1).failing()).containsExactly(Property.GROWTH);
    assertThat(of(advice, BucketWidth.DAY, 4).failing()).isEmpty();
    assertThat(advice.proposal().text()).isEqualTo("sensor+day with 4 shards");
  }

  @Test
  void bytesAloneAreReasonEnough() {
    fleet(20, 7 * 24, 1000, 20_000);
    Advice advice = judge(Guides.DEFAULT);

    assertThat(of(advice, BucketWidth.DAY, 4).failing()).containsExactly(Property.GROWTH);
    assertThat(of(advice, BucketWidth.DAY, 8).failing()).isEmpty();
  }

  @Test
  void sensorAloneGrowsAsLongAsRowsAreKept() {
    fleet(20, 24, 10, 50);
    Candidate alone = of(judge(Guides.DEFAULT), BucketWidth.NONE, 1);

    assertThat(alone.maxRows()).isEqualTo(240);
    assertThat(alone.fullRows()).isEqualTo(240.0 * 365);
    assertThat(alone.failing()).isEmpty();
  }

  @Test
  void whereNothingPassesTheNearestIsNamedWithWhatItFails() {
    fleet(20, 14 * 24, 100_000, 50); // 2.4 million a day: 64 shards of an hour at least
    Guides tight = new Guides(1_000, 100_000_000, Guides.Query.range(24), 32, 16, 10, 0.1, 365);
    Candidate nearest = judge(tight).proposal();

    assertThat(nearest.firstFailing()).contains(Property.GROWTH);
    assertThat(nearest.touched()).isLessThanOrEqualTo(32);
  }

  @Test
  void shortSampleIsSaidToBeShortAndReckonedToTheEnd() {
    fleet(20, 6, 2_000, 50);
    Advice advice = judge(Guides.DEFAULT);

    assertThat(of(advice, BucketWidth.DAY, 1).maxRows()).isEqualTo(12_000);
    assertThat(of(advice, BucketWidth.DAY, 1).fullRows()).isEqualTo(48_000);
    assertThat(of(advice, BucketWidth.WEEK, 1).failing()).containsExactly(Property.GROWTH);
    assertThat(advice.warnings())
        .anyMatch(w -> w.contains("too short: it covers 6 hours"))
        .anyMatch(w -> w.contains("06:00 to 24:00 UTC"));
  }

  @Test
  void peakAtTheEdgeIsPointedOut() {
    fleet(20, 13, 100, 50);
    rows("s1", 12, 5_000, 250_000);

    assertThat(judge(Guides.DEFAULT).warnings())
        .anyMatch(w -> w.contains("The busiest hour, 2024-12-30T12 with 7,000 rows, is the last"));
  }

  @Test
  void longEvenSampleGivesNoWarning() {
    fleet(20, 14 * 24, 5_000, 50);

    assertThat(judge(Guides.DEFAULT).warnings()).isEmpty();
  }

  @Test
  void sensorInManyEmptyBucketsIsPointedOut() {
    fleet(20, 30 * 24, 5_000, 50);
    rows("rare", 0, 1, 50);
    rows("rare", 29 * 24, 1, 50);
    Advice advice = judge(Guides.DEFAULT);

    assertThat(advice.proposal().width()).isEqualTo(BucketWidth.DAY);
    assertThat(advice.warnings()).hasSize(1);
    assertThat(advice.warnings().get(0))
        .contains("Sensors with most of their buckets empty: 1 of 21.")
        .contains("rare, rows in 2 of 30 days");
  }

  @Test
  void fewRowsOfAWrongClockDoNotMakeAYear() {
    fleet(20, 48, 1_000, 50);
    rows("s1", -300 * 24, 1, 50);
    Advice advice = judge(Guides.DEFAULT);

    assertThat(of(advice, BucketWidth.NONE, 1).fullRows()).isGreaterThan(8_000_000);
    assertThat(advice.warnings()).anyMatch(w -> w.contains("of the 302 days"));
  }

  @Test
  void smallDataNeedsOneDatabase() {
    fleet(20, 14 * 24, 10, 50);
    assertThat(judge(Guides.DEFAULT).notes()).anyMatch(n -> n.startsWith("One ordinary database"));
  }

  @Test
  void largeDataDoesNot() {
    fleet(200, 7 * 24, 10_000, 50);
    assertThat(judge(Guides.DEFAULT).notes()).noneMatch(n -> n.startsWith("One ordinary"));
  }
}
