package io.varve.ingest.pack;

import java.time.Duration;

/**
 * How much is packed and how long it may wait.
 *
 * @param maxRecordBytes most bytes of a packed record's value; far below {@code max.request.size}
 * @param maxWait longest that a row waits for others before it is sent
 */
public record PackLimits(int maxRecordBytes, Duration maxWait) {
  /** 256 KiB, a producer batch; 3 ms, a tenth of what a person or a probe would notice. */
  public static final PackLimits DEFAULT = new PackLimits(256 << 10, Duration.ofMillis(3));

  public PackLimits {
    if (maxRecordBytes < 1) {
      throw new IllegalArgumentException("maxRecordBytes=" + maxRecordBytes);
    }
    if (maxWait.isNegative() || maxWait.isZero()) {
      throw new IllegalArgumentException("maxWait=" + maxWait);
    }
  }
}
