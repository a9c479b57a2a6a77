package io.varve.server.put;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Where the columns of one file are, by its header line.
 *
 * @param sensor index of {@code sensor_id}; −1 where the sensor is given for the whole file
 * @param timestamp index of {@code timestamp}
 * @param value index of {@code value}
 * @param sequence index of {@code sequence}; −1 where rows are numbered by {@link RepeatNumbers}
 * @param columns number of columns
 * @param ignored names of further columns, which are not read
 */
record CsvLayout(
    int sensor, int timestamp, int value, int sequence, int columns, List<String> ignored) {
  CsvLayout {
    ignored = List.copyOf(ignored);
  }

  /**
   * Reads a header line; names in any order and letter case.
   *
   * @param sensorGiven whether the sensor comes from the command line or the file's name
   * @throws UnusableFileException when a column is missing or named twice
   */
  static CsvLayout of(List<String> header, boolean sensorGiven) throws UnusableFileException {
    List<String> names =
        header.stream().map(name -> name.strip().toLowerCase(Locale.ROOT)).toList();
    int sensor = index(names, "sensor_id");
    int timestamp = index(names, "timestamp");
    int value = index(names, "value");
    List<String> missing = new ArrayList<>();
    if (timestamp < 0) {
      missing.add("timestamp");
    }
    if (value < 0) {
      missing.add("value");
    }
    if (!missing.isEmpty()) {
      throw new UnusableFileException(
          "the first line does not name "
              + String.join(" and ", missing)
              + ": found="
              + LineReader.shown(String.join(",", header)));
    }
    if (sensor < 0 && !sensorGiven) {
      throw new UnusableFileException(
          "there is no column sensor_id, and neither --sensor NAME nor --sensor-from-name is given");
    }
    if (sensor >= 0 && sensorGiven) {
      throw new UnusableFileException(
          "there is a column sensor_id, and the sensor is given on the command line as well");
    }
    int sequence = index(names, "sequence");
    List<String> ignored = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      if (i != sensor && i != timestamp && i != value && i != sequence) {
        ignored.add(names.get(i));
      }
    }
    return new CsvLayout(sensor, timestamp, value, sequence, names.size(), ignored);
  }

  private static int index(List<String> names, String name) throws UnusableFileException {
    int first = names.indexOf(name);
    if (first != names.lastIndexOf(name)) {
      throw new UnusableFileException("the first line names the column " + name + " twice");
    }
    return first;
  }

  /**
   * Checks the number of a line's fields.
   *
   * @throws RefusedLineException when it is not that of the columns
   */
  void checkFields(int fields) throws RefusedLineException {
    if (fields != columns) {
      throw new RefusedLineException(
          "has " + fields + " fields where the first line names " + columns + " columns");
    }
  }

  /** What the user should know about columns that are not read. */
  Optional<String> notice() {
    return ignored.isEmpty()
        ? Optional.empty()
        : Optional.of("columns not read: " + LineReader.shown(String.join(", ", ignored)));
  }
}
