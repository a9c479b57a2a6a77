package io.varve.ingest.shards;

import io.varve.storage.Fragment;
import io.varve.storage.MergeCursor;
import io.varve.storage.Order;
import io.varve.storage.ReadStats;
import io.varve.storage.Row;
import io.varve.storage.RowCursor;
import io.varve.storage.Scan;
import io.varve.storage.SensorId;
import io.varve.storage.TimeRange;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import io.varve.storage.placement.SpeakingShard;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The stores of all topic partitions, and the log of each. */
final class PlannedStores implements AutoCloseable {
  static final int TOPIC_PARTITIONS = 5;

  final List<PartitionStore> stores = new ArrayList<>();
  final List<List<byte[]>> logs = new ArrayList<>();

  PlannedStores(Path folder) throws IOException {
    for (int p = 0; p < TOPIC_PARTITIONS; p++) {
      StoreSettings settings = StoreSettings.defaults(TOPIC_PARTITIONS);
      PartitionStore store = PartitionStore.open(folder.resolve("" + p), p, settings);
      store.logBounds(0, 0);
      store.restoreFinished();
      stores.add(store);
      logs.add(new ArrayList<>());
    }
  }

  void apply(int topicPartition, byte[] record) {
    List<byte[]> log = logs.get(topicPartition);
    stores.get(topicPartition).apply(log.size(), record);
    log.add(record);
  }

  /** Applies a row where it was just placed. */
  void apply(Placement placed, byte[] id, Row row) {
    RowPack.Writer writer = new RowPack.Writer();
    writer.add(
        id,
        0,
        id.length,
        placed.shard(),
        row.timestampMicros(),
        row.sequence(),
        Double.doubleToRawLongBits(row.value()));
    apply(placed.topicPartition(), writer.toBytes());
  }

  /** Reads all rows as a reader who knows these plans does. */
  List<Row> read(SensorId sensor, Order order, ShardCounts plans) {
    SpeakingShard speaking = new SpeakingShard(plans, sensor);
    Map<Integer, List<Integer>> shards = new TreeMap<>();
    Map<Integer, List<RowCursor>> days = new TreeMap<>();
    for (PartitionStore store : stores) {
      for (Fragment fragment : store.fragments(sensor, TimeRange.ALL)) {
        Scan scan = new Scan(TimeRange.ALL, order, Optional.empty(), 10);
        days.computeIfAbsent(fragment.day(), day -> new ArrayList<>())
            .add(store.read(sensor, fragment, scan, new ReadStats()));
        shards.computeIfAbsent(fragment.day(), day -> new ArrayList<>()).add(fragment.shard());
      }
    }
    List<Integer> inOrder = new ArrayList<>(days.keySet());
    if (order == Order.NEWEST_FIRST) {
      Collections.reverse(inOrder);
    }
    List<Row> rows = new ArrayList<>();
    for (int day : inOrder) {
      List<Integer> of = shards.getOrDefault(day, List.of());
      List<RowCursor> cursors = days.getOrDefault(day, List.of());
      try (RowCursor merged =
          MergeCursor.of(
              cursors,
              order,
              (timestamp, sequence, a, b) ->
                  speaking.prefers(timestamp, sequence, of.get(a), of.get(b)))) {
        while (merged.next()) {
          rows.add(new Row(merged.timestampMicros(), merged.sequence(), merged.value()));
        }
      }
    }
    return rows;
  }

  @Override
  public void close() {
    stores.forEach(PartitionStore::close);
  }
}
