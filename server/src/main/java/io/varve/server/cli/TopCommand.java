package io.varve.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve top}: the busiest partitions of a node. */
@Command(
    name = "top",
    description =
        "Shows which sensors' days were written and read most over the last seconds, by rows and by"
            + " bytes, with bounds.")
final class TopCommand implements Callable<Integer> {
  /** At most one of the two. */
  private static final class Kind {
    @Option(names = "--writes", description = "Only what was written.")
    private boolean writes;

    @Option(names = "--reads", description = "Only what was read.")
    private boolean reads;
  }

  @ArgGroup(exclusive = true)
  @SuppressWarnings("UnusedVariable") // set by picocli
  private Kind kind = new Kind();

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Over how long, up to 1m. Default: ${DEFAULT-VALUE}")
  private String span = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "Most lines of each table, up to 100. Default: ${DEFAULT-VALUE}")
  private int limit;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("for", span);
    query.put("limit", String.valueOf(limit));
    query.put("kind", kind.writes ? "writes" : kind.reads ? "reads" : "all");
    output.printFacts(NodeOption.get(node.client(), "/v1/top", query));
    return ExitCode.OK;
  }
}
