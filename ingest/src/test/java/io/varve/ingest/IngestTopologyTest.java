package io.varve.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.ledger.SourceCounts;
import io.varve.ingest.pack.PackingClients;
import io.varve.ingest.pack.RowPacks;
import io.varve.ingest.sharder.Sharding;
import io.varve.ingest.shards.LivePlans;
import io.varve.ingest.shards.PlanLead;
import io.varve.ingest.store.LogBounds;
import io.varve.ingest.store.RowsStores;
import io.varve.ingest.topics.SourceTopic;
import io.varve.ingest.traffic.Traffic;
import io.varve.schemas.ReadingEncoder;
import io.varve.schemas.Topics;
import io.varve.schemas.WriterSchemas;
import io.varve.storage.StoreState;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.rows.RowPack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IngestTopologyTest {
  private static final Instant NOW = Instant.parse("2024-06-15T12:00:00Z");
  private static final long JUNE = Readings.JUNE;

  private final ReadingEncoder encoder = new ReadingEncoder();
  private final Ledger ledger = new Ledger();
  private final AtomicLong nanos = new AtomicLong(1);
  private final LivePlans plans = new LivePlans(PlanLead.USUAL, nanos::get);
  private final RowsStores stores;
  private final TopologyTestDriver driver;
  private final TestInputTopic<byte[], byte[]> readings;
  private final TestInputTopic<byte[], byte[]> rows;
  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
  private final RowPacks packs = new RowPacks(producer, "rows", 1, PackingClients.MAX_RECORD_BYTES);
  private final TestOutputTopic<byte[], byte[]> deadLetters;
  private int applied;

  IngestTopologyTest(@TempDir Path folder) {
    IngestSettings settings =
        new IngestSettings(
            "unused:9092",
            "varve",
            List.of("readings"),
            1,
            folder,
            1,
            Optional.of(Duration.ofDays(30)),
            StoreLimits.USUAL,
            Duration.ofHours(1),
            Sharding.DEFAULT,
            Duration.ofHours(1),
            false,
            Optional.empty(),
            Optional.empty(),
            "node",
            true,
            Duration.ofDays(7),
            Map.of());
    InstantSource clock = InstantSource.fixed(NOW);
    stores =
        new RowsStores(
            StoreSettings.defaults(1),
            OptionalLong.empty(),
            partition -> new LogBounds.Span(0, 0),
            new Traffic(5_000, plans, clock),
            clock);
    plans.confirm(nanos.get());
    Properties properties = StreamsSettings.streams(settings, 2 << 20);
    driver =
        new TopologyTestDriver(
            IngestTopology.build(
                settings,
                Topics.OWN_BROKER,
                List.of(new SourceTopic("readings", "topic-id", 1, 1 << 20)),
                WriterSchemas.released(),
                stores,
                plans,
                ledger,
                () -> packs,
                clock),
            properties,
            NOW);
    readings =
        driver.createInputTopic("readings", new ByteArraySerializer(), new ByteArraySerializer());
    rows = driver.createInputTopic("rows", new ByteArraySerializer(), new ByteArraySerializer());
    deadLetters =
        driver.createOutputTopic(
            "readings.dlq", new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @AfterEach
  void close() {
    driver.close();
  }

  private void pipe(byte @Nullable [] value) {
    send(new TestRecord<>(null, value));
  }

  private void send(TestRecord<byte[], byte[]> record) {
    readings.pipeInput(record);
    driver.advanceWallClockTime(Duration.ofMillis(25));
    int from = applied;
    applied = producer.history().size();
    for (ProducerRecord<byte[], byte[]> sent : producer.history().subList(from, applied)) {
      rows.pipeInput(new TestRecord<>(sent.key(), sent.value()));
    }
  }

  private SourceCounts counts() {
    return ledger.counts().get(0);
  }

  private long stored() {
    return stores.readers().get(0).totals().stored();
  }

  private static String header(TestRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "absent" : new String(header.value(), StandardCharsets.UTF_8);
  }

  @Test
  void aReadingIsStoredOnceAppliedAndItsKeyTellsTheTopicPartition() {
    pipe(encoder.encode("a", JUNE, 21.5, 7));

    ProducerRecord<byte[], byte[]> row = producer.history().get(0);
    assertThat(new String(row.key(), StandardCharsets.US_ASCII)).isEqualTo("0");
    List<String> seen = new ArrayList<>();
    RowPack.read(
        row.value(),
        (bytes, at, length, shard, timestamp, sequence, bits) ->
            seen.add(
                new String(bytes, at, length, StandardCharsets.UTF_8)
                    + " "
                    + timestamp
                    + " "
                    + sequence
                    + " "
                    + Double.longBitsToDouble(bits)));
    assertThat(seen).containsExactly("a " + JUNE + " 7 21.5");
    assertThat(stores.readers().get(0).state()).isEqualTo(StoreState.SERVING);
    assertThat(stored()).isEqualTo(1);
    assertThat(deadLetters.isEmpty()).isTrue();
  }

  @Test
  void keysOfSourceRecordsDoNotMatter() { // C155, C161
    byte[] reading = encoder.encode("a", JUNE, 1, 0);
    send(new TestRecord<>(null, reading));
    send(new TestRecord<>(new byte[0], reading));
    send(new TestRecord<>(new byte[] {'b'}, reading));
    assertThat(stored()).isEqualTo(1);
    assertThat(counts().routed()).isEqualTo(3);
  }

  @Test
  void recordTimestampsOfAnyClockDoNoHarm() {
    for (Instant of : List.of(Instant.EPOCH, NOW.plus(Duration.ofDays(2)))) {
      send(new TestRecord<>(null, encoder.encode("a", JUNE, 1, 0), new RecordHeaders(), of));
    }
    assertThat(counts().routed()).isEqualTo(2);
    assertThat(deadLetters.isEmpty()).isTrue();
  }

  @Test
  void aBatchBecomesOneRecordForItsTopicPartition() {
    for (int i = 0; i < 100; i++) {
      encoder.add("sensor-" + i, JUNE + i, i, 0);
    }
    pipe(encoder.takeBatch());
    assertThat(producer.history()).hasSize(1);
    assertThat(stored()).isEqualTo(100);
  }

  @Test
  void aHugeBatchIsSplitIntoRecordsThatFit() { // C159
    for (int i = 0; i < 20_000; i++) {
      encoder.add("sensor-" + i, JUNE + i, i, 0);
    }
    pipe(encoder.takeBatch());
    assertThat(producer.history()).hasSizeGreaterThan(1);
    assertThat(producer.history())
        .allMatch(record -> record.value().length <= PackingClients.MAX_RECORD_BYTES);
    assertThat(stored()).isEqualTo(20_000);
    assertThat(counts().routed()).isEqualTo(20_000);
  }

  @Test
  void refusedMembersDoNotTakeTheirNeighboursWithThem() {
    encoder.add("a", JUNE, 1, 0);
    encoder.add("", JUNE, 2, 0);
    encoder.add("b", JUNE, 3, 0);
    encoder.add("c", JUNE + Duration.ofDays(60).toNanos() / 1000, 4, 0);
    byte[] batch = encoder.takeBatch();
    byte[] key = {'g', 'w'};
    send(
        new TestRecord<>(
            key, batch, new RecordHeaders().add("traceparent", new byte[] {1, 2}), NOW));

    assertThat(stored()).isEqualTo(2);
    TestRecord<byte[], byte[]> letter = deadLetters.readRecord();
    assertThat(deadLetters.isEmpty()).isTrue();
    assertThat(letter.key()).isEqualTo(key);
    assertThat(letter.value()).isEqualTo(batch);
    assertThat(letter.headers().lastHeader("traceparent").value()).containsExactly(1, 2);
    assertThat(header(letter, "varve.reason")).isEqualTo("id-empty,timestamp-too-far-ahead");
    assertThat(header(letter, "varve.members")).isEqualTo("1,3");
    assertThat(header(letter, "varve.hint")).contains("--max-future");
    assertThat(header(letter, "__streams.errors.topic")).isEqualTo("readings");
    assertThat(header(letter, "__streams.errors.partition")).isEqualTo("0");
    assertThat(header(letter, "__streams.errors.offset")).isEqualTo("0");
    assertThat(header(letter, "__streams.errors.exception")).isNotEqualTo("absent");
    assertThat(header(letter, "__streams.errors.message")).contains("sensor_id is empty");
    assertThat(header(letter, "__streams.errors.stacktrace")).isNotEqualTo("absent");
    assertThat(counts().toText())
        .isEqualTo("topic-id=topic-id through=0 routed=2 id-empty=1 timestamp-too-far-ahead=1");
  }

  @Test
  void membersBeforeATruncationAreStored() {
    for (int i = 0; i < 10; i++) {
      encoder.add("sensor-" + i, JUNE + i, i, 0);
    }
    byte[] batch = encoder.takeBatch();
    pipe(Arrays.copyOf(batch, batch.length - 40));

    TestRecord<byte[], byte[]> letter = deadLetters.readRecord();
    assertThat(header(letter, "varve.reason")).isEqualTo("truncated");
    assertThat(header(letter, "varve.members")).isEqualTo(stored() + "-");
    assertThat(stored()).isBetween(5L, 9L);
    assertThat(counts().deadLettered()).isEqualTo(1);
    assertThat(counts().routed()).isEqualTo(stored());
  }

  @Test
  void poisonIsSetAsideAndTheStreamGoesOn() { // C141, C155
    List<byte[]> poison =
        List.of(
            new byte[0],
            new byte[] {0},
            new byte[] {0, 0, 0, 0, 1, 2, 3},
            new byte[] {1, 0, 0, 0, 1},
            new byte[1 << 20],
            "Obj\1 something".getBytes(StandardCharsets.ISO_8859_1),
            "{\"sensor_id\": \"a\"".getBytes(StandardCharsets.UTF_8),
            "hello".getBytes(StandardCharsets.UTF_8),
            new byte[] {(byte) 0xc3, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0});
    for (byte[] record : poison) {
      pipe(record);
      pipe(encoder.encode("a", JUNE + counts().routed(), 1, 0));
    }
    pipe(null);

    assertThat(stored()).isEqualTo(poison.size());
    List<TestRecord<byte[], byte[]>> letters = deadLetters.readRecordsToList();
    assertThat(letters).hasSize(poison.size() + 1);
    for (int i = 0; i < poison.size(); i++) {
      assertThat(letters.get(i).value()).isEqualTo(poison.get(i));
      assertThat(header(letters.get(i), "varve.reason")).isNotEqualTo("absent");
      assertThat(header(letters.get(i), "varve.hint")).isNotEqualTo("absent");
      assertThat(header(letters.get(i), "varve.members")).isEqualTo("absent");
    }
    assertThat(letters.get(poison.size()).value()).isNull();
    assertThat(header(letters.get(poison.size()), "varve.reason")).isEqualTo("tombstone");
    assertThat(counts().deadLettered()).isEqualTo(poison.size() + 1);
  }

  @Test
  void aRecordTooLargeForTheDeadLettersLosesOnlyTheEndOfItsValue() {
    pipe(new byte[4 << 20]);
    TestRecord<byte[], byte[]> letter = deadLetters.readRecord();
    assertThat(letter.value().length).isEqualTo(64 << 10);
    assertThat(header(letter, "varve.cut")).isEqualTo("value-bytes=" + (4 << 20));
  }

  @Test
  void readingsOlderThanTheRetentionAreRefused() { // C043
    pipe(encoder.encode("a", JUNE - Duration.ofDays(40).toNanos() / 1000, 1, 0));
    assertThat(stored()).isZero();
    assertThat(header(deadLetters.readRecord(), "varve.reason")).isEqualTo("timestamp-too-old");
  }

  @Test
  void aRowsRecordWithoutAValueOrWithGarbageIsCountedAndPassed() {
    rows.pipeInput(new TestRecord<>(new byte[] {'0'}, null));
    rows.pipeInput(new TestRecord<>(new byte[] {'0'}, new byte[] {77, 1, 2}));
    pipe(encoder.encode("a", JUNE, 1, 0));
    assertThat(stored()).isEqualTo(1);
    assertThat(stores.readers().get(0).totals().undecodable()).isEqualTo(2);
  }

  @Test
  void theLedgerIsWrittenAsTextWhenTheProducerIsFlushed() {
    KeyValueStore<String, String> store = driver.getKeyValueStore("ledger-readings");
    pipe(encoder.encode("a", JUNE, 1, 0));
    assertThat(store.get("readings/0")).isNull();
    ledger.write();
    assertThat(store.get("readings/0")).isEqualTo("topic-id=topic-id through=0 routed=1");
  }

  @Test
  void recordIsNotRoutedByPlansThatMayBeOld() {
    nanos.addAndGet(PlanLead.USUAL.lead().toNanos());
    plans.stop(); // or it would wait first
    assertThatThrownBy(() -> pipe(encoder.encode("plant-3/temp", JUNE, 1, 0)))
        .isInstanceOf(TaskCorruptedException.class);
    assertThat(producer.history()).isEmpty();
    assertThat(counts().through()).isEqualTo(-1);
  }

  @Test
  void recordIsRoutedOncePlansAreConfirmedAgain() {
    nanos.addAndGet(PlanLead.USUAL.lead().toNanos());
    Thread follower = new Thread(() -> plans.confirm(nanos.get()));
    follower.start();
    pipe(encoder.encode("plant-3/temp", JUNE, 1, 0));
    assertThat(stored()).isEqualTo(1);
  }
}
