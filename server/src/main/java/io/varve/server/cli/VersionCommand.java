package io.varve.server.cli;

import io.varve.server.node.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code varve version}: what is running here. */
@Command(name = "version", description = "Prints the versions of Varve, Kafka and Java.")
final class VersionCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() {
    Map<String, Object> facts = new LinkedHashMap<>(Version.facts());
    output.printFacts(spec.commandLine().getOut(), facts);
    return ExitCode.OK;
  }
}
