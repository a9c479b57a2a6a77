package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code varve query}: the rows of one sensor. */
@Command(
    name = "query",
    sortOptions = false,
    description = "Prints the rows of a sensor, newest first, or aggregates of them.")
final class QueryCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SENSOR", description = "Id of the sensor, as it was sent.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String sensor;

  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "First time, included: 2024-06-01T12:00:00Z, 2024-06-01, epoch s/ms/us/ns, now-1h30m.")
  private Optional<String> from = Optional.empty();

  @Option(names = "--to", paramLabel = "TIME", description = "Last time, excluded.")
  private Optional<String> to = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "Most rows, over all pages. Default: ${DEFAULT-VALUE}")
  private long limit;

  @Option(names = "--order", paramLabel = "ORDER", description = "desc (default) or asc.")
  private Optional<String> order = Optional.empty();

  @Option(
      names = "--step",
      paramLabel = "TIME",
      description = "Aggregate in buckets of this length, such as 5m; needs --from.")
  private Optional<String> step = Optional.empty();

  @Option(
      names = "--agg",
      paramLabel = "NAMES",
      description = "avg, min, max, sum, count, first, last; several joined by commas.")
  private Optional<String> agg = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private NodeOption node;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    NodeClient client = node.client();
    Map<String, String> query = new LinkedHashMap<>();
    query.put("sensor_id", sensor);
    from.ifPresent(text -> query.put("from", text));
    to.ifPresent(text -> query.put("to", text));
    order.ifPresent(text -> query.put("order", text));
    step.ifPresent(text -> query.put("step", text));
    agg.ifPresent(text -> query.put("agg", text));
    Pages pages = Pages.ask(client, "/v1/readings", "rows", query, limit);
    if (Boolean.FALSE.equals(pages.first().get("known"))) {
      throw new CommandFailure(
          ExitCode.NOT_FOUND,
          "unknown sensor: sensor_id=" + sensor,
          "no row of it was ever stored, or all have expired",
          "./varve sensors lists what there is");
    }
    RecordPrinter printer = output.records(columns());
    pages.forEach(row -> printer.print(named(row)));
    printer.close(); // not after a failure: half an answer must not end like a whole one
    if (pages.cut()) {
      output.note("there may be more rows than --limit " + limit);
    }
    return ExitCode.OK;
  }

  private List<String> columns() {
    List<String> columns = new ArrayList<>(List.of("timestamp"));
    if (step.isEmpty()) {
      columns.addAll(List.of("value", "sequence"));
    } else {
      String[] names = agg.orElse("avg").split(",");
      columns.addAll(names.length == 1 ? List.of("value") : List.of(names));
    }
    return columns;
  }

  private static Map<String, Object> named(Map<?, ?> row) {
    Map<String, Object> named = new LinkedHashMap<>();
    row.forEach((name, value) -> named.put("" + name, value));
    return named;
  }
}
