package io.varve.query.plan;

import io.varve.storage.InMemoryPartition;
import io.varve.storage.PartitionReader;
import io.varve.storage.Row;
import io.varve.storage.SensorId;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import io.varve.storage.placement.Placement;
import io.varve.storage.placement.ShardCounts;
import io.varve.storage.rows.RowPack;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Stores of all topic partitions, written to as routers do: each row where placement says. */
final class ShardedStores implements AutoCloseable {
  static final int TOPIC_PARTITIONS = 4;

  private final List<PartitionReader> readers = new ArrayList<>();
  private final RowPack.Writer pack = new RowPack.Writer();
  private long offset;

  private ShardedStores() {}

  /** Stores of the model. */
  static ShardedStores inMemory() {
    ShardedStores stores = new ShardedStores();
    for (int p = 0; p < TOPIC_PARTITIONS; p++) {
      stores.readers.add(new InMemoryPartition(p));
    }
    return stores;
  }

  /** Stores of the engine. */
  static ShardedStores offHeap(Path folder) {
    ShardedStores stores = new ShardedStores();
    for (int p = 0; p < TOPIC_PARTITIONS; p++) {
      try {
        PartitionStore store =
            PartitionStore.open(
                folder.resolve("p" + p), p, StoreSettings.defaults(TOPIC_PARTITIONS));
        store.restoreFinished();
        stores.readers.add(store);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return stores;
  }

  /** Applies a row where a router places it that knows these plans. */
  void put(SensorId sensor, Row row, ShardCounts plans) {
    Placement placement = new Placement(TOPIC_PARTITIONS, plans);
    byte[] id = sensor.utf8();
    placement.place(id, 0, id.length, row.timestampMicros(), row.sequence());
    PartitionReader reader = readers.get(placement.topicPartition());
    if (reader instanceof PartitionStore store) {
      pack.clear();
      pack.add(
          id,
          0,
          id.length,
          placement.shard(),
          row.timestampMicros(),
          row.sequence(),
          Double.doubleToRawLongBits(row.value()));
      store.apply(offset++, pack.toBytes());
    } else if (reader instanceof InMemoryPartition model) {
      model.put(sensor, placement.shard(), row, offset++);
    }
  }

  /** The stores as a reader sees them that knows these plans. */
  ServingStores seenWith(ShardCounts plans) {
    return new ServingStores(readers, plans);
  }

  @Override
  public void close() {
    for (PartitionReader reader : readers) {
      if (reader instanceof PartitionStore store) {
        store.close();
      } else if (reader instanceof InMemoryPartition model) {
        model.assertNoOpenCursors();
      }
    }
  }
}
