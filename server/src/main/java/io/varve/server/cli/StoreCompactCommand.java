package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code varve store compact}: brings every day of a running node into its tight form. */
@Command(
    name = "compact",
    description = "Rewrites every day of a running node's stores into tight form.",
    footer = {
      "",
      "Answers go on and rows come in meanwhile. The node does the work, and goes on",
      "with it when this command is ended."
    })
final class StoreCompactCommand implements Callable<Integer> {
  private static final String PATH = "/v1/store/compact";

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Option(names = "--no-wait", description = "Only begin; varve status shows how far it is.")
  private boolean noWait;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    NodeClient client = node.client();
    if (noWait) {
      output.printFacts(NodeOption.post(client, PATH, Map.of("wait", "false")));
      return ExitCode.OK;
    }
    Map<String, Object> done;
    try (CompactionWatch watch =
        CompactionWatch.start(client, spec.commandLine().getErr(), Terminal.stderr())) {
      done = NodeOption.post(client, PATH, Map.of());
    }
    output.printFacts(done);
    return ExitCode.OK;
  }
}
