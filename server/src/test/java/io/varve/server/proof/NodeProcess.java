package io.varve.server.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A running {@code varve up} in a child process, killed when closed. Its log is appended to {@code
 * DATA.log}, so restarts on one folder read as one story.
 */
final class NodeProcess implements AutoCloseable {
  /** Ample for a cold start on a busy machine; the bar on restarts is stated where it is proved. */
  static final Duration START = Duration.ofSeconds(90);

  /**
   * What to start.
   *
   * @param data the data folder
   * @param httpPort where it answers
   * @param brokerPort where its in-process broker listens
   * @param flags further flags of {@code up}
   * @param jvmFlags flags of the child JVM
   * @param wrapper words before {@code java}, such as a tracer's; may be empty
   */
  record Setup(
      Path data,
      int httpPort,
      int brokerPort,
      List<String> flags,
      List<String> jvmFlags,
      List<String> wrapper) {
    static Setup in(Path data, String... flags) throws IOException {
      return new Setup(
          data, Proof.freePort(), Proof.freePort(), List.of(flags), List.of(), List.of());
    }

    Setup withJvmFlags(String... more) {
      return new Setup(data, httpPort, brokerPort, flags, List.of(more), wrapper);
    }

    Setup withFlags(String... more) {
      return new Setup(data, httpPort, brokerPort, List.of(more), jvmFlags, wrapper);
    }

    Setup wrappedBy(List<String> words) {
      return new Setup(data, httpPort, brokerPort, flags, jvmFlags, words);
    }

    String bootstrap() {
      return "127.0.0.1:" + brokerPort;
    }

    /** Starts a process and returns at once. */
    NodeProcess launch() throws IOException {
      List<String> arguments = new ArrayList<>();
      arguments.add("up");
      arguments.addAll(List.of("--data", data.toString()));
      arguments.addAll(List.of("--http-port", "" + httpPort));
      if (!flags.contains("-b")) {
        arguments.addAll(List.of("--broker-port", "" + brokerPort));
      }
      arguments.addAll(flags);
      List<String> line = new ArrayList<>(wrapper);
      line.addAll(ChildCommand.line(jvmFlags, arguments));
      Path log = data.resolveSibling(data.getFileName() + ".log");
      Files.writeString(log, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      long logOffset = Files.size(log);
      Process process =
          new ProcessBuilder(line)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      return new NodeProcess(this, process, log, logOffset);
    }

    /** Starts a process and returns when it is ready. */
    NodeProcess start() throws IOException {
      NodeProcess node = launch();
      try {
        node.awaitReady(START);
        return node;
      } catch (RuntimeException | Error e) {
        node.close();
        throw e;
      }
    }
  }

  final Setup setup;
  final NodeClient client;
  final long startedNanos = System.nanoTime();
  private final Process process;
  private final Path log;
  private final long logOffset;

  private NodeProcess(Setup setup, Process process, Path log, long logOffset) {
    this.setup = setup;
    this.process = process;
    this.log = log;
    this.logOffset = logOffset;
    this.client = new NodeClient("http://127.0.0.1:" + setup.httpPort());
  }

  /** Waits until {@code /ready} is 200; fails at once when the process has ended. */
  void awaitReady(Duration atMost) {
    await("ready")
        .atMost(atMost)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              assertAlive();
              return client.statusOf("/ready") == 200;
            });
  }

  void assertAlive() {
    if (!process.isAlive()) {
      throw new AssertionError("node ended, exit code " + process.exitValue() + "\n" + log());
    }
  }

  boolean alive() {
    return process.isAlive();
  }

  long pid() {
    return process.pid();
  }

  /** Waits for the process to end by itself and returns its exit code. */
  int awaitExit(Duration atMost) throws InterruptedException {
    if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new AssertionError("node still running after " + atMost + "\n" + log());
    }
    return process.exitValue();
  }

  /** Sends SIGKILL and waits until the process is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends SIGTERM and expects a clean stop. */
  void stop() throws InterruptedException {
    process.destroy();
    assertThat(awaitExit(Duration.ofSeconds(45))).as("exit code after SIGTERM\n%s", log()).isZero();
  }

  /** Returns what this process has written so far, both streams. */
  String log() {
    try {
      byte[] bytes = Files.readAllBytes(log);
      int from = (int) Math.min(logOffset, bytes.length);
      return new String(bytes, from, bytes.length - from, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "log unreadable: " + e;
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    try {
      process.waitFor(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
