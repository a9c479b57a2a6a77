package io.varve.ingest.shards;

import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;

/**
 * One node's part in shard plans: follows their topic, answers what it says, and writes new plans
 * for whoever decides them, a person or a program. Thread-safe.
 */
public final class ShardPlans implements AutoCloseable {
  private final LivePlans live;
  private final PlanFollower follower;
  private final PlanWriter writer;
  private final LongSupplier nowMicros;

  /**
   * @param topic topic of the plans
   * @param consumers makes a consumer for a {@link PlanFollower}
   * @param producers makes a producer for a plan's writer, which gives a record up within a quarter
   *     of the lead
   * @param nowMicros the clock, in microseconds since 1970
   */
  public ShardPlans(
      String topic,
      PlanLead lead,
      Supplier<Consumer<byte[], byte[]>> consumers,
      Function<PlanLead, Producer<byte[], byte[]>> producers,
      LongSupplier nowMicros) {
    this.live = new LivePlans(lead, System::nanoTime);
    this.follower = new PlanFollower(topic, consumers, live);
    this.writer = new PlanWriter(topic, lead, producers);
    this.nowMicros = nowMicros;
  }

  /** Begins to follow the topic. */
  public void start() {
    follower.start();
  }

  /** The plans as routers and readers look them up. */
  public LivePlans live() {
    return live;
  }

  /** How this node stands with the plans now. */
  public PlanReport report() {
    return follower.report();
  }

  /** How far ahead of now a new plan takes hold, in microseconds. */
  public long leadMicros() {
    return live.lead().micros();
  }

  /** Tells what a proposal would come to now. */
  public PlanDecision decide(PlanProposal proposal) {
    return PlanDecision.of(proposal, live.table(), live.lead(), nowMicros.getAsLong());
  }

  /**
   * Writes the plan that a proposal comes to, unless it changes nothing, and waits until this node
   * follows it. Whether a plan may begin in the past is for the caller to find out, who knows the
   * stores.
   *
   * @return what was decided
   * @throws PlanNotWrittenException if the plans that are there are not known for certain, or it
   *     was not confirmed by the brokers in time
   */
  public PlanDecision write(PlanProposal proposal) throws PlanNotWrittenException {
    return write(proposal, OptionalInt.empty());
  }

  /**
   * The same, unless the sensor has other shards by then than the proposal supposed.
   *
   * @param shardsBefore how many it must have; the decision then tells how many it has, and was not
   *     written if they differ
   */
  public synchronized PlanDecision write(PlanProposal proposal, OptionalInt shardsBefore)
      throws PlanNotWrittenException {
    if (!live.isConfirmed()) {
      throw new PlanNotWrittenException(
          "The plans that are there are not known for certain at the moment.");
    }
    PlanDecision first = decide(proposal);
    if (!first.changes()
        || (shardsBefore.isPresent() && shardsBefore.getAsInt() != first.shardsBefore())) {
      return first;
    }
    PlanDecision[] decided = {first};
    ShardPlan plan =
        writer.write(
            () -> {
              decided[0] = decide(proposal);
              return decided[0].plan();
            });
    if (!live.await(plan, TimeUnit.SECONDS.toNanos(2))) {
      throw new PlanNotWrittenException(
          "The plan was written, but this node has not read it back; it holds nevertheless.");
    }
    return decided[0];
  }

  /** Has routers that wait for plans wait no longer; to be called before they are stopped. */
  public void stopWaiting() {
    live.stop();
  }

  @Override
  public void close() {
    follower.close();
    writer.close();
  }
}
