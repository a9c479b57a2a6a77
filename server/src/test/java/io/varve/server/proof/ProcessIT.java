package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged jar through the script {@code varve}, as a user has it: its manifest, its services,
 * its log settings and the script's flags are in no other test.
 */
class ProcessIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Ended(int code, String out, String err) {}

  private final Path folder;
  private final Path script;
  private int runs;

  ProcessIT(@TempDir Path folder) {
    this.folder = folder;
    this.script = folder.resolve("project/varve");
  }

  /** A project without sources: an edit while the tests run must not have the script build. */
  @BeforeEach
  void layOut() throws IOException {
    Path target = Files.createDirectories(folder.resolve("project/server/target"));
    Files.copy(Path.of("..", "varve"), script, StandardCopyOption.COPY_ATTRIBUTES);
    Files.copy(Path.of("target", "varve.jar"), target.resolve("varve.jar"));
  }

  @Test
  void shortCommandsSpeakOnlyWhenAsked() throws Exception {
    Ended version = run("version", "-o", "json");
    assertThat(version.code()).isZero();
    assertThat(version.err()).isEmpty();
    JsonNode facts = JSON.readTree(version.out());
    assertThat(facts.path("varve").asText()).isNotEqualTo("unknown").isNotEmpty();
    assertThat(facts.path("kafka").asText()).startsWith("4.");
    Ended wrong = run("up", "--http-prot", "1");
    assertThat(wrong.code()).isEqualTo(2);
    assertThat(wrong.out()).isEmpty();
    assertThat(wrong.err()).contains("--http-prot").contains("--http-port").doesNotContain("\tat ");
  }

  @Test
  void nodeOfTheJarServesAndStopsStepByStep() throws Exception {
    int http = Proof.freePort();
    int broker = Proof.freePort();
    String url = "http://127.0.0.1:" + http;
    String[] up = {
      "up",
      "--data",
      folder.resolve("data").toString(),
      "--http-port",
      "" + http,
      "--broker-port",
      "" + broker
    };
    Path file = folder.resolve("readings.csv");
    Files.writeString(
        file, "sensor_id,timestamp,value\nplant 3/é,2024-06-01,21.5\nplant 3/é,2024-06-02,-0.0\n");
    Process node = launch(up);
    try {
      NodeClient client = new NodeClient(url);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                assertThat(node.isAlive()).as(log("err")).isTrue();
                return client.statusOf("/ready") == 200;
              });
      Ended put = run("put", file.toString(), "-b", "127.0.0.1:" + broker);
      assertThat(put.code()).as(put.err()).isZero();
      client.awaitConsumed(2, Duration.ofSeconds(30));
      Ended rows = run("query", "plant 3/é", "--url", url, "-o", "csv");
      assertThat(rows.out())
          .isEqualTo(
              "timestamp,value,sequence\n2024-06-02T00:00:00.000000Z,-0.0,\n"
                  + "2024-06-01T00:00:00.000000Z,21.5,\n");
      node.destroy();
      assertThat(node.waitFor(45, TimeUnit.SECONDS)).isTrue();
      assertThat(node.exitValue()).isZero();
    } finally {
      node.destroyForcibly().waitFor();
    }
    // The script has become the node, so the log is whole: each step of the stop has its line.
    String log = Files.readString(folder.resolve("1.err"), StandardCharsets.UTF_8);
    assertThat(log.lines().filter(line -> line.contains("stopping:")))
        .satisfiesExactly(
            line -> assertThat(line).contains("signal=TERM"),
            line -> assertThat(line).contains("not ready any more"),
            line -> assertThat(line).contains("http closed"),
            line -> assertThat(line).contains("ingest closed, stores flushed"),
            line -> assertThat(line).contains("broker closed"));
    assertThat(log).doesNotContain("\tat ", "ERROR");
  }

  private Process launch(String... arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of(script.toString()));
    line.addAll(List.of(arguments));
    runs++;
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(folder.resolve(runs + ".out").toFile())
            .redirectError(folder.resolve(runs + ".err").toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().remove("VARVE_OPTS");
    return builder.start();
  }

  private Ended run(String... arguments) throws Exception {
    Process process = launch(arguments);
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("still running: " + String.join(" ", arguments) + "\n" + log("err"));
    }
    return new Ended(process.exitValue(), log("out"), log("err"));
  }

  private String log(String which) throws IOException {
    return Files.readString(folder.resolve(runs + "." + which), StandardCharsets.UTF_8);
  }
}
