package io.varve.server.cli;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve shards list}: the sensors with more than one shard. */
@Command(
    name = "list",
    description = "Lists the sensors that have more than one shard now, or will have others soon.")
final class ShardsListCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("sensor_id", "shards", "from", "next_shards", "next_from", "reason");

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Map<String, Object> answer = NodeOption.get(node.client(), "/v1/shards", Map.of());
    output.printRecords(answer, "sensors", COLUMNS);
    if (answer.get("advised") instanceof List<?> advised) {
      for (Object each : advised) {
        if (each instanceof Map<?, ?> advice) {
          output.note(
              advice.get("sensor_id")
                  + " should have "
                  + advice.get("shards")
                  + " shards, and has "
                  + advice.get("shards_before")
                  + ": "
                  + advice.get("reason"));
        }
      }
    }
    if (answer.get("shard_plans") instanceof Map<?, ?> plans
        && !"following".equals(plans.get("state"))) {
      output.note("the node has not read the shard plans to their end; there may be others");
    }
    return ExitCode.OK;
  }
}
