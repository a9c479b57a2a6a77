package io.varve.ingest.shards;

import io.varve.storage.placement.ShardCounts;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The plans as this node knows them, and how sure it is that they are all.
 *
 * <p>Filled by the {@link PlanFollower}, asked by routers for each row and by readers for the rare
 * key that two shards hold. Thread-safe; what is looked up is one field while there are no plans.
 *
 * <p>{@code confirmed} is a moment at which the end of the topic was asked for, all before that end
 * being in the table. A router goes on as long as it is recent, and newer than the router itself:
 * one that takes a topic partition over then knows whatever plan the one before it knew, so two
 * values of one key never go to shards in the wrong order.
 */
public final class LivePlans implements ShardCounts {
  private final PlanLead lead;
  private final LongSupplier nanoClock;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  private volatile PlanTable table = PlanTable.EMPTY;
  private volatile long confirmed;
  private volatile boolean everConfirmed;
  private volatile boolean stopped;
  private volatile Runnable confirmSoon = () -> {};

  /**
   * @param nanoClock monotonic, in nanoseconds, as {@link System#nanoTime}
   */
  public LivePlans(PlanLead lead, LongSupplier nanoClock) {
    this.lead = lead;
    this.nanoClock = nanoClock;
  }

  PlanLead lead() {
    return lead;
  }

  @Override
  public int at(byte[] id, int idOffset, int idLength, long timestampMicros) {
    PlanTable now = table;
    return now == PlanTable.EMPTY ? 1 : now.at(id, idOffset, idLength, timestampMicros);
  }

  @Override
  public boolean planned(byte[] id, int idOffset, int idLength) {
    PlanTable now = table;
    return now != PlanTable.EMPTY && now.planned(id, idOffset, idLength);
  }

  /** Returns the plans known now. */
  public PlanTable table() {
    return table;
  }

  /** The present, to be given to {@link #isConfirmed} later. */
  public long now() {
    return nanoClock.getAsLong();
  }

  /** Replaces the plans. */
  void learn(PlanTable plans) {
    lock.lock();
    try {
      table = plans.isEmpty() ? PlanTable.EMPTY : plans;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Notes that the table holds all plans that were in the topic at a moment. */
  public void confirm(long nanos) {
    lock.lock();
    try {
      confirmed = nanos;
      everConfirmed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Has somebody asked to confirm at once rather than when it is due. */
  void onWaiting(Runnable confirmSoon) {
    this.confirmSoon = confirmSoon;
  }

  /** Tells whether the plans are known well enough to place rows by. */
  public boolean isConfirmed() {
    return everConfirmed && nanoClock.getAsLong() - confirmed <= lead.confirmedWithinNanos();
  }

  /** Tells whether that is so, and was confirmed at a moment or later. */
  public boolean isConfirmed(long since) {
    return isConfirmed() && confirmed - since >= 0;
  }

  /** Tells whether the end of the topic was ever reached. */
  boolean wasConfirmed() {
    return everConfirmed;
  }

  /** Nanoseconds since the moment that was last confirmed. */
  long age() {
    return nanoClock.getAsLong() - confirmed;
  }

  /**
   * Waits until {@link #isConfirmed(long)}.
   *
   * @return false if it was not so in time, or the node stops, or the thread was interrupted
   */
  public boolean await(long since, long atMostNanos) {
    confirmSoon.run();
    return await(() -> isConfirmed(since), atMostNanos);
  }

  /** Waits until the table holds a plan or one that came after it. */
  boolean await(ShardPlan plan, long atMostNanos) {
    return await(
        () ->
            table.of(plan.sensor()).stream()
                .anyMatch(
                    known ->
                        known.effectiveFromMicros() == plan.effectiveFromMicros()
                            && known.revision() >= plan.revision()),
        atMostNanos);
  }

  private boolean await(java.util.function.BooleanSupplier holds, long atMostNanos) {
    long end = System.nanoTime() + atMostNanos;
    lock.lock();
    try {
      while (!holds.getAsBoolean()) {
        long left = end - System.nanoTime();
        if (left <= 0 || stopped) {
          return false;
        }
        long unused = changed.awaitNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Has all who wait, and will, wait no longer: the node stops. */
  public void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
