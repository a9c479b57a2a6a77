package io.varve.server.cli;

import io.varve.server.config.NodeSettings;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve up}: a node until it is told to stop. */
@Command(
    name = "up",
    sortOptions = false,
    description = "Starts a node, on its own in-process broker or on a cluster (-b).")
final class UpCommand implements Callable<Integer> {
  private static final Duration READY_POLL = Duration.ofMillis(100);

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOptions options;

  @Override
  public Integer call() throws CommandFailure {
    NodeSettings settings = options.settings();
    StopSignal stop = StopSignal.install();
    try (RunningNode running = RunningNode.start(settings, stop)) {
      boolean stopped = false;
      while (!stopped && running.node().notReady().isPresent()) {
        stopped = stop.await(READY_POLL);
      }
      if (!stopped) {
        // Here and not above: Verbosity must be settled before the first logger exists.
        Logger log = LoggerFactory.getLogger(UpCommand.class);
        log.info("ready: http port={}", running.node().httpPort());
        stop.await();
      }
    }
    return ExitCode.OK;
  }
}
