package io.varve.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.varve.schemas.ReadingEncoder;
import io.varve.server.config.NodeSettings;
import io.varve.server.config.SettingsReader;
import io.varve.server.node.Node;
import io.varve.server.node.NodeStartException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * One node from producer to answer, whatever broker it runs on. Subclasses say which. Each test
 * uses sensors of its own; the node is shared.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EndToEndSuite {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path folder;
  private Optional<Node> running = Optional.empty();

  EndToEndSuite(Path folder) {
    this.folder = folder;
  }

  /** An existing cluster with a topic {@code readings}; empty for the in-process broker. */
  abstract Optional<String> brokers();

  /** Topic that bad records go to. */
  abstract String deadLetters();

  @BeforeAll
  void startNode() throws Exception {
    start();
  }

  @AfterAll
  void stopNode() {
    running.ifPresent(Node::close);
  }

  @Test
  void readingsComeBackNewestFirst() throws Exception {
    ReadingEncoder encoder = new ReadingEncoder();
    for (int i = 0; i < 5; i++) {
      send("order/a", encoder.encode("order/a", micros(i), i + 0.25, 0));
    }
    JsonNode answer = awaitRows("order/a", 5);
    List<Double> values = new ArrayList<>();
    answer.path("rows").forEach(row -> values.add(row.path("value").asDouble()));
    assertThat(values).containsExactly(4.25, 3.25, 2.25, 1.25, 0.25);
    assertThat(answer.path("complete").asBoolean()).isTrue();
  }

  @Test
  void correctionReplacesTheRow() throws Exception {
    ReadingEncoder encoder = new ReadingEncoder();
    send("fix/a", encoder.encode("fix/a", micros(1), 1, 0));
    send("fix/a", encoder.encode("fix/a", micros(1), 2, 0));
    await()
        .atMost(PATIENCE)
        .until(() -> readings("fix/a").path("rows").path(0).path("value").asDouble() == 2);
    assertThat(readings("fix/a").path("rows")).hasSize(1);
  }

  @Test
  void badRecordsAreDeadLetteredAndTheirNeighboursStored() throws Exception { // C141
    ReadingEncoder encoder = new ReadingEncoder();
    long before = ledger("dead_lettered");
    send("bad/a", encoder.encode("bad/a", micros(1), 1, 0));
    send("bad/a", "garbage".getBytes(StandardCharsets.UTF_8));
    send("bad/a", new byte[0]);
    send("bad/a", encoder.encode("bad/a", micros(2), 2, 0));
    awaitRows("bad/a", 2);
    await().atMost(PATIENCE).until(() -> ledger("dead_lettered") == before + 2);
    List<ConsumerRecord<byte[], byte[]>> letters = deadLettersOf("bad/a", 2);
    assertThat(letters).hasSize(2);
    assertThat(new String(letters.get(0).value(), StandardCharsets.UTF_8)).isEqualTo("garbage");
    Header reason = letters.get(0).headers().lastHeader("varve.reason");
    assertThat(reason).isNotNull();
  }

  @Test
  void readingThatBreaksARuleIsRefusedByReason() throws Exception {
    long before = ledger("refused");
    send("future/a", new ReadingEncoder().encode("future/a", 4_102_444_800_000_000L, 1, 0));
    await().atMost(PATIENCE).until(() -> ledger("refused") == before + 1);
    JsonNode reasons = status().path("ledger").path("refused_by_reason");
    assertThat(reasons).isNotEmpty();
    long sum = 0;
    for (JsonNode count : reasons) {
      sum += count.asLong();
    }
    assertThat(sum).isEqualTo(ledger("refused"));
    assertThat(readings("future/a").path("known").asBoolean()).isFalse();
  }

  @Test
  void filePutByTheCommandLineComesBackByTheCommandLine() throws Exception {
    Path file = folder.resolve("cli sensor.csv");
    StringBuilder text = new StringBuilder("timestamp,value\n");
    StringBuilder expected = new StringBuilder("timestamp,value,sequence\n");
    for (int i = 0; i < 250; i++) {
      text.append(String.format("2024-06-01 00:%02d:%02d,%s%n", i / 60, i % 60, i + 0.5));
    }
    text.append("2024-06-01 00:04:09,-0.0\n"); // the time of the last one again
    expected.append("2024-06-01T00:04:09.000000Z,-0.0,1\n");
    for (int i = 249; i >= 0; i--) {
      expected.append(
          String.format("2024-06-01T00:%02d:%02d.000000Z,%s,%n", i / 60, i % 60, i + 0.5));
    }
    Files.writeString(file, text);
    Cli.Result put = Cli.run("put", "--sensor-from-name", "-b", bootstrap(), file.toString());
    assertThat(put.code()).as(put.err()).isZero();
    assertThat(put.err()).contains("acknowledged 251 rows of 1 files");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(cli("query", "cli sensor", "--limit", "1000", "-o", "csv").out())
                    .isEqualTo(expected.toString()));
    Cli.Result few = cli("query", "cli sensor", "--limit", "7", "-o", "json");
    assertThat(JSON.readTree(few.out())).hasSize(7);
    assertThat(few.err()).contains("more rows than --limit 7");
    assertThat(cli("sensors", "cli ", "-o", "csv").out())
        .contains("\ncli sensor,2024-06-01,2024-06-01,251,");
  }

  @Test
  void unknownSensorIsNotFound() {
    Cli.Result result = cli("query", "no such sensor");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.err()).contains("unknown sensor").contains("./varve sensors");
  }

  @Test
  void wrongTimeIsWrongUsageThatNamesTheParameter() {
    Cli.Result result = cli("query", "order/a", "--from", "yesterday");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("from").contains("for example");
  }

  @Test
  void statusBeginsWithTheLedgerAndHasUnitsInItsNames() throws Exception {
    String text = get("/v1/status");
    assertThat(text.replaceAll("\\s", "")).startsWith("{\"ledger\":{\"stored\":");
    JsonNode status = JSON.readTree(text);
    List<String> ledger = new ArrayList<>();
    status.path("ledger").fieldNames().forEachRemaining(ledger::add);
    assertThat(ledger)
        .startsWith(
            "stored", "overwritten", "duplicates", "refused", "dead_lettered", "refused_by_reason");
    assertThat(status.path("topic_partitions")).hasSize(4);
    for (JsonNode p : status.path("topic_partitions")) {
      assertThat(p.path("state").asText()).isEqualTo("serving");
      assertThat(p.path("lag_records").isNumber()).isTrue();
    }
    assertThat(status.path("disk").path("log_bytes").isNumber()).isTrue();
    assertThat(status.path("disk").path("topic_bytes").isObject()).isTrue();
    assertThat(status.path("disk").path("store_bytes").isNumber()).isTrue();
    assertThat(status.path("rebuild").path("estimated_seconds").isNumber()).isTrue();
    assertThat(status.path("state").asText()).isEqualTo("running");
    String table = cli("status", "-o", "table").out();
    assertThat(table).contains("ledger.stored").containsPattern("(?m)^topic_partition  state ");
    assertThat(table.lines().filter(line -> line.contains("  serving  "))).hasSize(4);
  }

  @Test
  void compactionIsAskedOfEveryStore() throws Exception {
    ReadingEncoder encoder = new ReadingEncoder();
    send("compact/a", encoder.encode("compact/a", micros(1), 1, 0));
    awaitRows("compact/a", 1);
    JsonNode before = readings("compact/a").path("rows");
    Cli.Result result = cli("store", "compact", "-o", "csv");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out()).matches("name,value\ncompacted_days,[1-9]\\d*\n");
    post("/v1/store/compact?wait=false");
    await()
        .atMost(PATIENCE)
        .until(() -> !status().path("compaction").path("running").asBoolean(true));
    JsonNode compaction = status().path("compaction");
    assertThat(compaction.has("failure")).isFalse();
    assertThat(compaction.path("days_done")).isEqualTo(compaction.path("days"));
    assertThat(readings("compact/a").path("rows")).isEqualTo(before);
  }

  @Test
  void metricsCarryNoSensorIds() throws Exception { // C213
    ReadingEncoder encoder = new ReadingEncoder();
    for (int i = 0; i < 50; i++) {
      send("metric/" + i, encoder.encode("metric/" + i, micros(1), 1, 0));
    }
    awaitRows("metric/49", 1);
    assertThat(get("/metrics"))
        .contains("varve_rows_stored ", "varve_ready 1", "jvm_memory_used_bytes")
        .doesNotContain("metric/");
  }

  @Test
  void pausedIngestStaysReadyAndCatchesUp() throws Exception { // C217
    post("/v1/ingest/pause");
    try {
      await().atMost(PATIENCE).until(() -> status().path("paused").asBoolean());
      ReadingEncoder encoder = new ReadingEncoder();
      for (int i = 0; i < 20; i++) {
        send("pause/a", encoder.encode("pause/a", micros(i), i, 0));
      }
      await().atMost(PATIENCE).until(() -> status().path("visible_lag_records").asLong() >= 20);
      assertThat(getStatus("/ready")).isEqualTo(200);
    } finally {
      post("/v1/ingest/resume");
    }
    awaitRows("pause/a", 20);
  }

  @Test
  void restartKeepsEveryRow() throws Exception {
    ReadingEncoder encoder = new ReadingEncoder();
    for (int i = 0; i < 40; i++) {
      send("keep/a", encoder.encode("keep/a", micros(i * 3600), i, 0));
    }
    JsonNode before = awaitRows("keep/a", 40);
    long stored = ledger("stored");
    running.orElseThrow().close();
    start();
    assertThat(readings("keep/a").path("rows")).isEqualTo(before.path("rows"));
    assertThat(ledger("stored")).isGreaterThanOrEqualTo(stored);
  }

  @Test
  void secondNodeOnTheFolderIsRefusedByName() {
    assertThatThrownBy(() -> Node.start(settings(), what -> {}))
        .isInstanceOf(NodeStartException.class)
        .hasMessageContaining("is in use by pid " + ProcessHandle.current().pid());
  }

  private void start() throws Exception {
    Node node = Node.start(settings(), what -> {});
    running = Optional.of(node);
    await().atMost(PATIENCE).until(() -> node.notReady().isEmpty());
  }

  private NodeSettings settings() throws Exception {
    Map<String, String> flags = new HashMap<>();
    flags.put("data", folder.resolve("data").toString());
    flags.put("http-port", "0");
    flags.put("broker-port", "0");
    flags.put("partitions", "4");
    brokers().ifPresent(b -> flags.put("brokers", b));
    return SettingsReader.read(flags, Map.of(), Map.of(), Optional.empty(), warning -> {});
  }

  private String bootstrap() {
    return running.orElseThrow().bootstrapServers();
  }

  private String url() {
    return "http://127.0.0.1:" + running.orElseThrow().httpPort();
  }

  private Cli.Result cli(String... args) {
    List<String> line = new ArrayList<>(List.of(args));
    line.add("--url");
    line.add(url());
    return Cli.run(line.toArray(String[]::new));
  }

  private static long micros(int second) {
    return 1_717_200_000_000_000L + second * 1_000_000L;
  }

  private void send(String key, byte[] value) throws Exception {
    Map<String, Object> config =
        Map.of(
            "bootstrap.servers",
            bootstrap(),
            "acks",
            "all",
            "max.in.flight.requests.per.connection",
            "1");
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer
          .send(new ProducerRecord<>("readings", key.getBytes(StandardCharsets.UTF_8), value))
          .get();
    }
  }

  private List<ConsumerRecord<byte[], byte[]>> deadLettersOf(String key, int count) {
    Map<String, Object> config = Map.of("bootstrap.servers", bootstrap());
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> all =
          consumer.partitionsFor(deadLetters()).stream()
              .map(p -> new TopicPartition(p.topic(), p.partition()))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (found.size() < count && System.nanoTime() < deadline) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(200))) {
          if (key.equals(new String(record.key(), StandardCharsets.UTF_8))) {
            found.add(record);
          }
        }
      }
    }
    return found;
  }

  private JsonNode awaitRows(String sensor, int rows) {
    await().atMost(PATIENCE).until(() -> readings(sensor).path("rows").size() >= rows);
    return readings(sensor);
  }

  private JsonNode readings(String sensor) {
    return JSON.valueToTree(
        json("/v1/readings?sensor_id=" + URLEncoder.encode(sensor, StandardCharsets.UTF_8)));
  }

  private JsonNode status() {
    return json("/v1/status");
  }

  private long ledger(String member) {
    return status().path("ledger").path(member).asLong();
  }

  private JsonNode json(String path) {
    try {
      return JSON.readTree(get(path));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String get(String path) throws IOException {
    return send(HttpRequest.newBuilder(URI.create(url() + path))).body();
  }

  private int getStatus(String path) throws IOException {
    return send(HttpRequest.newBuilder(URI.create(url() + path))).statusCode();
  }

  private void post(String path) throws IOException {
    HttpResponse<String> response =
        send(
            HttpRequest.newBuilder(URI.create(url() + path))
                .POST(HttpRequest.BodyPublishers.noBody()));
    assertThat(response.statusCode() / 100).as(path).isEqualTo(2);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
