package io.varve.server.cli;

import io.varve.load.http.VarveTarget;
import io.varve.load.target.TargetException;
import io.varve.schemas.Topics;
import io.varve.server.config.InvalidSettingException;
import io.varve.server.config.NodeSettings;
import io.varve.server.config.SettingsReader;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node on its in-process broker, on free ports of the loopback address, in a folder that is
 * deleted with it. It is started as {@code varve up} starts one, without what the environment says.
 */
final class TemporaryNode implements AutoCloseable {
  private static final Duration READY_POLL = Duration.ofMillis(50);

  private final Path folder;
  private final RunningNode running;

  private TemporaryNode(Path folder, RunningNode running) {
    this.folder = folder;
    this.running = running;
  }

  static TemporaryNode start(StopSignal stop) throws CommandFailure, IOException {
    return start(stop, Map.of());
  }

  /**
   * Starts a node with settings of its own.
   *
   * @param settings by the names of the options of {@code varve up}
   */
  static TemporaryNode start(StopSignal stop, Map<String, String> settings)
      throws CommandFailure, IOException {
    Path folder = Files.createTempDirectory("varve-node-");
    try {
      return new TemporaryNode(folder, RunningNode.start(settings(folder, settings), stop));
    } catch (CommandFailure | RuntimeException e) {
      delete(folder);
      throw e;
    }
  }

  private static NodeSettings settings(Path folder, Map<String, String> settings) {
    Map<String, String> flags = new HashMap<>(settings);
    flags.putAll(Map.of("data", folder.toString(), "http-port", "0", "broker-port", "0"));
    try {
      return SettingsReader.read(flags, Map.of(), Map.of(), Optional.empty(), warning -> {});
    } catch (InvalidSettingException e) {
      throw new IllegalStateException("settings of our own", e);
    }
  }

  /**
   * Waits until it answers, and tells where to feed and ask it.
   *
   * @throws TargetException if a stop was wished before
   */
  VarveTarget ready() throws TargetException {
    if (!awaitReady()) {
      throw new TargetException(TargetException.Kind.STOPPED, "stopped before the end");
    }
    return new VarveTarget(brokers(), Topics.DEFAULT_SOURCE, url(), Map.of());
  }

  /** What ends a command that needs such a node and did not come to its result. */
  static CommandFailure noResult(String command, Exception e) {
    return e instanceof IOException
        ? new CommandFailure(
            ExitCode.FAILED,
            "a file of the " + command + " cannot be written",
            e.toString(),
            "free space, or name another temporary folder with VARVE_OPTS=-Djava.io.tmpdir=DIR",
            e)
        : new CommandFailure(
            ExitCode.FAILED,
            "the " + command + " got no result: " + e.getMessage(),
            "",
            "see the lines above, with --verbose for more",
            e);
  }

  /** Waits until it answers; false if a stop was wished before. */
  private boolean awaitReady() {
    while (running.node().notReady().isPresent()) {
      if (running.stop().await(READY_POLL)) {
        return false;
      }
    }
    return true;
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + running.node().httpPort());
  }

  private String brokers() {
    return running.node().bootstrapServers();
  }

  @Override
  public void close() throws IOException {
    try {
      running.close();
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes facts)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path each, @Nullable IOException e)
              throws IOException {
            Files.deleteIfExists(each);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
