package io.varve.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.varve.storage.InMemoryPartition;
import io.varve.storage.PartitionReader;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * A query server above in-memory partitions, with a client and a clock that stands at 2024-06-03
 * 12:00 UTC. Closing it checks that no cursor was left open.
 */
public final class TestNode implements AutoCloseable, Stores, NodeControl {
  public static final long NOW_MICROS = micros("2024-06-03T12:00:00Z");
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final int TOPIC_PARTITIONS = 4;

  private final List<InMemoryPartition> partitions = new ArrayList<>();
  private final Map<Integer, String> owners = new LinkedHashMap<>();
  private final ShardCounts shards;
  private final Placement placement;
  private final QueryServer server;
  private final PlainClient client;
  private long offset;
  private Optional<String> notReady = Optional.empty();
  private boolean live = true;
  private boolean paused;
  private volatile Runnable beforeRead = () -> {};
  private volatile Future<Integer> compaction = CompletableFuture.completedFuture(0);
  private final AtomicInteger compactionsAsked = new AtomicInteger();

  public TestNode() {
    this(UnaryOperator.identity(), ShardCounts.ONE);
  }

  public TestNode(UnaryOperator<HttpSettings> settings, ShardCounts shards) {
    for (int i = 0; i < TOPIC_PARTITIONS; i++) {
      partitions.add(new InMemoryPartition(i));
    }
    this.shards = shards;
    placement = new Placement(TOPIC_PARTITIONS, shards);
    try {
      server =
          QueryServer.start(
              settings.apply(HttpSettings.of("127.0.0.1", 0)), this, this, () -> NOW_MICROS);
      client = new PlainClient(server.port());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Stores the rows that the examples of the API's description and manual speak of. */
  public TestNode putExamples() {
    compaction(CompletableFuture.completedFuture(2));
    put("plant-3/temp", micros("2024-06-01T08:00:00Z"), 0, 20.25);
    put("plant-3/temp", micros("2024-06-02T08:00:00Z"), 0, 21);
    put("plant-3/temp", micros("2024-06-02T08:05:00Z"), 0, 21.5);
    put("plant-3/temp", micros("2024-06-02T08:05:00Z"), 7, 21.625);
    put("plant-3/temp", micros("2024-06-02T08:10:00Z"), 0, Double.NaN);
    put("plant-3/humidity", micros("2024-06-02T08:10:00Z"), 0, 0.43);
    return this;
  }

  /** Microseconds since 1970 of an instant in RFC 3339. */
  public static long micros(String instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(instant));
  }

  /** Stores a row. */
  public TestNode put(String sensor, String instant, double value) {
    return put(sensor, micros(instant), 0, value);
  }

  /** Stores a row. */
  public TestNode put(String sensor, long timestampMicros, long sequence, double value) {
    SensorId id = SensorId.of(sensor);
    placement.place(id.toBytes(), 0, id.length(), timestampMicros, sequence);
    partitions
        .get(placement.topicPartition())
        .put(id, placement.shard(), new Row(timestampMicros, sequence, value), offset++);
    return this;
  }

  public int port() {
    return server.port();
  }

  public PlainClient client() {
    return client;
  }

  public PlainClient.Reply get(String address, String... headers) {
    try {
      return client.get(address, headers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public PlainClient.Reply post(String address, String body, String... headers) {
    try {
      return client.post(address, body, headers);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gets JSON; fails unless the answer is a 200. */
  public JsonNode json(String address, String... headers) {
    return json(get(address, headers));
  }

  /** Reads an answer as JSON; fails unless it is a 200. */
  public static JsonNode json(PlainClient.Reply reply) {
    if (reply.status() != 200) {
      throw new AssertionError(reply.status() + " " + reply.text());
    }
    return tree(reply);
  }

  /** Reads an answer's JSON, whatever its status. */
  public static JsonNode tree(PlainClient.Reply reply) {
    try {
      return MAPPER.readTree(reply.body());
    } catch (IOException e) {
      throw new UncheckedIOException(reply.text(), e);
    }
  }

  public InMemoryPartition partition(int topicPartition) {
    return partitions.get(topicPartition);
  }

  /** Runs something on the query's thread each time that a query looks up the stores. */
  public void beforeRead(Runnable action) {
    beforeRead = action;
  }

  /** Takes a topic partition off this node. */
  public void move(int topicPartition, String owner) {
    partitions.removeIf(partition -> partition.topicPartition() == topicPartition);
    owners.put(topicPartition, owner);
  }

  public void notReady(String why) {
    notReady = Optional.of(why);
  }

  public void fail() {
    live = false;
  }

  public boolean paused() {
    return paused;
  }

  /** Sets what compactions asked for from now on come to. */
  public TestNode compaction(Future<Integer> end) {
    compaction = end;
    return this;
  }

  /** How often a compaction was asked for. */
  public int compactionsAsked() {
    return compactionsAsked.get();
  }

  public QueryServer server() {
    return server;
  }

  @Override
  public int topicPartitions() {
    return TOPIC_PARTITIONS;
  }

  @Override
  public List<PartitionReader> local() {
    beforeRead.run();
    return List.copyOf(partitions);
  }

  @Override
  public ShardCounts shardCounts() {
    return shards;
  }

  @Override
  public Map<Integer, String> remoteOwners() {
    return owners;
  }

  @Override
  public boolean live() {
    return live;
  }

  @Override
  public Optional<String> notReady() {
    return notReady;
  }

  @Override
  public Map<String, Object> storeStats(boolean segments) {
    Map<String, Object> stats = new LinkedHashMap<>();
    stats.put("topic_partitions", partitions.size());
    stats.put("by_day", List.of());
    if (segments) {
      stats.put("segments", List.of());
    }
    return stats;
  }

  @Override
  public Map<String, Object> status() {
    Map<String, Object> ledger = new LinkedHashMap<>();
    ledger.put("stored", offset);
    ledger.put("overwritten", 0);
    ledger.put("duplicates", 0);
    ledger.put("refused", 0);
    ledger.put("dead_lettered", 0);
    ledger.put("refused_by_reason", Map.of());
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("ledger", ledger);
    status.put("state", "running");
    return status;
  }

  @Override
  public Map<String, Object> top(int seconds, int limit, boolean writes, boolean reads) {
    return ExampleShards.top(seconds, writes);
  }

  @Override
  public ShardControl shards() {
    return new ExampleShards();
  }

  @Override
  public String metrics() {
    return "# TYPE varve_up gauge\nvarve_up 1\n";
  }

  @Override
  public boolean pauseIngest() {
    if (notReady.isPresent()) {
      return false;
    }
    paused = true;
    return true;
  }

  @Override
  public boolean resumeIngest() {
    if (notReady.isPresent()) {
      return false;
    }
    paused = false;
    return true;
  }

  @Override
  public Future<Integer> compactStores() {
    compactionsAsked.incrementAndGet();
    return compaction;
  }

  @Override
  public void close() {
    try {
      client.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      server.close();
    }
    partitions.forEach(InMemoryPartition::assertNoOpenCursors);
  }
}
