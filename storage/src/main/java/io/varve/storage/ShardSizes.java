package io.varve.storage;

import java.util.Optional;

/**
 * How large the shards of some partitions are.
 *
 * @param overGuardrail shards that take more bytes or rows than the guardrail says
 * @param largest the one that takes the most bytes; empty where there are none
 */
public record ShardSizes(long overGuardrail, Optional<ShardSize> largest) {
  /** The sizes of no shards. */
  public static final ShardSizes NONE = new ShardSizes(0, Optional.empty());

  /** These and others together. */
  public ShardSizes plus(ShardSizes others) {
    boolean isLarger =
        largest.isPresent()
            && (others.largest.isEmpty() || largest.get().bytes() >= others.largest.get().bytes());
    return new ShardSizes(
        overGuardrail + others.overGuardrail, isLarger ? largest : others.largest);
  }
}
