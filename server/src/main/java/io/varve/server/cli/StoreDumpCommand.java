package io.varve.server.cli;

import io.varve.schemas.Rfc3339;
import io.varve.storage.MergeCursor;
import io.varve.storage.Order;
import io.varve.storage.RowCursor;
import io.varve.storage.SensorId;
import io.varve.storage.engine.InspectedDay;
import io.varve.storage.engine.StoreInspector;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code varve store dump}: the rows of one sensor, from a stopped node's files alone. */
@Command(
    name = "dump",
    description = "Prints a sensor's rows, oldest first, from a stopped node's files alone.",
    footer = {"", "Damaged days are left out and named; exit code 1 then."})
final class StoreDumpCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("timestamp", "value", "sequence");

  @Option(
      names = "--sensor",
      paramLabel = "ID",
      required = true,
      description = "Id of the sensor, as it was sent.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String sensor;

  @Option(names = "--day", paramLabel = "YYYY-MM-DD", description = "Only this UTC day.")
  private Optional<String> only = Optional.empty();

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StoreFilesOption files;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  private long rows;
  private long damagedDays;

  @Override
  public Integer call() throws CommandFailure {
    files.refuseNode(
        "it prints what files hold that nobody writes", "ask a node that runs with varve query");
    SensorId id =
        SensorId.parse(sensor.getBytes(StandardCharsets.UTF_8))
            .orElseThrow(
                () ->
                    wrong("--sensor is no id of a sensor: got=" + sensor, "--sensor plant-3/temp"));
    Optional<Integer> day = only.isPresent() ? Optional.of(day(only.get())) : Optional.empty();
    files.hold(
        folder -> {
          Map<Integer, List<StoreInspector>> days = new TreeMap<>();
          for (StoreInspector store : folder.stores(files.temporary())) {
            for (int each : store.days()) {
              if (day.isEmpty() || day.get() == each) {
                days.computeIfAbsent(each, d -> new ArrayList<>()).add(store);
              }
            }
          }
          try (RecordPrinter printer = output.records(COLUMNS)) {
            for (Map.Entry<Integer, List<StoreInspector>> each : days.entrySet()) {
              print(id, each.getKey(), each.getValue(), printer);
            }
          }
        });
    if (rows == 0) {
      output.note("no rows: sensor=" + sensor + only.map(text -> " day=" + text).orElse(""));
    }
    if (damagedDays > 0) {
      StoreFilesOption.noteDamage(output, damagedDays);
      return ExitCode.FAILED;
    }
    return rows == 0 ? ExitCode.NOT_FOUND : ExitCode.OK;
  }

  private static int day(String text) throws CommandFailure {
    try {
      return (int) LocalDate.parse(text).toEpochDay();
    } catch (DateTimeParseException e) {
      throw wrong("--day must be a date: got=" + text, "--day 2024-06-01");
    }
  }

  private static CommandFailure wrong(String what, String example) {
    return new CommandFailure(ExitCode.USAGE, what, "", "for example " + example);
  }

  /** Prints one day: what its shards hold, in whatever stores, merged. */
  private void print(SensorId id, int day, List<StoreInspector> stores, RecordPrinter printer)
      throws IOException {
    List<InspectedDay> open = new ArrayList<>();
    try {
      List<RowCursor> walks = new ArrayList<>();
      for (StoreInspector store : stores) {
        if (store.mayHold(id, day)) {
          InspectedDay inspected = store.open(day);
          open.add(inspected);
          if (inspected.readable()) {
            walks.addAll(inspected.rows(id));
          } else {
            damagedDays++;
          }
        }
      }
      if (!walks.isEmpty()) {
        try (RowCursor merged = MergeCursor.of(walks, Order.OLDEST_FIRST)) {
          while (merged.next()) {
            print(merged, printer);
          }
        }
      }
    } finally {
      open.forEach(InspectedDay::close);
    }
  }

  private void print(RowCursor row, RecordPrinter printer) {
    Map<String, Object> record = new LinkedHashMap<>();
    record.put("timestamp", Rfc3339.format(row.timestampMicros()));
    record.put("value", row.value());
    record.put("sequence", row.sequence());
    printer.print(record);
    rows++;
  }
}
