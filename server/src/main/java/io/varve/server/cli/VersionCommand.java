package io.varve.server.cli;

import io.varve.server.node.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve version}: what is running here. */
@Command(name = "version", description = "Prints the versions of Varve, Kafka and Java.")
final class VersionCommand implements Callable<Integer> {
  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() {
    Map<String, Object> facts = new LinkedHashMap<>(Version.facts());
    output.printFacts(facts);
    return ExitCode.OK;
  }
}
