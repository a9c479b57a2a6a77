package io.varve.ingest.sharder;

import io.varve.storage.ShardSize;

/**
 * How fast a sensor's day grows on disk, smoothed over some minutes: what its shard 0 grows, times
 * its shards. Not thread-safe.
 */
final class ShardGrowth {
  private static final double SMOOTHED_OVER_SECONDS = 300;
  private static final double KNOWN_AFTER_SECONDS = 60;

  /** Sizes change by whole blocks: shorter spans say little. */
  private static final double LEAST_SPAN_SECONDS = 10;

  private ShardSize last;
  private long lastMicros;
  private double observedSeconds;
  private double bytesASecond;
  private double rowsASecond;

  ShardGrowth(ShardSize first, long nowMicros) {
    this.last = first;
    this.lastMicros = nowMicros;
  }

  /**
   * Takes note of a size.
   *
   * @param shards shards that the sensor has; 0 where that changed of late, so that growth since
   *     the size before says nothing
   */
  void observe(ShardSize size, int shards, long nowMicros) {
    if (size.day() != last.day() || shards == 0) {
      last = size;
      lastMicros = nowMicros;
      return; // what was learnt holds on
    }
    double span = (nowMicros - lastMicros) / 1e6;
    if (span < LEAST_SPAN_SECONDS) {
      return;
    }
    observedSeconds += span;
    double weight = Math.min(1, span / Math.min(SMOOTHED_OVER_SECONDS, observedSeconds));
    double bytes = Math.max(0, size.bytes() - last.bytes()) * shards / span;
    double rows = Math.max(0, size.rows() - last.rows()) * shards / span;
    bytesASecond += weight * (bytes - bytesASecond);
    rowsASecond += weight * (rows - rowsASecond);
    last = size;
    lastMicros = nowMicros;
  }

  boolean known() {
    return observedSeconds >= KNOWN_AFTER_SECONDS;
  }

  /** Of all shards together. */
  double bytesASecond() {
    return bytesASecond;
  }

  /** Bytes that a row takes; 0 before any came. */
  double bytesARow() {
    return rowsASecond == 0 ? 0 : bytesASecond / rowsASecond;
  }

  /** Of all shards together. */
  double rowsASecond() {
    return rowsASecond;
  }
}
