package io.varve.ingest;

import java.util.OptionalLong;

/**
 * What the stores of one node may take.
 *
 * @param maxBytes bytes on disk of all stores together; above it the oldest days leave. Empty keeps
 *     what the retention keeps
 */
public record StoreLimits(OptionalLong maxBytes) {
  /** No limits. */
  public static final StoreLimits NONE = new StoreLimits(OptionalLong.empty());

  public StoreLimits {
    if (maxBytes.isPresent() && maxBytes.getAsLong() < 1) {
      throw new IllegalArgumentException("maxBytes=" + maxBytes.getAsLong());
    }
  }
}
