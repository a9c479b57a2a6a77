package io.varve.server.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve status}: what a node tells about itself. */
@Command(name = "status", description = "Prints a node's ledger, state, lag and disk use.")
final class StatusCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Map<String, Object> status = NodeOption.get(node.client(), "/v1/status", Map.of());
    output.printFacts(status);
    return ExitCode.OK;
  }
}
