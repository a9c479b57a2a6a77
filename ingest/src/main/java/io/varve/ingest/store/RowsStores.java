package io.varve.ingest.store;

import io.varve.ingest.sharder.AutoSharding;
import io.varve.ingest.traffic.Traffic;
import io.varve.storage.Compaction;
import io.varve.storage.PartitionReader;
import io.varve.storage.ShardSize;
import io.varve.storage.StoreState;
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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
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
public final class RowsStores
    implements StateRestoreListener, StandbyUpdateListener, AutoSharding.ServingStores {
  /** Name of the store in the topology, and of its folder in a task's folder. */
  public static final String NAME = "rows";

  private final StoreSettings settings;
  private final LogBounds bounds;
  private final InstantSource clock;
  private final Traffic traffic;
  private final Map<Integer, PartitionStore> open = new ConcurrentHashMap<>();
  private final CappedStores capped;
  private final CompactionRuns compactions = new CompactionRuns(this::parts);

  /**
   * @param maxBytes what all stores together may take on disk; empty for any
   * @param bounds tells what the log holds when a store opens
   * @param traffic watches the stores
   */
  public RowsStores(
      StoreSettings settings,
      OptionalLong maxBytes,
      LogBounds bounds,
      Traffic traffic,
      InstantSource clock) {
    this.settings = settings;
    this.bounds = bounds;
    this.traffic = traffic;
    this.clock = clock;
    this.capped = new CappedStores(maxBytes, open::values);
  }

  /** Returns the stores on this node by topic partition, whatever their state. */
  public List<PartitionReader> readers() {
    List<PartitionReader> readers = new ArrayList<>(open.values());
    readers.sort(Comparator.comparingInt(PartitionReader::topicPartition));
    return readers;
  }

  @Override
  public boolean serves(int topicPartition) {
    PartitionStore store = open.get(topicPartition);
    return store != null && store.state() == StoreState.SERVING;
  }

  @Override
  public List<ShardSize> shardsLargerThan(long bytes, int day) {
    return open.values().stream()
        .flatMap(store -> store.shardsLargerThan(bytes, day).stream())
        .toList();
  }

  private List<CompactionRuns.Part> parts() {
    return open.values().stream()
        .sorted(Comparator.comparingInt(PartitionStore::topicPartition))
        .<CompactionRuns.Part>map(Part::new)
        .toList();
  }

  /** A store in the eyes of {@link CompactionRuns}. */
  private record Part(PartitionStore store) implements CompactionRuns.Part {
    @Override
    public int topicPartition() {
      return store.topicPartition();
    }

    @Override
    public boolean serving() {
      return store.state() == StoreState.SERVING;
    }

    @Override
    public int days() {
      return store.totals().segments();
    }

    @Override
    public int compact() throws IOException {
      return store.compact();
    }

    @Override
    public Compaction compaction() {
      return store.compaction();
    }
  }

  /**
   * Brings every day of every store that serves here into tight form, in the background; joins the
   * run under way if there is one. Standby stores are left alone.
   *
   * @return the days rewritten; fails with an {@link IOException} when a disk has no room, and with
   *     a {@link io.varve.storage.StoreUnavailableException} when a store stopped to serve or
   *     {@link #stopCompacting} was called
   */
  public Future<Integer> compact() {
    return compactions.join();
  }

  /** Progress of the current {@link #compact}, else of the last one. */
  public Compaction compaction() {
    return compactions.progress();
  }

  /** Why the last {@link #compact} did not reach its end; empty if it did. */
  public Optional<String> compactionFailure() {
    return compactions.failure();
  }

  /** Has those who wait for {@link #compact} wait no longer; for the end of the node. */
  public void stopCompacting() {
    compactions.stop();
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
    store.watch(traffic.ofStore());
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

  /**
   * Drops the days of a store that the node's stores together have no room for; on the thread of
   * the store's owner.
   */
  void keepUnderCap(PartitionStore store) {
    if (!capped.isSet()) {
      return;
    }
    OptionalLong newest = newestMicros();
    if (newest.isPresent()) {
      long nowMicros = Math.multiplyExact(clock.millis(), 1000);
      capped.floor(Math.min(nowMicros, newest.getAsLong())).ifPresent(store::dropBefore);
    }
  }

  /** Whether the day being written to alone takes more than the stores may. */
  public boolean full() {
    return capped.full();
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
      keepUnderCap(store); // a replay may bring more than there is room for
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
