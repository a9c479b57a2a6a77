package io.varve.ingest.shards;

import io.varve.schemas.Rfc3339;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic of shard plans from its beginning, on a thread of its own, and keeps what it says
 * in {@link LivePlans}.
 *
 * <p>A round waits for records, takes them in, asks for the end of the topic and, once all before
 * that end has been read, confirms the moment at which it asked. A record that is no plan is
 * counted, told once, and passed over; trouble with the brokers is told once and tried again until
 * it is over.
 */
public final class PlanFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanFollower.class);

  private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);
  private static final long TRY_AGAIN_MILLIS = 500;

  private final String topic;
  private final TopicPartition partition;
  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final LivePlans plans;
  private final Map<PlanKey, ShardPlan> known = new TreeMap<>();
  private final Thread thread;
  private volatile Optional<Consumer<byte[], byte[]>> consumer = Optional.empty();
  private volatile boolean closed;
  private volatile long badRecords;
  private volatile String trouble = "";

  /**
   * @param topic one topic partition, compacted
   * @param consumers makes a consumer without a group that begins at the beginning where it has no
   *     place
   * @param plans filled from the topic
   */
  public PlanFollower(String topic, Supplier<Consumer<byte[], byte[]>> consumers, LivePlans plans) {
    this.topic = topic;
    this.partition = new TopicPartition(topic, 0);
    this.consumers = consumers;
    this.plans = plans;
    this.thread = new Thread(this::run, "varve-shard-plans");
    thread.setDaemon(true);
  }

  /** Begins to follow. */
  public void start() {
    plans.onWaiting(() -> consumer.ifPresent(Consumer::wakeup));
    thread.start();
  }

  /** What is known of the topic now. */
  public PlanReport report() {
    PlanReport.State state =
        plans.isConfirmed()
            ? PlanReport.State.FOLLOWING
            : plans.wasConfirmed() ? PlanReport.State.BEHIND : PlanReport.State.STARTING;
    return new PlanReport(
        state,
        plans.table(),
        badRecords,
        plans.wasConfirmed() ? Optional.of(Duration.ofNanos(plans.age())) : Optional.empty(),
        trouble);
  }

  private void run() {
    while (!closed) {
      try (Consumer<byte[], byte[]> opened = consumers.get()) {
        consumer = Optional.of(opened);
        opened.assign(List.of(partition));
        opened.seekToBeginning(List.of(partition));
        while (!closed) {
          round(opened);
        }
      } catch (InterruptException e) {
        return;
      } catch (RuntimeException e) {
        // The edge of the thread: routers wait while this goes on, so it must go on.
        troubled(e);
        pause();
      } finally {
        consumer = Optional.empty();
      }
    }
  }

  private void round(Consumer<byte[], byte[]> opened) {
    try {
      takeIn(opened.poll(plans.lead().confirmEvery()));
    } catch (WakeupException e) {
      // Somebody waits: confirm now.
    }
    try {
      confirm(opened);
    } catch (WakeupException e) {
      // Somebody else waits as well; the next round is for them.
    } catch (org.apache.kafka.common.errors.TimeoutException e) {
      troubled(e);
    }
  }

  private void confirm(Consumer<byte[], byte[]> opened) {
    long asked = plans.now();
    Duration atMost = plans.lead().lead();
    long end = opened.endOffsets(List.of(partition), atMost).getOrDefault(partition, 0L);
    while (opened.position(partition, atMost) < end) {
      if (closed) {
        return;
      }
      takeIn(opened.poll(plans.lead().confirmEvery()));
    }
    if (!plans.wasConfirmed()) {
      LOG.info("Shard plans read: topic={} plans={}", topic, known.size());
    }
    if (!trouble.isEmpty()) {
      trouble = "";
      LOG.info("Shard plans are followed again: topic={}", topic);
    }
    plans.confirm(asked);
  }

  private void takeIn(ConsumerRecords<byte[], byte[]> records) {
    if (records.isEmpty()) {
      return;
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      takeIn(record);
    }
    plans.learn(new PlanTable(known.values()));
  }

  private void takeIn(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.key() == null) {
        throw new PlanCodec.NoPlanException("it has no key");
      }
      if (record.value() == null) {
        known.remove(PlanCodec.key(record.key()));
        return;
      }
      ShardPlan plan = PlanCodec.plan(record.key(), record.value());
      boolean isNew = !plan.equals(known.put(PlanKey.of(plan), plan));
      if (isNew && plans.wasConfirmed()) {
        LOG.info(
            "Shard plan: sensor={} shards={} from={} revision={} reason={}",
            plan.sensor(),
            plan.shards(),
            Rfc3339.format(plan.effectiveFromMicros()),
            plan.revision(),
            plan.reason());
      }
    } catch (PlanCodec.NoPlanException e) {
      if (badRecords++ == 0) {
        LOG.warn(
            "A record of the plan topic is no shard plan and is passed over; further ones are only"
                + " counted: topic={} offset={} cause={}",
            topic,
            record.offset(),
            e.getMessage());
      }
    }
  }

  private void troubled(RuntimeException e) {
    if (closed) {
      return;
    }
    if (trouble.isEmpty()) {
      LOG.warn(
          "Shard plans cannot be followed, routing waits until they can: topic={} cause={}",
          topic,
          e.toString());
    }
    trouble = e instanceof KafkaException ? String.valueOf(e.getMessage()) : e.toString();
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(closed ? 0 : TRY_AGAIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
  }

  /** Stops to follow. */
  @Override
  public void close() {
    closed = true;
    plans.stop();
    consumer.ifPresent(Consumer::wakeup);
    try {
      thread.join(CLOSE_WAIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
