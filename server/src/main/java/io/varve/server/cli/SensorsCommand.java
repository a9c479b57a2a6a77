package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code varve sensors}: which sensors there are. */
@Command(name = "sensors", description = "Lists sensors: first and last day, rows, last reading.")
final class SensorsCommand implements Callable<Integer> {
  private static final List<String> COLUMNS =
      List.of("sensor_id", "first_day", "last_day", "rows", "last_timestamp", "last_value");

  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      defaultValue = "",
      description = "Only sensors whose id begins so.")
  private String prefix = "";

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Most sensors to list. Default: ${DEFAULT-VALUE}")
  private long limit;

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
    if (!prefix.isEmpty()) {
      query.put("prefix", prefix);
    }
    Pages pages = Pages.ask(client, "/v1/sensors", "sensors", query, limit);
    RecordPrinter printer = output.records(COLUMNS);
    pages.forEach(sensor -> printer.print(flat(sensor)));
    printer.close(); // not after a failure: half a list must not end like a whole one
    if (pages.cut()) {
      output.note("there may be more sensors than --limit " + limit);
    }
    return ExitCode.OK;
  }

  /** The last reading's members beside the sensor's own. */
  private static Map<String, Object> flat(Map<?, ?> sensor) {
    Map<String, Object> flat = new LinkedHashMap<>();
    sensor.forEach(
        (name, value) -> {
          if ("last".equals(name) && value instanceof Map<?, ?> last) {
            last.forEach((n, v) -> flat.put("last_" + n, v));
          } else {
            flat.put("" + name, value);
          }
        });
    return flat;
  }
}
