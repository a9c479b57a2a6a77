package io.varve.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve shards}: a collection of the commands about shard plans. */
@Command(
    name = "shards",
    description = "Lists and sets how many shards the days of a sensor have.",
    subcommands = {
      ShardsListCommand.class,
      ShardsSetCommand.class,
      ShardsUnsetCommand.class,
      ShardsHistoryCommand.class
    })
final class ShardsCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
