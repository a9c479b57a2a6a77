package io.varve.storage.engine;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Copies of blocks that no walk uses now, for the next ones: a walk of a hundred rows would
 * otherwise allocate more for its buffers than it reads. Thread-safe; keeps at most one for each
 * place, whatever is beyond that is left to the collector.
 */
final class BlockCopies {
  private static final int PLACES = 64;

  private final AtomicReferenceArray<BlockCopy> unused = new AtomicReferenceArray<>(PLACES);

  private static int place() {
    return (int) Thread.currentThread().getId() & PLACES - 1;
  }

  /** Takes one that nobody else uses. */
  BlockCopy take() {
    BlockCopy copy = unused.getAndSet(place(), null);
    return copy == null ? new BlockCopy() : copy;
  }

  /** Gives one back; its rows are not looked at any more. */
  void give(BlockCopy copy) {
    unused.lazySet(place(), copy);
  }
}
