package io.varve.server.node;

import io.varve.storage.DayStats;
import io.varve.storage.PartitionReader;
import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the days of a node's stores hold, as a tree in the words of the store commands: from what
 * the stores know of their days, without a look at rows. One thread.
 */
final class StoreStats {
  /** Sums over some days. */
  private static final class Sums {
    private long days;
    private long partitions;
    private long rows;
    private long bytes;

    void add(DayStats day) {
      days++;
      partitions += day.partitions();
      rows += day.rows();
      bytes += day.bytes();
    }

    void put(Map<String, Object> tree) {
      tree.put("partitions", partitions);
      tree.put("rows", rows);
      tree.put("bytes", bytes);
      if (rows > 0) {
        tree.put("bytes_a_row", Math.round(100.0 * bytes / rows) / 100.0);
      }
    }
  }

  private final Sums all = new Sums();
  private final Map<Integer, Sums> byDay = new TreeMap<>(Comparator.reverseOrder());
  private final Map<String, Object> forms = new LinkedHashMap<>();
  private final ValueCounts rows = new ValueCounts();
  private final ValueCounts bytes = new ValueCounts();
  private final List<Object> segments = new ArrayList<>();
  private int topicPartitions;

  StoreStats() {
    for (DayStats.Form form : DayStats.Form.values()) {
      forms.put(name(form), 0L);
    }
  }

  /** Adds a store. */
  void add(PartitionReader store) throws IOException {
    topicPartitions++;
    List<DayStats> days =
        store.inspect(
            (day, shardRows, shardBytes) -> {
              rows.add(shardRows);
              if (shardBytes > 0) { // else not known
                bytes.add(shardBytes);
              }
            });
    for (DayStats day : days) {
      all.add(day);
      byDay.computeIfAbsent(day.day(), d -> new Sums()).add(day);
      forms.merge(name(day.form()), 1L, (a, b) -> (Long) a + (Long) b);
      segments.add(segment(store.topicPartition(), day));
    }
  }

  private static Map<String, Object> segment(int topicPartition, DayStats day) {
    Map<String, Object> segment = new LinkedHashMap<>();
    segment.put("topic_partition", topicPartition);
    segment.put("day", date(day.day()));
    Sums sums = new Sums();
    sums.add(day);
    sums.put(segment);
    segment.put("form", name(day.form()));
    segment.put("clean", day.clean() ? "yes" : "no");
    return segment;
  }

  private static String name(DayStats.Form form) {
    return form.name().toLowerCase(Locale.ROOT);
  }

  private static String date(int day) {
    return LocalDate.ofEpochDay(day).toString();
  }

  /**
   * Returns what was found.
   *
   * @param arrival how the rows came
   * @param withSegments whether each day of each topic partition is listed as well
   */
  Map<String, Object> tree(Map<String, Object> arrival, boolean withSegments) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("topic_partitions", topicPartitions);
    tree.put("days", all.days);
    tree.put("days_by_form", forms);
    all.put(tree);
    tree.put("arrival", arrival);
    tree.put("percentiles", percentiles());
    List<Object> days = new ArrayList<>();
    byDay.forEach(
        (day, sums) -> {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("day", date(day));
          sums.put(entry);
          days.add(entry);
        });
    tree.put("by_day", days);
    if (withSegments) {
      tree.put("segments", segments);
    }
    return tree;
  }

  private List<Object> percentiles() {
    List<Object> lines = new ArrayList<>();
    if (rows.isEmpty()) {
      return lines;
    }
    List<Long> ofRows = rows.summary();
    for (int i = 0; i < ofRows.size(); i++) {
      Map<String, Object> line = new LinkedHashMap<>();
      line.put("percentile", ValueCounts.names().get(i));
      line.put("rows", ofRows.get(i));
      if (!bytes.isEmpty()) {
        line.put("bytes", bytes.summary().get(i));
      }
      lines.add(line);
    }
    return lines;
  }
}
