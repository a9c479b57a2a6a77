package io.varve.server.node;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

/** What a node tells about disks, as a tree. */
final class DiskStatus {
  private final NodeFacts facts;
  private final NodeStatus status;

  DiskStatus(NodeFacts facts, NodeStatus status) {
    this.facts = facts;
    this.status = status;
  }

  Map<String, Object> tree() {
    Map<String, Long> topics = new TreeMap<>(status.report().topicBytes());
    Map<String, Object> disk = new LinkedHashMap<>();
    disk.put("store_bytes", status.storeBytes());
    disk.put("log_bytes", topics.values().stream().mapToLong(Long::longValue).sum());
    disk.put("topic_bytes", topics);
    disk.put("free_bytes", facts.data().toFile().getUsableSpace());
    if (facts.limits().maxBytes().isPresent() || status.capped() > 0) {
      disk.put("cap", cap());
    }
    disk.put("notes", notes());
    return disk;
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
