package io.varve.ingest.store;

import io.varve.storage.engine.PartitionStore;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.jspecify.annotations.Nullable;

/**
 * One task's partition store in the shape that Streams drives: opened by {@link #init}, fed by
 * restore and by {@link RowsApplier}, asked for its offsets, closed.
 *
 * <p>The store keeps its own offset with its rows, so {@link #commit} only asks for a background
 * force and {@link #committedOffset} answers what a completed one covers.
 */
public final class RowsStore implements StateStore {
  /** What Streams passes for an offset that it does not know. */
  private static final long OFFSET_UNKNOWN = -4;

  private final String name;
  private final RowsStores stores;
  private @Nullable PartitionStore store;
  private @Nullable TaskId task;

  RowsStore(String name, RowsStores stores) {
    this.name = name;
    this.stores = stores;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    task = context.taskId();
    Path folder = context.stateDir().toPath().resolve(name);
    store = stores.open(folder, task.partition());
    context.register(root, new Restore());
  }

  /** What restore hands over: rows past the processor, through the same apply. */
  private final class Restore implements BatchingStateRestoreCallback {
    @Override
    public void restoreAll(Collection<KeyValue<byte[], byte[]>> records) {
      PartitionStore open = open();
      for (KeyValue<byte[], byte[]> record : records) {
        open.restore(record.value == null ? RowsApplier.NO_BYTES : record.value);
      }
    }
  }

  private PartitionStore open() {
    if (store == null) {
      throw new IllegalStateException("store is not open: name=" + name + " task=" + task);
    }
    return store;
  }

  void apply(long offset, byte[] value) {
    open().apply(offset, value);
  }

  void restoreFinished() {
    open().restoreFinished();
  }

  void expire(long nowMicros) {
    PartitionStore open = open();
    stores.newestMicros().ifPresent(newest -> open.expire(Math.min(nowMicros, newest)));
  }

  void keepUnderCap() {
    stores.keepUnderCap(open());
  }

  /**
   * Has the task restored again if the store found damage.
   *
   * @throws TaskCorruptedException if so, which is how Streams is told
   */
  void rebuildIfWanted() {
    if (task != null && open().rebuildWanted()) {
      throw new TaskCorruptedException(Set.of(task));
    }
  }

  /**
   * Takes the offset of the newest record that the store has been given. An empty map means that
   * the task is corrupted and every offset is forgotten; a store that asked for its own rebuild
   * knows better how far back it must be restored, and ignores that.
   */
  @Override
  public void commit(Map<TopicPartition, Long> offsets) {
    PartitionStore open = open();
    if (offsets.isEmpty()) {
      open.forgetOffsets();
      return;
    }
    for (Long offset : offsets.values()) {
      if (offset == null) {
        open.forgetOffsets();
      } else if (offset != OFFSET_UNKNOWN) {
        open.commit(offset);
      }
    }
  }

  @Override
  @SuppressWarnings("NullAway") // Null is how Streams is told that there is none.
  public Long committedOffset(TopicPartition partition) {
    OptionalLong offset = open().committedOffset();
    return offset.isPresent() ? offset.getAsLong() : null;
  }

  @Override
  @SuppressWarnings("deprecation") // Still how a store says that it needs no checkpoint file.
  public boolean managesOffsets() {
    return true;
  }

  @Override
  public void close() {
    PartitionStore closing = store;
    if (closing != null) {
      store = null;
      stores.close(closing);
    }
  }

  @Override
  public boolean persistent() {
    return true;
  }

  @Override
  public boolean isOpen() {
    return store != null;
  }
}
