package io.varve.ingest;

import io.varve.ingest.sharder.Sharding;
import io.varve.schemas.ReadingEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Drains a topic that was filled while ingest was paused and prints rows per second from source
 * record to visible row, and the processor time of a row, broker in the same process.
 *
 * <p>Arguments: readings (2 000 000), stream threads (2), readings in a record (1), rounds (3),
 * then any {@code name=value} Kafka setting.
 */
public final class HopBenchmark {
  private static final int SENSORS = 10_000;
  private static final long JUNE = 1_717_200_000_000_000L;

  private final int readings;
  private final int threads;
  private final int batch;
  private final Map<String, String> overrides;

  private HopBenchmark(int readings, int threads, int batch, Map<String, String> overrides) {
    this.readings = readings;
    this.threads = threads;
    this.batch = batch;
    this.overrides = overrides;
  }

  public static void main(String[] args) throws Exception {
    int readings = args.length > 0 ? Integer.parseInt(args[0]) : 2_000_000;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    int batch = args.length > 2 ? Integer.parseInt(args[2]) : 1;
    int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 3;
    Map<String, String> overrides = new java.util.HashMap<>();
    for (int i = 4; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      overrides.put(args[i].substring(0, equals), args[i].substring(equals + 1));
    }
    Path folder = Files.createTempDirectory("varve-hop");
    new HopBenchmark(readings, threads, batch, overrides).run(folder, rounds);
    try (var files = Files.walk(folder)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
    System.exit(0);
  }

  private void run(Path folder, int rounds) throws Exception {
    try (TestBroker broker = new TestBroker(folder.resolve("broker"))) {
      IngestSettings settings =
          new IngestSettings(
              broker.bootstrapServers(),
              "varve",
              List.of("readings"),
              8,
              folder.resolve("store"),
              threads,
              Optional.empty(),
              StoreLimits.USUAL,
              Duration.ofHours(1),
              Sharding.DEFAULT,
              Duration.ofHours(1),
              false,
              Optional.empty(),
              Optional.empty(),
              "bench",
              true,
              Duration.ofDays(7),
              overrides);
      try (IngestService ingest = new IngestService(settings)) {
        ingest.start();
        while (!IngestServiceIT.allServing(ingest, 8)) {
          Thread.onSpinWait();
        }
        for (int round = 0; round < rounds; round++) {
          long before = IngestServiceIT.stored(ingest);
          ingest.pause();
          fill(broker.bootstrapServers(), round);
          long start = System.nanoTime();
          long cpu = cpuNanos();
          ingest.resume();
          while (IngestServiceIT.stored(ingest) < before + readings) {
            java.util.concurrent.locks.LockSupport.parkNanos(1_000_000);
          }
          double seconds = (System.nanoTime() - start) / 1e9;
          System.out.printf(
              "round=%d readings=%d threads=%d batch=%d seconds=%.2f rows/s=%.0f cpu-micros/row=%.2f%n",
              round,
              readings,
              threads,
              batch,
              seconds,
              readings / seconds,
              (cpuNanos() - cpu) / 1e3 / readings);
        }
      }
    }
  }

  /** Processor time of this process: unlike the rate, it hardly minds a busy machine. */
  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean)
            java.lang.management.ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private void fill(String bootstrapServers, int round) throws Exception {
    SplittableRandom random = new SplittableRandom(round);
    ReadingEncoder encoder = new ReadingEncoder();
    byte[][] keys = new byte[SENSORS][];
    String[] names = new String[SENSORS];
    for (int s = 0; s < SENSORS; s++) {
      names[s] = String.format("plant-%d/sensor-%05d", s % 7, s);
      keys[s] = names[s].getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers",
                bootstrapServers,
                "compression.type",
                "lz4",
                "linger.ms",
                5,
                "batch.size",
                262144),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      for (int i = 0; i < readings; i++) {
        int sensor = random.nextInt(SENSORS);
        long at = JUNE + ((long) round * readings + i) * 1000;
        double value = Math.round(random.nextDouble() * 1000) / 10.0;
        if (batch == 1) {
          producer.send(
              new ProducerRecord<>(
                  "readings", keys[sensor], encoder.encode(names[sensor], at, value, 0)));
        } else {
          encoder.add(names[sensor], at, value, 0);
          if (encoder.memberCount() == batch || i == readings - 1) {
            producer.send(new ProducerRecord<>("readings", null, encoder.takeBatch()));
          }
        }
      }
    }
  }
}
