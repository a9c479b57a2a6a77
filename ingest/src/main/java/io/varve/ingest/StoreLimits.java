package io.varve.ingest;

import io.varve.storage.engine.StoreSettings;
import java.util.OptionalLong;

/**
 * What the stores of one node may take.
 *
 * @param maxBytes bytes on disk of all stores together; above it the oldest days leave. Empty keeps
 *     what the retention keeps
 * @param maxShardBytes bytes from which on a shard of one sensor's day is told to be too large; 0
 *     for none
 * @param maxShardRows the same in rows; 0 for none
 */
public record StoreLimits(OptionalLong maxBytes, long maxShardBytes, long maxShardRows) {
  /** What holds unless said otherwise: no cap, and the usual guardrail. */
  public static final StoreLimits USUAL =
      new StoreLimits(OptionalLong.empty(), StoreSettings.MAX_SHARD_BYTES, 0);

  public StoreLimits {
    if (maxBytes.isPresent() && maxBytes.getAsLong() < 1 || maxShardBytes < 0 || maxShardRows < 0) {
      throw new IllegalArgumentException(
          "maxBytes="
              + maxBytes
              + " maxShardBytes="
              + maxShardBytes
              + " maxShardRows="
              + maxShardRows);
    }
  }
}
