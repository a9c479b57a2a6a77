package io.varve.ingest.shards;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Puts plans into their topic. Decides nothing. Thread-safe; connects with its first plan. */
final class PlanWriter implements AutoCloseable {
  private final String topic;
  private final PlanLead lead;
  private final Function<PlanLead, Producer<byte[], byte[]>> producers;
  private @Nullable Producer<byte[], byte[]> producer;
  private boolean closed;

  /**
   * @param producers makes a producer that gives a record up within {@link PlanLead#writtenWithin}
   */
  PlanWriter(String topic, PlanLead lead, Function<PlanLead, Producer<byte[], byte[]>> producers) {
    this.topic = topic;
    this.lead = lead;
    this.producers = producers;
  }

  /**
   * Writes a plan; returns when every replica in sync has it.
   *
   * @param decide makes the plan once the brokers are known to be there, so that its lead does not
   *     run out while they are looked for
   * @throws PlanNotWrittenException if no broker can be reached, or none confirmed in time: then it
   *     may have been written or not
   */
  synchronized ShardPlan write(Supplier<ShardPlan> decide) throws PlanNotWrittenException {
    if (closed) {
      throw new PlanNotWrittenException("The node is stopping.");
    }
    ShardPlan plan;
    Future<RecordMetadata> sent;
    try {
      Producer<byte[], byte[]> connected = connected();
      plan = decide.get();
      sent =
          connected.send(
              new ProducerRecord<>(topic, 0, PlanCodec.key(plan), PlanCodec.value(plan)));
    } catch (KafkaException e) {
      throw new PlanNotWrittenException(
          "The brokers cannot be reached (" + e.getMessage() + ").", e);
    }
    try {
      Duration atMost = lead.writtenWithin();
      RecordMetadata unused = sent.get(atMost.toMillis() + 250, TimeUnit.MILLISECONDS);
      return plan;
    } catch (ExecutionException e) {
      throw uncertain(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw uncertain(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw uncertain(e);
    }
  }

  private static PlanNotWrittenException uncertain(Throwable cause) {
    return new PlanNotWrittenException(
        "The brokers did not confirm the plan in time, so it may hold or not (" + cause + ").",
        cause);
  }

  private Producer<byte[], byte[]> connected() {
    Producer<byte[], byte[]> made = producer;
    if (made == null) {
      made = producers.apply(lead);
      producer = made;
    }
    var unused = made.partitionsFor(topic);
    return made;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (producer != null) {
      producer.close(Duration.ZERO);
    }
  }
}
