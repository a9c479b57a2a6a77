package io.varve.server.node;

import io.varve.storage.DayUse;
import io.varve.storage.StoreTotals;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedSet;
import java.util.TreeMap;

/** What a node tells about disks, as a tree. */
final class DiskStatus {
  /** Days named one by one, the newest. */
  private static final int MOST_DAYS = 32;

  private final NodeFacts facts;
  private final NodeStatus status;
  private final Map<String, Object> besideRows;

  /**
   * @param besideRows what {@link #besideRows(Path)} told
   */
  DiskStatus(NodeFacts facts, NodeStatus status, Map<String, Object> besideRows) {
    this.facts = facts;
    this.status = status;
    this.besideRows = besideRows;
  }

  Map<String, Object> tree() {
    Map<String, Long> topics = new TreeMap<>(status.report().topicBytes());
    Map<String, Object> disk = new LinkedHashMap<>();
    disk.put("store_bytes", status.storeBytes());
    disk.put("log_bytes", topics.values().stream().mapToLong(Long::longValue).sum());
    disk.put("topic_bytes", topics);
    disk.put("free_bytes", facts.data().toFile().getUsableSpace());
    disk.put("bytes_a_row", bytesPerRow());
    disk.put("tables", tables());
    disk.put("by_topic_partition", byTopicPartition());
    putDays(disk);
    if (facts.limits().maxBytes().isPresent() || status.capped() > 0) {
      disk.put("cap", cap());
    }
    disk.put("notes", notes());
    return disk;
  }

  /** What a row takes in the store and in the logs, and in all of them. */
  private Map<String, Object> bytesPerRow() {
    long rows = status.totals().values().stream().mapToLong(StoreTotals::stored).sum();
    OptionalDouble store = LogUse.ratio(status.storeBytes(), rows);
    OptionalDouble rowsLog = LogUse.ofRows(status.report().rows(), status.totals()).bytesPerRow();
    OptionalDouble readings = LogUse.ofSources(status.report().sources()).bytesPerRow();
    Map<String, Object> perRow = new LinkedHashMap<>();
    perRow.put("store", shown(store));
    perRow.put("rows", shown(rowsLog));
    perRow.put("readings", shown(readings));
    boolean known = store.isPresent() && rowsLog.isPresent() && readings.isPresent();
    perRow.put(
        "sum",
        shown(
            known
                ? OptionalDouble.of(
                    store.getAsDouble() + rowsLog.getAsDouble() + readings.getAsDouble())
                : OptionalDouble.empty()));
    return perRow;
  }

  private static Object shown(OptionalDouble bytes) {
    return bytes.isPresent() ? Math.round(bytes.getAsDouble() * 100) / 100.0 : "unknown";
  }

  private Map<String, Object> tables() {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put("rows", status.storeBytes());
    tables.putAll(besideRows);
    return tables;
  }

  /** Looks at what else than rows lies in the folder of the stores, file by file. */
  static Map<String, Object> besideRows(Path store) {
    Map<String, Object> tables = new LinkedHashMap<>();
    try {
      FolderSizes others = FolderSizes.of(store);
      tables.put("offsets", others.offsetsBytes());
      tables.put("ledger", others.ledgerBytes());
      tables.put("set_aside", others.setAsideBytes());
    } catch (IOException | DirectoryIteratorException e) {
      tables.put("failure", "can't look at the folder: " + e.getMessage());
    }
    return tables;
  }

  private List<Object> byTopicPartition() {
    List<Object> list = new ArrayList<>();
    status
        .totals()
        .forEach(
            (topicPartition, totals) -> {
              Map<String, Object> entry = new LinkedHashMap<>();
              entry.put("topic_partition", topicPartition);
              put(entry, totals.stored(), totals.bytes());
              list.add(entry);
            });
    return list;
  }

  private void putDays(Map<String, Object> disk) {
    List<DayUse> days = status.days();
    int named = Math.min(MOST_DAYS, days.size());
    List<Object> list = new ArrayList<>();
    for (DayUse day : days.subList(0, named)) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("day", LocalDate.ofEpochDay(day.day()).toString());
      put(entry, day.rows(), day.bytes());
      list.add(entry);
    }
    disk.put("by_day", list);
    disk.put("more_days", days.size() - named);
    disk.put(
        "more_days_bytes",
        days.subList(named, days.size()).stream().mapToLong(DayUse::bytes).sum());
  }

  private static void put(Map<String, Object> entry, long rows, long bytes) {
    entry.put("rows", rows);
    entry.put("bytes", bytes);
    entry.put("bytes_a_row", shown(LogUse.ratio(bytes, rows)));
  }

  private Map<String, Object> cap() {
    Map<String, Object> cap = new LinkedHashMap<>();
    SortedSet<Integer> days = status.cappedDays();
    facts.limits().maxBytes().ifPresent(bytes -> cap.put("max_store_bytes", bytes));
    cap.put("capped_rows", status.capped());
    cap.put("capped_days", days.size());
    if (!days.isEmpty()) {
      cap.put("newest_capped_day", LocalDate.ofEpochDay(days.last()).toString());
    }
    return cap;
  }

  private List<Object> notes() {
    List<Object> notes = new ArrayList<>();
    boolean capped = facts.limits().maxBytes().isPresent();
    if (facts.retention().isEmpty() && !capped) {
      notes.add(
          "Everything is kept: store_bytes and the topic rows grow without end; set --retention to"
              + " bound both.");
    }
    if (facts.retention().isEmpty() && capped) {
      notes.add(
          "The topic rows grows without end: --max-store-bytes bounds the stores only, --retention"
              + " bounds both.");
    }
    if (status.report().full()) {
      notes.add(
          "The day being written to takes more than --max-store-bytes allows. It stays, so the"
              + " stores grow on: raise the limit, or see that the disk has room.");
    }
    if (facts.ownBroker()) {
      notes.add(
          "One broker on one disk: what is acknowledged survives a crash of the process, not the"
              + " loss of that disk. Use a replicated cluster with -b for data that must.");
    }
    return notes;
  }
}
