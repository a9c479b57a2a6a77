package io.varve.load.streams;

import io.varve.schemas.ReadingDecoder;
import io.varve.schemas.ReadingSink;
import io.varve.schemas.Undecodable;
import io.varve.schemas.WriterSchemas;
import java.nio.ByteBuffer;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Puts each reading of a record into the store. One for each task. */
final class RowsProcessor implements Processor<byte[], byte[], Void, Void>, ReadingSink {
  static final String STORE = "rows";

  /** February 1970 and the year 2900, beyond which Varve refuses a reading's time. */
  private static final long FROM_MICROS = 31 * 86_400_000_000L;

  private static final long TO_MICROS = 29_348_000_000_000_000L;

  private final Counts counts;
  private final ReadingDecoder decoder = new ReadingDecoder(WriterSchemas.released());
  private @Nullable KeyValueStore<byte[], byte[]> store;

  RowsProcessor(Counts counts) {
    this.counts = counts;
  }

  @Override
  public void init(ProcessorContext<Void, Void> context) {
    store = context.getStateStore(STORE);
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (record.value() == null || decoder.decode(record.value(), this).isPresent()) {
      counts.undecodable.increment();
    }
  }

  @Override
  public void reading(
      byte[] id,
      int idOffset,
      int idLength,
      boolean hasTimestamp,
      long timestampMicros,
      boolean hasValue,
      double value,
      long sequence) {
    boolean usable = idLength > 0 && idLength <= 256 && hasTimestamp && hasValue;
    if (!usable || timestampMicros < FROM_MICROS || timestampMicros >= TO_MICROS) {
      counts.refused.increment();
      return;
    }
    byte[] bits = ByteBuffer.allocate(Long.BYTES).putDouble(value).array();
    if (store == null) {
      throw new IllegalStateException("the processor is not initialised");
    }
    store.put(RowKey.of(id, idOffset, idLength, timestampMicros, sequence), bits);
    counts.stored.increment();
  }

  @Override
  public void unusable(Undecodable fault) {
    counts.refused.increment();
  }
}
