package io.varve.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is killed under load counts every reading once and stores every row. */
class KilledNodeIT {
  private static final int KILLS = Boolean.getBoolean("varve.full") ? 20 : 2;
  private static final int ROUND = 20_000;

  private final Path folder;

  KilledNodeIT(@TempDir Path folder) {
    this.folder = folder;
  }

  private Process startNode(TestBroker broker) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("--add-") || argument.startsWith("-D")) {
        command.add(argument);
      }
    }
    command.addAll(List.of("-Xmx512m", "-cp", System.getProperty("java.class.path")));
    command.add(IngestProcess.class.getName());
    command.addAll(
        List.of(broker.bootstrapServers(), "killed", folder.resolve("store").toString()));
    return new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
  }

  private static void awaitServing(Process node) throws Exception {
    BufferedReader output =
        new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8));
    String line;
    do {
      line = output.readLine();
      assertThat(line).as("the node ended before it served").isNotNull();
    } while (!line.equals("serving"));
  }

  @Test
  void everyReadingIsCountedOnceAndStored() throws Exception {
    SplittableRandom random = new SplittableRandom(20241130);
    try (TestBroker broker = new TestBroker(folder.resolve("broker"))) {
      broker.createTopic("killed.in", 3, Map.of());
      int sent = 0;
      int poison = 0;
      int refused = 0;
      try (Readings readings = new Readings(broker.bootstrapServers(), "killed.in")) {
        for (int kill = 0; kill < KILLS; kill++) {
          Process node = startNode(broker);
          try {
            awaitServing(node);
            int killAt = random.nextInt(ROUND / 2, ROUND);
            for (int i = 0; i < ROUND; i++, sent++) {
              readings.send("sensor-" + sent % 100, Readings.JUNE + sent, sent);
              if (i % 100 == 0) {
                readings.sendBytes(new byte[] {1}, new byte[] {0, 1, 2});
                readings.send("", Readings.JUNE, 1);
                poison++;
                refused++;
              }
              if (i == killAt) {
                readings.flush();
                node.destroyForcibly().waitFor();
              }
            }
          } finally {
            node.destroyForcibly().waitFor();
          }
        }
        readings.flush();
      }
      IngestSettings settings =
          IngestServiceIT.settings(
              broker.bootstrapServers(), "killed", folder.resolve("store"), Map.of());
      try (IngestService survivor = new IngestService(settings)) {
        survivor.start();
        int rows = sent;
        int dead = poison;
        int bad = refused;
        await()
            .atMost(Duration.ofSeconds(60))
            .untilAsserted(
                () -> {
                  assertThat(IngestServiceIT.stored(survivor)).isEqualTo(rows);
                  IngestReport report = survivor.report();
                  assertThat(report.visibleLag()).isZero();
                  assertThat(report.routed()).isEqualTo(rows);
                  assertThat(report.deadLettered()).isEqualTo(dead);
                  assertThat(report.refusedByReason()).isEqualTo(Map.of("id-empty", (long) bad));
                });
      }
    }
  }
}
