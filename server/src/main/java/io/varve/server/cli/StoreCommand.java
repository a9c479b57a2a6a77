package io.varve.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve store}: a collection of the commands about how rows lie on disk. */
@Command(
    name = "store",
    description = "Looks after how rows lie on disk.",
    subcommands = {
      StoreCompactCommand.class,
      StoreLsCommand.class,
      StoreVerifyCommand.class,
      StoreStatsCommand.class,
      StoreHistogramsCommand.class,
      StoreDumpCommand.class
    })
final class StoreCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
