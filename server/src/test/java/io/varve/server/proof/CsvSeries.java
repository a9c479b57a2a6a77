package io.varve.server.proof;

import io.varve.storage.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A file of {@code timestamp,value} lines as read without any of the product's code.
 *
 * @param file the file
 * @param sensor the sensor's name: the file's name without its ending
 * @param rows its rows, oldest first; lines of one instant are numbered by sequence in file order
 */
record CsvSeries(Path file, String sensor, List<Row> rows) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

  static CsvSeries read(Path file) throws IOException {
    Map<Long, Long> seen = new HashMap<>();
    List<Row> rows = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (String line : lines.subList(1, lines.size())) {
      int comma = line.indexOf(',');
      long seconds =
          LocalDateTime.parse(line.substring(0, comma), TIME).toEpochSecond(ZoneOffset.UTC);
      long sequence = seen.merge(seconds, 1L, Long::sum) - 1;
      double value = Double.parseDouble(line.substring(comma + 1));
      rows.add(new Row(seconds * 1_000_000, sequence, value));
    }
    rows.sort(Comparator.comparingLong(Row::timestampMicros).thenComparingLong(Row::sequence));
    String name = file.getFileName().toString();
    return new CsvSeries(file, name.substring(0, name.length() - ".csv".length()), rows);
  }

  /** Reads all CSV files below a folder. */
  static List<CsvSeries> below(Path folder) throws IOException {
    List<Path> files;
    try (var walk = Files.walk(folder)) {
      files = walk.filter(f -> f.toString().endsWith(".csv")).sorted().toList();
    }
    List<CsvSeries> series = new ArrayList<>();
    for (Path file : files) {
      series.add(read(file));
    }
    return series;
  }
}
