package io.varve.ingest.store;

import java.time.Duration;
import java.time.InstantSource;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** Applies records of {@code rows} to the task's store. Runs on the task's stream thread. */
final class RowsApplier implements Processor<byte[], byte[], Void, Void> {
  /** What a record without a value is applied as: the store counts it as unreadable. */
  static final byte[] NO_BYTES = {};

  private static final Duration EXPIRE_EVERY = Duration.ofMinutes(1);
  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private final String storeName;
  private final InstantSource clock;
  private @Nullable ProcessorContext<Void, Void> context;
  private @Nullable RowsStore store;

  RowsApplier(String storeName, InstantSource clock) {
    this.storeName = storeName;
    this.clock = clock;
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    this.context = context;
    RowsStore opened = context.getStateStore(storeName);
    store = opened;
    // Processors start after restore, and also where nothing needed restoring.
    opened.restoreFinished();
    expire(opened); // a start may bring a shorter retention
    context.schedule(EXPIRE_EVERY, PunctuationType.WALL_CLOCK_TIME, now -> expire(opened));
    context.schedule(LOOK_EVERY, PunctuationType.WALL_CLOCK_TIME, now -> look(opened));
  }

  /** Sees to damage, and to what the stores take together. */
  private static void look(RowsStore opened) {
    opened.keepUnderCap();
    opened.rebuildIfWanted();
  }

  private void expire(RowsStore opened) {
    opened.expire(Math.multiplyExact(clock.millis(), 1000));
    opened.keepUnderCap();
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (context == null || store == null) {
      throw new IllegalStateException("applier is not initialised");
    }
    byte[] value = record.value();
    store.apply(context.recordMetadata().orElseThrow().offset(), value == null ? NO_BYTES : value);
  }
}
