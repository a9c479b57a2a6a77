package io.varve.ingest.store;

import io.varve.storage.PartitionReader;
import io.varve.storage.engine.PartitionStore;
import io.varve.storage.engine.StoreSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.StateRestoreListener;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * The partition stores that are open on this node, and what Streams needs to make and feed them.
 * Thread-safe.
 */
public final class RowsStores implements StateRestoreListener, StandbyUpdateListener {
  /** Name of the store in the topology, and of its folder in a task's folder. */
  public static final String NAME = "rows";

  private final StoreSettings settings;
  private final LogBounds bounds;
  private final InstantSource clock;
  private final Map<Integer, PartitionStore> open = new ConcurrentHashMap<>();

  /**
   * @param bounds tells what the log holds when a store opens
   */
  public RowsStores(StoreSettings settings, LogBounds bounds, InstantSource clock) {
    this.settings = settings;
    this.bounds = bounds;
    this.clock = clock;
  }

  /** Returns the stores on this node by topic partition, whatever their state. */
  public List<PartitionReader> readers() {
    List<PartitionReader> readers = new ArrayList<>(open.values());
    readers.sort(Comparator.comparingInt(PartitionReader::topicPartition));
    return readers;
  }

  /** Returns what makes stores for the topology. */
  public StoreBuilder<RowsStore> builder() {
    return new RowsStoreBuilder(NAME, this);
  }

  /** Returns a processor that applies rows. */
  public Processor<byte[], byte[], Void, Void> applier() {
    return new RowsApplier(NAME, clock);
  }

  PartitionStore open(Path folder, int topicPartition) {
    LogBounds.Span log = bounds.of(topicPartition);
    PartitionStore store;
    try {
      store = PartitionStore.open(folder, topicPartition, settings);
    } catch (IOException e) {
      throw new UncheckedIOException("store cannot be opened: folder=" + folder, e);
    }
    store.logBounds(log.beginOffset(), log.endOffset());
    open.put(topicPartition, store);
    return store;
  }

  void close(PartitionStore store) {
    open.remove(store.topicPartition(), store);
    store.close();
  }

  /**
   * Returns the timestamp of the newest row of all stores here; empty before the first row. A store
   * alone may get no newer rows for days: a sensor's days lie in different topic partitions.
   */
  OptionalLong newestMicros() {
    return open.values().stream()
        .map(store -> store.freshness().eventTimeMicros())
        .flatMapToLong(OptionalLong::stream)
        .max();
  }

  @Override
  public void onBatchRestored(
      TopicPartition topicPartition, String storeName, long batchEndOffset, long numRestored) {
    restoredThrough(topicPartition, storeName, batchEndOffset);
  }

  private void restoredThrough(TopicPartition topicPartition, String storeName, long offset) {
    PartitionStore store = open.get(topicPartition.partition());
    if (storeName.equals(NAME) && store != null) {
      store.restoredThrough(offset);
    }
  }

  @Override
  public void onRestoreStart(
      TopicPartition topicPartition, String storeName, long startingOffset, long endingOffset) {}

  @Override
  public void onRestoreEnd(TopicPartition topicPartition, String storeName, long totalRestored) {}

  @Override
  public void onUpdateStart(TopicPartition topicPartition, String storeName, long startingOffset) {}

  @Override
  public void onBatchLoaded(
      TopicPartition topicPartition,
      String storeName,
      TaskId taskId,
      long batchEndOffset,
      long batchSize,
      long currentEndOffset) {
    restoredThrough(topicPartition, storeName, batchEndOffset);
  }

  @Override
  public void onUpdateSuspended(
      TopicPartition topicPartition,
      String storeName,
      long storeOffset,
      long currentEndOffset,
      SuspendReason reason) {}
}
