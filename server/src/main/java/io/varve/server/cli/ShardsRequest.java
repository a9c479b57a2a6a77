package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A plan as a node is asked for it.
 *
 * @param sensor id of the sensor
 * @param shards how many shards
 * @param from event time from which on; empty leaves it to the node
 * @param dryRun whether nothing is to be done
 */
record ShardsRequest(String sensor, int shards, Optional<String> from, boolean dryRun) {
  /** Asks, prints what was decided, and says it in words beside the output. */
  int send(NodeClient client, OutputOption output) throws CommandFailure, InterruptedException {
    Map<String, String> query = new LinkedHashMap<>();
    query.put("sensor_id", sensor);
    query.put("shards", String.valueOf(shards));
    from.ifPresent(time -> query.put("from", time));
    if (dryRun) {
      query.put("dry_run", "true");
    }
    Map<String, Object> decided = NodeOption.post(client, "/v1/shards", query);
    output.printFacts(decided);
    output.note(words(decided));
    return ExitCode.OK;
  }

  private String words(Map<String, Object> decided) {
    String count = shards == 1 ? "one shard" : shards + " shards";
    if (!Boolean.TRUE.equals(decided.get("changes"))) {
      return "the sensor has " + count + " from then on already: nothing was written";
    }
    if (String.valueOf(shards).equals(String.valueOf(decided.get("shards_before")))) {
      return (dryRun ? "would write, and did not: " : "")
          + "the sensor keeps "
          + count
          + ", from now on by your word: the node will not go below";
    }
    String until =
        decided.containsKey("until")
            ? ", until the plan that begins at " + decided.get("until")
            : "";
    return (dryRun ? "would write, and did not: " : "")
        + "rows with timestamps from "
        + decided.get("from")
        + " on go to "
        + count
        + " a day, instead of "
        + decided.get("shards_before")
        + until
        + "; earlier ones stay where they are";
  }
}
