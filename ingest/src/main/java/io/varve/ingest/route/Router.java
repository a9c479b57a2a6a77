package io.varve.ingest.route;

import io.varve.ingest.check.ReadingChecks;
import io.varve.ingest.check.Refusal;
import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.ledger.SourceCounts;
import io.varve.schemas.ReadingDecoder;
import io.varve.schemas.ReadingSink;
import io.varve.schemas.Undecodable;
import io.varve.storage.placement.Placement;
import io.varve.storage.rows.RowPack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns source records into records of {@code rows}: decodes, checks, places, and sets aside what
 * is bad. One for each task; runs on its stream thread.
 *
 * <p>Each source record becomes at most one record for each topic partition that its readings
 * belong to (more where one would be too large), and at most one dead letter. Nothing that is in a
 * record stops it: only the log, the brokers and bugs outside the decoder can.
 */
final class Router implements Processor<byte[], byte[], byte[], byte[]>, ReadingSink {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);

  private final RouterSettings settings;
  private final Ledger ledger;
  private final ReadingDecoder decoder;
  private final ReadingChecks checks;
  private final Placement placement;
  private final DeadLetter deadLetter;
  private final RowPack.Writer[] writers;
  private final int[] touched;
  private final List<Finished> finished = new ArrayList<>();
  private final int[] refusedCounts = new int[Refusal.values().length];

  private @Nullable ProcessorContext<byte[], byte[]> context;
  private Ledger.@Nullable Entry entry;
  private int touchedCount;
  private int member;
  private int routed;
  private long nowMicros;

  /** A record of rows that was full before its source record ended. */
  private record Finished(int topicPartition, byte[] value) {}

  Router(RouterSettings settings, Ledger ledger) {
    this.settings = settings;
    this.ledger = ledger;
    this.decoder = new ReadingDecoder(settings.schemas());
    this.checks = settings.checks();
    int topicPartitions = settings.keys().topicPartitions();
    this.placement = new Placement(topicPartitions, settings.shardCounts());
    this.deadLetter = new DeadLetter(settings.maxDeadLetterBytes());
    this.writers = new RowPack.Writer[topicPartitions];
    for (int p = 0; p < topicPartitions; p++) {
      writers[p] = new RowPack.Writer();
    }
    this.touched = new int[topicPartitions];
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    forgetRecord(); // A revived task initialises its processors again, perhaps after a half record.
    KeyValueStore<String, String> store = context.getStateStore(settings.ledgerStore());
    entry =
        ledger.open(
            new SourceCounts(
                settings.sourceTopic(), context.taskId().partition(), settings.sourceTopicId()),
            store);
  }

  private void forgetRecord() {
    finished.clear();
    touchedCount = 0;
    for (RowPack.Writer writer : writers) {
      writer.clear();
    }
    Arrays.fill(refusedCounts, 0);
    deadLetter.clear();
  }

  @Override
  public void close() {
    if (entry != null) {
      entry.close();
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    begin(record.timestamp());
    decode(record.value()).ifPresent(fault -> deadLetter.cannotDecode(member, fault));
    forwardRows(record.timestamp());
    RecordMetadata origin = running().recordMetadata().orElseThrow();
    if (!deadLetter.isEmpty()) {
      running().forward(deadLetter.of(record, origin), settings.deadLetterSink());
    }
    count(origin.offset());
  }

  private ProcessorContext<byte[], byte[]> running() {
    if (context == null) {
      throw new IllegalStateException("router is not initialised");
    }
    return context;
  }

  private void begin(long arrivalMillis) {
    nowMicros = arrivalMillis * 1000;
    member = 0;
    routed = 0;
    deadLetter.clear();
  }

  private Optional<Undecodable> decode(byte @Nullable [] value) {
    if (value == null) {
      return Optional.of(Undecodable.TOMBSTONE);
    }
    try {
      return decoder.decode(value, this);
    } catch (RuntimeException e) {
      // A fault of the decoder must not take the stream down with one record: quarantine it.
      LOG.error(
          "Decoder failed, record goes to the dead letters: topic={}", settings.sourceTopic(), e);
      return Optional.of(
          new Undecodable(
              Undecodable.Reason.GARBAGE,
              "decoder failed error=" + e,
              "report this record: the decoder is meant to take any bytes"));
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
    Refusal refusal =
        checks.check(id, idOffset, idLength, hasTimestamp, timestampMicros, hasValue, nowMicros);
    if (refusal != null) {
      refusedCounts[refusal.ordinal()]++;
      deadLetter.refuse(member++, refusal);
      return;
    }
    placement.place(id, idOffset, idLength, timestampMicros, sequence);
    int topicPartition = placement.topicPartition();
    RowPack.Writer writer = writers[topicPartition];
    if (writer.rows() == 0) {
      touched[touchedCount++] = topicPartition;
    }
    writer.add(
        id,
        idOffset,
        idLength,
        placement.shard(),
        timestampMicros,
        sequence,
        Double.doubleToRawLongBits(value));
    if (writer.size() > settings.maxRowsBytes() - RowPack.MAX_ROW_BYTES) {
      finished.add(new Finished(topicPartition, writer.toBytes()));
      clear(topicPartition, writer);
    }
    member++;
    routed++;
  }

  /** Takes a full writer off the list of touched ones. */
  private void clear(int topicPartition, RowPack.Writer writer) {
    writer.clear();
    for (int i = 0; i < touchedCount; i++) {
      if (touched[i] == topicPartition) {
        touched[i] = touched[--touchedCount];
        return;
      }
    }
  }

  @Override
  public void unusable(Undecodable fault) {
    refusedCounts[Refusal.BAD_FIELD.ordinal()]++;
    deadLetter.refuse(member++, fault);
  }

  private void forwardRows(long timestampMillis) {
    for (Finished full : finished) {
      forward(full.topicPartition(), full.value(), timestampMillis);
    }
    finished.clear();
    while (touchedCount > 0) {
      int topicPartition = touched[--touchedCount];
      RowPack.Writer writer = writers[topicPartition];
      byte[] value = writer.toBytes();
      writer.clear();
      forward(topicPartition, value, timestampMillis);
    }
  }

  private void forward(int topicPartition, byte[] value, long timestampMillis) {
    running()
        .forward(
            new Record<>(settings.keys().key(topicPartition), value, timestampMillis),
            settings.rowsSink());
  }

  private void count(long offset) {
    if (entry == null) {
      throw new IllegalStateException("router is not initialised");
    }
    SourceCounts counts = entry.counts();
    boolean first = offset > counts.through();
    if (first && routed > 0) {
      counts.addRouted(routed);
    }
    if (!deadLetter.isEmpty()) {
      countFaults(counts, first);
    }
    if (first) {
      counts.countedThrough(offset);
    }
  }

  private void countFaults(SourceCounts counts, boolean first) {
    for (Refusal refusal : Refusal.values()) {
      int n = refusedCounts[refusal.ordinal()];
      refusedCounts[refusal.ordinal()] = 0;
      if (first && n > 0) {
        counts.addRefused(refusal, n);
      }
    }
    if (first && deadLetter.hasUndecodable()) {
      counts.addDeadLettered();
    }
  }
}
