package io.varve.server.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private final Patient patient = new Patient();

  private void finds(String check, Verdict verdict, String... figures) {
    Diagnosis found = patient.check(check);
    assertThat(found.verdict()).as(found.saw()).isEqualTo(verdict);
    for (String figure : figures) {
      assertThat(found.saw()).contains(figure);
    }
    if (verdict == Verdict.OK) {
      assertThat(found.whatToDo()).isEmpty();
    } else {
      assertThat(found.whatToDo()).isNotEmpty();
    }
  }

  @Test
  void healthyNodeHasNothing() {
    assertThat(Doctor.examine(patient.examined()))
        .allSatisfy(d -> assertThat(d.verdict()).as(d.toString()).isEqualTo(Verdict.OK));
  }

  @Test
  void nodeWithoutRowsHasNothing() {
    patient.percentiles = Map.of();
    patient.partitionCount = 0;
    patient.rows = new long[4];
    patient.came = new long[4];
    patient.applied = OptionalLong.empty();
    patient.newestAppend = OptionalLong.empty();
    assertThat(Doctor.examine(patient.examined()))
        .allSatisfy(d -> assertThat(d.verdict()).as(d.toString()).isEqualTo(Verdict.OK));
  }

  @Test
  void largestPartitionFarAboveTheOthersIsSkew() {
    patient.percentiles.put("max", 1_500_000L);
    finds("partition-skew", Verdict.WARN, "1,500,000 rows, 1000.0 times p99 (1,500)", "s1");
  }

  @Test
  void amongFewPartitionsTheMedianTellsSkew() {
    patient.percentiles.put("p99", 150_000L);
    patient.percentiles.put("max", 150_000L);
    finds("partition-skew", Verdict.WARN, "1.0 times p99", "150 times p50");
  }

  @Test
  void shardOverTheGuardrailIsBad() {
    patient.guardrail = new NodeFigures.Guardrail(3, "hot on 2025-11-24, 600,000,000 bytes");
    finds("partition-size", Verdict.BAD, "3 shards", "hot on 2025-11-24");
  }

  @Test
  void manySmallPartitionsAreBucketedTooFinely() {
    patient.percentiles.put("p50", 5L);
    patient.partitionCount = 50_000;
    patient.bytesPerRow = 164;
    finds("bucketing", Verdict.WARN, "50,000 partitions, 5 rows", "164.0 bytes a row");
    patient.bytesPerRow = 12;
    finds("bucketing", Verdict.OK);
  }

  @Test
  void topicPartitionThatHoldsMoreThanTheRestIsNamed() {
    patient.rows[2] = 500_000;
    finds("topic-partition-rows", Verdict.WARN, "topic partition 2 has 500,490, 3.1 times");
  }

  @Test
  void topicPartitionThatTakesInMoreThanTheRestIsNamed() {
    patient.came[1] = 20_000;
    finds("topic-partition-rate", Verdict.WARN, "within two seconds", "partition 1 has 20,000");
    finds("topic-partition-rows", Verdict.OK);
  }

  @Test
  void fewRowsAreNotCompared() {
    patient.came = new long[] {400, 0, 0, 0};
    finds("topic-partition-rate", Verdict.OK, "too few to compare");
  }

  @Test
  void nodeClockAheadOrBehindIsMeasuredOutsideOfTheAnswerTime() {
    patient.nodeNow = OptionalLong.of(Patient.NOW + 5_020_000);
    finds("clock-node", Verdict.WARN, "5.000 s ahead");
    patient.nodeNow = OptionalLong.of(Patient.NOW - 90_000_000);
    finds("clock-node", Verdict.BAD, "90.000 s behind");
    patient.nodeNow = OptionalLong.of(Patient.NOW + 20_000);
    finds("clock-node", Verdict.OK, "agrees");
    patient.nodeNow = OptionalLong.empty();
    finds("clock-node", Verdict.WARN, "does not tell");
  }

  @Test
  void recordOfTheFutureIsABrokerClockAhead() {
    patient.newestAppend = OptionalLong.of(Patient.NOW + 12_000_000);
    finds("clock-brokers", Verdict.WARN, "at least 10.000 s ahead");
  }

  @Test
  void rowsThatComeNowAppendedLongAgoAreABrokerClockBehind() {
    patient.newestAppend = OptionalLong.of(Patient.NOW - 100_000_000);
    finds("clock-brokers", Verdict.BAD, "at least 100.000 s behind");
    patient.visibleLag = 50; // then they may have waited
    finds("clock-brokers", Verdict.OK);
    patient.visibleLag = 0;
    patient.came = new long[4]; // then nothing came
    finds("clock-brokers", Verdict.OK);
  }

  @Test
  void refusedReadingsTellOfSensorClocks() {
    patient.refused = Map.of("timestamp-too-far-ahead", 7L, "id-empty", 3L);
    finds("clock-sensors", Verdict.WARN, "refused as too far ahead since the ledger began: 7");
    patient.refused = Map.of("timestamp-too-old", 2L);
    finds("clock-sensors", Verdict.WARN, "older than the retention since the ledger began: 2");
    patient.refused = Map.of("id-empty", 3L);
    finds("clock-sensors", Verdict.OK);
  }

  @Test
  void newestTimestampAheadOrFarBehindIsASensorClock() {
    patient.eventMicros = Patient.NOW + 600_000_000L;
    finds("clock-sensors", Verdict.WARN, "600 s ahead of now");
    patient.eventMicros = Patient.NOW - 7_200_000_000L;
    finds("clock-sensors", Verdict.WARN, "7,200 s behind now, while rows come");
    patient.came = new long[4];
    finds("clock-sensors", Verdict.OK, "behind now");
  }

  @Test
  void recordsLostBeforeTheyWereReadAreBad() {
    patient.lost = Map.of("readings-3", 120L);
    finds("expired-offsets", Verdict.BAD, "120 records left their topic", "readings-3");
  }

  @Test
  void storeBehindTheBeginOfItsLogIsBad() {
    patient.beginOffset = 1_500;
    finds("expired-offsets", Verdict.BAD, "needs offset 1,000, its log begins at 1,500");
    patient.beginOffset = 1_000;
    finds("expired-offsets", Verdict.OK);
  }

  @Test
  void storeThatHasAppliedNothingYetMissesNothing() {
    patient.applied = OptionalLong.empty();
    patient.beginOffset = 1_500;
    finds("expired-offsets", Verdict.OK);
  }

  @Test
  void groupBehindTheBeginOfItsTopicIsBad() {
    patient.sourceBegin = 1_001;
    finds("expired-offsets", Verdict.BAD, "readings-0 from offset 1,000", "begins at 1,001");
  }

  @Test
  void forgottenGroupOffsetsAreAWarning() {
    patient.committed = OptionalLong.empty();
    finds("expired-offsets", Verdict.WARN, "forgotten where the group was in readings-0");
  }

  @Test
  void logThatKeepsLessThanTheStoresIsBad() {
    patient.rowsRetentionMillis = Duration.ofDays(7).toMillis();
    finds("rows-retention", Verdict.BAD, "stores keep everything", "keeps 7.0 days");
    patient.retention = java.util.Optional.of(Duration.ofDays(30));
    finds("rows-retention", Verdict.BAD, "30.0 days", "7.0 days");
    assertThat(patient.check("rows-retention").whatToDo()).contains("retention.ms=3196800000");
    patient.rowsRetentionMillis = Duration.ofDays(37).toMillis();
    finds("rows-retention", Verdict.OK, "37.0 days");
    patient.rowsRetentionBytes = 1_000_000;
    finds("rows-retention", Verdict.BAD, "1,000,000 bytes");
  }

  @Test
  void moreThreadsThanTopicPartitionsIsTooFew() {
    patient.members = OptionalLong.of(6);
    finds("topic-partitions", Verdict.WARN, "6 stream threads share 4");
  }

  @Test
  void sourceOfOnePartitionIsTooFewForTwoThreads() {
    patient.sourcePartitions = 1;
    patient.members = OptionalLong.of(2);
    finds("topic-partitions", Verdict.WARN);
    patient.members = OptionalLong.of(1);
    finds("topic-partitions", Verdict.OK);
  }

  @Test
  void rowsThatGrewIsBad() {
    patient.rowsPartitions = 8;
    finds("topic-partitions", Verdict.BAD, "has 8 topic partitions, the node was made for 4");
  }

  @Test
  void fileLimitsAreWatchedBeforeTheyAreReached() {
    patient.openFiles = OptionalLong.of(40_000);
    finds("open-files", Verdict.WARN, "40,000 of 65,536 files open (61 %)");
    patient.openFiles = OptionalLong.of(60_000);
    finds("open-files", Verdict.BAD);
    patient.openFiles = OptionalLong.of(300);
    patient.maxOpenFiles = 1_024;
    finds("open-files", Verdict.WARN, "300 of 1,024");
    patient.openFiles = OptionalLong.empty();
    finds("open-files", Verdict.WARN, "does not tell");
  }

  @Test
  void whatOnlyBrokersTellIsSaidToBeUnknownWithoutThem() {
    patient.brokersAnswer = false;
    finds("rows-retention", Verdict.WARN, "not looked at: no broker answers");
    finds("topic-partitions", Verdict.WARN, "not looked at");
    finds("clock-brokers", Verdict.WARN, "not looked at");
    finds("expired-offsets", Verdict.OK, "not looked at");
  }
}
