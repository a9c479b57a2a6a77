package io.varve.load.run;

import io.varve.load.fleet.KeySet;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What was sent and what came of it. Written by the sending thread and the target's threads, read
 * by all.
 */
public final class Tally {
  private final LongAdder sentRecords = new LongAdder();
  private final LongAdder sentReadings = new LongAdder();
  private final LongAdder sentPoison = new LongAdder();
  private final LongAdder acknowledgedReadings = new LongAdder();
  private final LongAdder failedReadings = new LongAdder();
  private final LongAdder acknowledgedPoison = new LongAdder();
  private final LongAdder settledRecords = new LongAdder();
  private final AtomicLong inFlight = new AtomicLong();
  private final KeySet uncertain = new KeySet();
  private volatile @Nullable String firstFailure;

  void sent(int readings, int poison) {
    sentRecords.increment();
    sentReadings.add(readings);
    sentPoison.add(poison);
    inFlight.incrementAndGet();
  }

  void acknowledged(int readings, int poison) {
    acknowledgedReadings.add(readings);
    acknowledgedPoison.add(poison);
    settledRecords.increment();
    inFlight.decrementAndGet();
  }

  void failed(long[] keys, Exception cause) {
    synchronized (uncertain) {
      for (long key : keys) {
        uncertain.add(Gateways.sensorOf(key), Gateways.tickOf(key), Gateways.versionOf(key));
      }
    }
    failedReadings.add(keys.length);
    if (firstFailure == null) {
      firstFailure = cause.toString();
    }
    settledRecords.increment();
    inFlight.decrementAndGet();
  }

  /** Records handed to the target. */
  public long sentRecords() {
    return sentRecords.sum();
  }

  /** Readings handed to the target, repeats and corrections included, bad records not. */
  public long sentReadings() {
    return sentReadings.sum();
  }

  /** Bad records handed to the target. */
  public long sentPoison() {
    return sentPoison.sum();
  }

  /** Readings that the target has taken. */
  public long acknowledgedReadings() {
    return acknowledgedReadings.sum();
  }

  /** Bad records that the target has taken. */
  public long acknowledgedPoison() {
    return acknowledgedPoison.sum();
  }

  /** Readings of which it is not known whether the target has them. */
  public long failedReadings() {
    return failedReadings.sum();
  }

  /** Records of which the outcome is known. */
  public long settledRecords() {
    return settledRecords.sum();
  }

  /** Records of which the outcome is not known yet. */
  public long inFlight() {
    return inFlight.get();
  }

  /** Why the first record failed. */
  public Optional<String> firstFailure() {
    return Optional.ofNullable(firstFailure);
  }

  /**
   * Readings of which it is not known whether the target has them. Complete when all is settled.
   */
  public KeySet uncertain() {
    return uncertain;
  }
}
