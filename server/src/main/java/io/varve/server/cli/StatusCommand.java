package io.varve.server.cli;

import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code varve status}: what a node tells about itself. */
@Command(name = "status", description = "Prints a node's ledger, state, lag and disk use.")
final class StatusCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Map<String, Object> status = NodeOption.get(node.client(), "/v1/status", Map.of());
    output.printFacts(spec.commandLine().getOut(), status);
    return ExitCode.OK;
  }
}
