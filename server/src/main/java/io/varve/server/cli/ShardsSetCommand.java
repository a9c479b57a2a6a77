package io.varve.server.cli;

import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code varve shards set}: a plan for a sensor. */
@Command(
    name = "set",
    sortOptions = false,
    description = "Spreads the rows of a sensor over so many shards, from a time on.",
    footer = {
      "",
      "Rows go by their own time, whenever they come: those before TIME stay where",
      "they are. TIME may lie in the past only if the sensor has no rows from then",
      "on, for instance before a backfill of it."
    })
final class ShardsSetCommand implements Callable<Integer> {
  @Parameters(
      index = "0",
      paramLabel = "SENSOR",
      description = "Id of the sensor, as it is sent; it need not be known yet.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String sensor;

  @Parameters(
      index = "1",
      paramLabel = "N",
      description = "How many shards: 1, 2, 4, 8, 16, 32 or 64.")
  private int shards;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description = "Event time from which on it holds. Default: a few seconds from now")
  private Optional<String> from = Optional.empty();

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
    return new ShardsRequest(sensor, shards, from, dryRun).send(node.client(), output);
  }
}
