package io.varve.server.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code varve shards history}: all plans of a sensor. */
@Command(
    name = "history",
    description = "Lists the shard plans of a sensor, oldest first: from when, how many, why.")
final class ShardsHistoryCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("from", "shards", "revision", "decided_at", "reason");

  @Parameters(paramLabel = "SENSOR", description = "Id of the sensor, as it was sent.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String sensor;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Map<String, Object> answer =
        NodeOption.get(node.client(), "/v1/shards/history", Map.of("sensor_id", sensor));
    output.printRecords(answer, "plans", COLUMNS);
    if (answer.get("plans") instanceof List<?> plans && plans.isEmpty()) {
      output.note("no plan names this sensor: it has one shard at all times");
    }
    return ExitCode.OK;
  }
}
