package io.varve.ingest.traffic;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many rows or reads lie between two samples on average, so that about as many samples a second
 * are taken however much comes: every one while little does. Thread-safe.
 */
final class SampleRate {
  private final int samplesASecond;
  private final AtomicLong second = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong seen = new AtomicLong();
  private final AtomicInteger samples = new AtomicInteger();
  private volatile int stride = 1;

  SampleRate(int samplesASecond) {
    this.samplesASecond = samplesASecond;
  }

  int stride() {
    return stride;
  }

  /** Counts a sample; adjusts the stride with each second, and at once when too many come. */
  void count(long now, int standsFor) {
    long current = second.get();
    if (now != current && second.compareAndSet(current, now)) {
      samples.set(0);
      stride = strideFor(now == current + 1 ? seen.getAndSet(0) : resetSeen());
    }
    seen.addAndGet(standsFor);
    if (samples.incrementAndGet() > samplesASecond) {
      samples.set(samplesASecond / 2);
      stride = Math.min(stride * 4, 1 << 20);
    }
  }

  private long resetSeen() {
    seen.set(0);
    return 0;
  }

  private int strideFor(long rows) {
    return (int) Math.max(1, rows / samplesASecond);
  }
}
