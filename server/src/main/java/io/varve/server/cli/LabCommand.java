package io.varve.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code varve lab}: small experiments on how rows are laid out. */
@Command(
    name = "lab",
    description = "Small experiments on how rows are laid out.",
    subcommands = {LabPagesCommand.class, LabMergeCommand.class})
final class LabCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "no command given");
  }
}
