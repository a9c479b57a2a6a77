package io.varve.server.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code varve shards unset}: a plan with one shard. */
@Command(
    name = "unset",
    sortOptions = false,
    description = "Gives a sensor one shard again, a few seconds from now.",
    footer = {
      "",
      "That is a further plan. Those before it stay, for they say where rows of their",
      "time belong when they come late or again."
    })
final class ShardsUnsetCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SENSOR", description = "Id of the sensor, as it is sent.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String sensor;

  @Option(names = "--dry-run", description = "Say what would be done, and do nothing.")
  private boolean dryRun;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    return new ShardsRequest(sensor, 1, Optional.empty(), dryRun).send(node.client(), output);
  }
}
