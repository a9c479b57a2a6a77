package io.varve.server.cli;

import io.varve.server.client.NodeClient;
import io.varve.storage.inspect.PartitionReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code varve store histograms}: how large the partitions of a node are. */
@Command(
    name = "histograms",
    description = "Prints rows and bytes per partition of a node at some percentiles.",
    footer = {
      "",
      "A partition is one sensor's day, and one shard of it where it has several.",
      "Each column is sorted by itself. Bytes: 4096 for each plain block, and those",
      "that sealed ones have. A running node (--node) tells three digits."
    })
final class StoreHistogramsCommand implements Callable<Integer> {
  private static final List<String> COLUMNS = List.of("percentile", "rows", "bytes");
  private static final int[] PERCENTILES = {50, 75, 95, 98, 99};

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private StoreFilesOption files;

  @Mixin
  @SuppressWarnings("NullAway.Init") // set by picocli
  private OutputOption output;

  @Override
  public Integer call() throws CommandFailure, InterruptedException {
    Optional<NodeClient> node = files.node();
    if (node.isPresent()) {
      Map<String, Object> stats = StoreFilesOption.stats(node.get(), false);
      try (RecordPrinter printer = output.records(COLUMNS)) {
        StoreFilesOption.records(stats, "percentiles").forEach(printer::print);
      }
      return ExitCode.OK;
    }
    LongStream.Builder rows = LongStream.builder();
    LongStream.Builder bytes = LongStream.builder();
    long[] damaged = new long[1];
    files.walk(
        day -> {
          for (PartitionReport each : day.partitions()) {
            rows.add(each.rows());
            bytes.add(each.bytes());
          }
          damaged[0] += day.damaged() ? 1 : 0;
        });
    long[] sortedRows = rows.build().sorted().toArray();
    long[] sortedBytes = bytes.build().sorted().toArray();
    try (RecordPrinter printer = output.records(COLUMNS)) {
      lines(sortedRows, sortedBytes).forEach(printer::print);
    }
    StoreFilesOption.noteDamage(output, damaged[0]);
    return ExitCode.OK;
  }

  private static List<Map<String, Object>> lines(long[] rows, long[] bytes) {
    List<Map<String, Object>> lines = new ArrayList<>();
    if (rows.length == 0) {
      return lines;
    }
    lines.add(line("min", rows[0], bytes[0]));
    for (int percentile : PERCENTILES) {
      int rank = nearestRank(percentile, rows.length);
      lines.add(line("p" + percentile, rows[rank], bytes[rank]));
    }
    lines.add(line("max", rows[rows.length - 1], bytes[bytes.length - 1]));
    return lines;
  }

  /** Index of the least of n ascending numbers that so many per cent are not above. */
  static int nearestRank(int percentile, int n) {
    return (int) (((long) percentile * n + 99) / 100) - 1;
  }

  private static Map<String, Object> line(String name, long rows, long bytes) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("percentile", name);
    line.put("rows", rows);
    line.put("bytes", bytes);
    return line;
  }
}
