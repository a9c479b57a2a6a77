package io.varve.ingest.route;

import io.varve.ingest.check.ReadingChecks;
import io.varve.ingest.check.Refusal;
import io.varve.ingest.ledger.Ledger;
import io.varve.ingest.ledger.SourceCounts;
import io.varve.ingest.pack.RecordBundle;
import io.varve.ingest.pack.RowPacks;
import io.varve.ingest.shards.LivePlans;
import io.varve.schemas.ReadingDecoder;
import io.varve.schemas.ReadingSink;
import io.varve.schemas.Undecodable;
import io.varve.storage.placement.Placement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns source records into rows: decodes, checks, places, hands over to the packs of its stream
 * thread, and sets aside what is bad. One for each task.
 *
 * <p>Each source record becomes at most one dead letter. Nothing that is in a record stops it: only
 * the log, the brokers and bugs outside the decoder can.
 */
final class Router implements Processor<byte[], byte[], byte[], byte[]>, ReadingSink {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);

  /** For a consumer that does not send before it waits. */
  private static final Duration SEND_AT_LEAST_EVERY = Duration.ofMillis(25);

  /**
   * How long one call waits for shard plans. Then the task goes back to its last commit, and its
   * thread to its other work: not so long that the thread's place in the group is at stake.
   */
  private static final long PLAN_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final RouterSettings settings;
  private final LivePlans plans;
  private final Ledger ledger;
  private final Supplier<RowPacks> packsOfThisThread;
  private final ReadingDecoder decoder;
  private final ReadingChecks checks;
  private final Placement placement;
  private final DeadLetter deadLetter;
  private final int[] refusedCounts = new int[Refusal.values().length];

  private @Nullable ProcessorContext<byte[], byte[]> context;
  private Ledger.@Nullable Entry entry;
  private @Nullable RowPacks packs;
  private int member;
  private int routed;
  private long nowMicros;

  /** Plans must have been confirmed since: whoever routed before may have known newer ones. */
  private long begun;

  Router(RouterSettings settings, Ledger ledger, Supplier<RowPacks> packsOfThisThread) {
    this.settings = settings;
    this.ledger = ledger;
    this.packsOfThisThread = packsOfThisThread;
    this.decoder = new ReadingDecoder(settings.schemas());
    this.checks = settings.checks();
    this.plans = settings.plans();
    this.placement = new Placement(settings.topicPartitions(), plans);
    this.deadLetter = new DeadLetter(settings.maxDeadLetterBytes());
  }

  @Override
  public void init(ProcessorContext<byte[], byte[]> context) {
    this.context = context;
    begun = plans.now();
    // A revived task initialises its processors again, perhaps after a half record.
    Arrays.fill(refusedCounts, 0);
    deadLetter.clear();
    RowPacks mine = packsOfThisThread.get();
    packs = mine;
    mine.open(context.taskId());
    context.schedule(
        SEND_AT_LEAST_EVERY, PunctuationType.WALL_CLOCK_TIME, now -> mine.sendByClock());
    KeyValueStore<String, String> store = context.getStateStore(settings.ledgerStore());
    entry =
        ledger.open(
            new SourceCounts(
                settings.sourceTopic(), context.taskId().partition(), settings.sourceTopicId()),
            store);
  }

  @Override
  public void close() {
    if (entry != null) {
      entry.close();
    }
    if (packs != null && context != null) {
      packs.close(context.taskId());
    }
  }

  @Override
  public void process(Record<byte[], byte[]> record) {
    if (!plans.isConfirmed(begun)) {
      awaitPlans();
    }
    List<ConsumerRecord<byte[], byte[]>> bundled = RecordBundle.in(record.headers());
    if (bundled.isEmpty()) {
      route(asPolled(record), record.timestamp());
      return;
    }
    for (int i = 0; i < bundled.size(); i++) {
      ConsumerRecord<byte[], byte[]> source = bundled.get(i);
      route(source, ArrivalTime.of(source, record.timestamp()));
    }
  }

  /**
   * Waits, and does not guess.
   *
   * @throws TaskCorruptedException if plans are not confirmed in time: Streams then takes the task
   *     back to its last commit, from where it routes again
   */
  private void awaitPlans() {
    if (!plans.await(begun, PLAN_WAIT_NANOS)) {
      throw new TaskCorruptedException(Set.of(running().taskId()));
    }
  }

  private ConsumerRecord<byte[], byte[]> asPolled(Record<byte[], byte[]> record) {
    RecordMetadata origin = running().recordMetadata().orElseThrow();
    return new ConsumerRecord<>(
        origin.topic(),
        origin.partition(),
        origin.offset(),
        record.timestamp(),
        TimestampType.NO_TIMESTAMP_TYPE,
        ConsumerRecord.NULL_SIZE,
        ConsumerRecord.NULL_SIZE,
        record.key(),
        record.value(),
        record.headers(),
        Optional.empty());
  }

  private void route(ConsumerRecord<byte[], byte[]> source, long arrivalMillis) {
    begin(arrivalMillis);
    decode(source.value()).ifPresent(fault -> deadLetter.cannotDecode(member, fault));
    if (!deadLetter.isEmpty()) {
      running().forward(deadLetter.of(source, arrivalMillis), settings.deadLetterSink());
    }
    count(source.offset());
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
    if (packs == null) {
      throw new IllegalStateException("router is not initialised");
    }
    placement.place(id, idOffset, idLength, timestampMicros, sequence);
    packs.add(
        placement.topicPartition(),
        id,
        idOffset,
        idLength,
        placement.shard(),
        timestampMicros,
        sequence,
        Double.doubleToRawLongBits(value));
    member++;
    routed++;
  }

  @Override
  public void unusable(Undecodable fault) {
    refusedCounts[Refusal.BAD_FIELD.ordinal()]++;
    deadLetter.refuse(member++, fault);
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
