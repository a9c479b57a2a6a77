package io.varve.server.proof;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The command line as a child process, from the compiled classes. */
final class ChildCommand {
  private static final String MAIN = "io.varve.server.Main";

  /**
   * How a command ended.
   *
   * @param exitCode the process's exit code
   * @param out what it wrote to stdout
   * @param err what it wrote to stderr
   */
  record Outcome(int exitCode, String out, String err) {}

  private ChildCommand() {}

  /** Runs a command to its end; kills it and fails when it takes longer. */
  static Outcome run(Duration atMost, String... arguments)
      throws IOException, InterruptedException {
    return run(atMost, List.of(), arguments);
  }

  /** Runs a command to its end with JVM flags of its own. */
  static Outcome run(Duration atMost, List<String> jvmFlags, String... arguments)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile("varve-command", ".out");
    Path err = Files.createTempFile("varve-command", ".err");
    try {
      Process process = start(out, err, jvmFlags, arguments);
      if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            "still running after "
                + atMost
                + ": varve "
                + String.join(" ", arguments)
                + "\n"
                + text(out)
                + text(err));
      }
      return new Outcome(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts a command that writes to two files. */
  static Process start(Path out, Path err, List<String> jvmFlags, String... arguments)
      throws IOException {
    return new ProcessBuilder(line(jvmFlags, List.of(arguments)))
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectOutput(out.toFile())
        .redirectError(err.toFile())
        .start();
  }

  /** Returns the words that start the command line in a JVM with this one's flags. */
  static List<String> line(List<String> jvmFlags, List<String> arguments) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    Stream<String> inherited =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(flag -> flag.startsWith("--add-") || flag.startsWith("-Dchronicle."));
    line.addAll(inherited.toList());
    line.add("-Xmx768m");
    boolean cores = Runtime.getRuntime().availableProcessors() > 2; // as the start script decides
    line.add("-XX:TieredStopAtLevel=" + (Proof.FULL && cores ? 4 : 1));
    line.addAll(jvmFlags);
    line.add("-cp");
    line.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    line.add(MAIN);
    line.addAll(arguments);
    return line;
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}
