package io.varve.query;

import com.sun.net.httpserver.HttpServer;
import io.varve.storage.PartitionReader;
import io.varve.storage.SensorId;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * What answers cost over HTTP: one client on a plain kept-alive socket, one request at a time,
 * above real stores; beside an empty answer of the JDK's own server and of this one.
 *
 * <p>Run with the module's test class path: {@code HttpBenchmark [sensors] [rows a sensor] [seconds
 * a figure] [only figures whose names hold this text]}. Prints microseconds. Readings are 10 s
 * apart and midnight lies in their middle. Three further sensors have {@value #HOT} times as many,
 * over as many shards as their names say.
 */
public final class HttpBenchmark {
  private static final int TOPIC_PARTITIONS = 8;
  private static final long START_MICROS = TestNode.micros("2024-06-01T20:00:00Z");
  private static final long INTERVAL_MICROS = 10_000_000;
  private static final int HOT = 100;
  private static final String HOT_NAME = "hot-over-";

  private static final ShardCounts SHARDS_BY_NAME =
      new ShardCounts() {
        @Override
        public int at(byte[] id, int idOffset, int idLength, long timestampMicros) {
          String name = new String(id, idOffset, idLength, StandardCharsets.UTF_8);
          return planned(id, idOffset, idLength)
              ? Integer.parseInt(name.substring(HOT_NAME.length()))
              : 1;
        }

        @Override
        public boolean planned(byte[] id, int idOffset, int idLength) {
          return id[idOffset] == 'h';
        }
      };

  private final Random random = new Random(7);
  private final List<PartitionStore> stores = new ArrayList<>();
  private final int sensors;
  private final int rows;
  private final long nanosPerFigure;
  private final String only;

  private HttpBenchmark(int sensors, int rows, int seconds, String only) {
    this.sensors = sensors;
    this.rows = rows;
    this.nanosPerFigure = seconds * 1_000_000_000L;
    this.only = only;
  }

  public static void main(String[] args) throws Exception {
    int sensors = args.length > 0 ? Integer.parseInt(args[0]) : 10_000;
    int rows = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
    int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
    String only = args.length > 3 ? args[3] : "";
    Path folder = Files.createTempDirectory("varve-http-benchmark");
    try {
      new HttpBenchmark(sensors, rows, seconds, only).run(folder);
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }

  private void run(Path folder) throws Exception {
    fill(folder);
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer jdk = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    byte[] constant = new byte[3_000];
    jdk.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, constant.length);
          exchange.getResponseBody().write(constant);
          exchange.close();
        });
    jdk.start();
    try (PlainClient client = new PlainClient(jdk.getAddress().getPort())) {
      figure("JDK server, constant 3 000 bytes", () -> client.get("/"));
    } finally {
      jdk.stop(0);
    }
    HttpSettings settings = HttpSettings.of("127.0.0.1", 0);
    Idle node = new Idle();
    try (QueryServer server =
            QueryServer.start(settings, new Held(stores), node, () -> START_MICROS);
        PlainClient client = new PlainClient(server.port())) {
      figures(client);
    }
    stores.forEach(PartitionStore::close);
  }

  private void figures(PlainClient client) throws Exception {
    long endMicros = START_MICROS + rows * INTERVAL_MICROS;
    figure("GET /live (empty)", () -> client.get("/live"));
    figure("latest 1", () -> client.get(readings() + "&limit=1&ts=epoch_us"));
    figure("latest 100", () -> client.get(readings() + LATEST_100));
    for (int i = 0; i < 9; i++) { // turn about, since a machine's other work comes and goes
      int shards = new int[] {1, 8, 16}[i % 3];
      String hot = "/v1/readings?sensor_id=" + HOT_NAME + shards;
      figure("latest 100 over " + shards + " shards", () -> client.get(hot + LATEST_100));
    }
    figure("latest 100, RFC 3339", () -> client.get(readings() + "&limit=100"));
    figure(
        "one hour (360 rows)",
        () -> {
          long from = START_MICROS + random.nextInt(Math.max(1, rows - 360)) * INTERVAL_MICROS;
          String range = "&from=" + from + "&to=" + (from + 3_600_000_000L);
          return client.get(readings() + range + "&limit=10000&ts=epoch_us");
        });
    figure(
        "24 h in 5-minute averages",
        () -> {
          String range = "&from=" + (endMicros - 86_400_000_000L) + "&to=" + endMicros;
          return client.get(readings() + range + "&step=300s&agg=avg&limit=10000&ts=epoch_us");
        });
    String[] thousands = Stream.generate(this::ids).limit(64).toArray(String[]::new);
    figure(
        "last value of 1 000 sensors",
        () -> client.post(latest(), thousands[random.nextInt(thousands.length)], JSON));
    figure("latest 100, gzip", () -> client.get(readings() + "&limit=100", GZIP));
    figure("GET /live (empty), again", () -> client.get("/live"));
  }

  private static final String LATEST_100 = "&limit=100&ts=epoch_us";
  private static final String JSON = "Content-Type: application/json";
  private static final String GZIP = "Accept-Encoding: gzip";

  private static String latest() {
    return "/v1/latest?ts=epoch_us";
  }

  private String readings() {
    return "/v1/readings?sensor_id=" + name(random.nextInt(sensors));
  }

  private String ids() {
    StringBuilder ids = new StringBuilder("{\"sensor_ids\":[");
    for (int i = 0; i < 1_000; i++) {
      ids.append(i == 0 ? "\"" : ",\"").append(name(random.nextInt(sensors))).append('"');
    }
    return ids.append("]}").toString();
  }

  private static String name(int sensor) {
    return "sensor-" + sensor;
  }

  private void fill(Path folder) throws IOException {
    RowPack.Writer[] packs = new RowPack.Writer[TOPIC_PARTITIONS];
    for (int i = 0; i < TOPIC_PARTITIONS; i++) {
      packs[i] = new RowPack.Writer();
      PartitionStore store =
          PartitionStore.open(folder.resolve("p" + i), i, StoreSettings.defaults(TOPIC_PARTITIONS));
      store.restoreFinished();
      stores.add(store);
    }
    Placement placement = new Placement(TOPIC_PARTITIONS, SHARDS_BY_NAME);
    byte[][] names = new byte[sensors][];
    for (int s = 0; s < sensors; s++) {
      names[s] = SensorId.of(name(s)).toBytes();
    }
    long offset = 0;
    for (int r = 0; r < rows; r++) {
      long start = START_MICROS + r * INTERVAL_MICROS;
      for (int s = 0; s < sensors; s++) {
        add(packs, placement, names[s], start + random.nextInt(2_000) * 1_000L);
      }
      for (int h = 0; h < HOT; h++) {
        for (int shards : new int[] {1, 8, 16}) {
          byte[] hot = (HOT_NAME + shards).getBytes(StandardCharsets.UTF_8);
          add(packs, placement, hot, start + h * INTERVAL_MICROS / HOT);
        }
      }
      for (int i = 0; i < TOPIC_PARTITIONS; i++) {
        stores.get(i).apply(offset, packs[i].toBytes());
        packs[i].clear();
      }
      offset++;
    }
  }

  private void add(RowPack.Writer[] packs, Placement placement, byte[] id, long at) {
    double value = Math.rint(random.nextGaussian() * 1_000) / 100;
    placement.place(id, 0, id.length, at, 0);
    packs[placement.topicPartition()].add(
        id, 0, id.length, placement.shard(), at, 0, Double.doubleToRawLongBits(value));
  }

  private void figure(String name, Callable<PlainClient.Reply> request) throws Exception {
    if (!name.contains(only)) {
      return;
    }
    PlainClient.Reply last = timed(request, nanosPerFigure / 2, new long[2_000_000]).reply();
    Samples samples = timed(request, nanosPerFigure, new long[2_000_000]);
    long[] nanos = samples.sorted();
    System.out.printf(
        Locale.ROOT,
        "%-32s p10 %7.1f  p50 %7.1f  p90 %7.1f  p99 %7.1f  p99.9 %8.1f  n %7d  bytes %d%n",
        name,
        nanos[nanos.length / 10] / 1e3,
        nanos[nanos.length / 2] / 1e3,
        nanos[(int) (nanos.length * 0.9)] / 1e3,
        nanos[(int) (nanos.length * 0.99)] / 1e3,
        nanos[(int) (nanos.length * 0.999)] / 1e3,
        nanos.length,
        last.body().length);
  }

  /** Times of one figure, and the last reply. */
  private record Samples(long[] nanos, int count, PlainClient.Reply reply) {
    long[] sorted() {
      long[] sorted = Arrays.copyOf(nanos, count);
      Arrays.sort(sorted);
      return sorted;
    }
  }

  private static Samples timed(Callable<PlainClient.Reply> request, long forNanos, long[] nanos)
      throws Exception {
    long end = System.nanoTime() + forNanos;
    int count = 0;
    PlainClient.Reply reply;
    do {
      long start = System.nanoTime();
      reply = request.call();
      nanos[count++] = System.nanoTime() - start;
      if (reply.status() != 200) {
        throw new IllegalStateException(reply.status() + " " + reply.text());
      }
    } while (System.nanoTime() < end && count < nanos.length);
    return new Samples(nanos, count, reply);
  }

  /** Stores that are all here. */
  private record Held(List<PartitionStore> stores) implements Stores {
    @Override
    public int topicPartitions() {
      return TOPIC_PARTITIONS;
    }

    @Override
    public List<PartitionReader> local() {
      return List.copyOf(stores);
    }

    @Override
    public ShardCounts shardCounts() {
      return SHARDS_BY_NAME;
    }

    @Override
    public Map<Integer, String> remoteOwners() {
      return Map.of();
    }
  }

  /** A node with nothing to tell. */
  private static final class Idle implements NodeControl {
    @Override
    public boolean live() {
      return true;
    }

    @Override
    public Optional<String> notReady() {
      return Optional.empty();
    }

    @Override
    public Map<String, Object> storeStats(boolean segments) {
      return Map.of();
    }

    @Override
    public Map<String, Object> status() {
      return Map.of();
    }

    @Override
    public Map<String, Object> top(int seconds, int limit, boolean writes, boolean reads) {
      return Map.of();
    }

    @Override
    public ShardControl shards() {
      return new ExampleShards();
    }

    @Override
    public String metrics() {
      return "";
    }

    @Override
    public boolean pauseIngest() {
      throw new UncheckedIOException(new IOException("nothing to pause"));
    }

    @Override
    public boolean resumeIngest() {
      throw new UncheckedIOException(new IOException("nothing to resume"));
    }

    @Override
    public Future<Integer> compactStores() {
      return CompletableFuture.completedFuture(0);
    }
  }
}
