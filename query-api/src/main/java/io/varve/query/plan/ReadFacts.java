package io.varve.query.plan;

import io.varve.storage.Freshness;
import io.varve.storage.PartitionReader;
import io.varve.storage.ReadStats;
import java.util.ArrayList;
import java.util.List;

/**
 * What one answer cost and how fresh it is. Single-threaded; one per query.
 *
 * <p>A store's freshness is noted before its first row is read, so it is a lower bound: every row
 * up to that offset was visible to the query.
 */
public final class ReadFacts {
  private final List<PartitionReader> stores;
  private final List<Freshness> noted = new ArrayList<>(2);
  private final boolean[] seen;
  private final ReadStats stats = new ReadStats();

  /**
   * @param stores the stores that the query may read, by topic partition
   */
  public ReadFacts(List<PartitionReader> stores) {
    this.stores = stores;
    this.seen = new boolean[stores.size()];
  }

  /** Counters for cursors to add to. */
  public ReadStats stats() {
    return stats;
  }

  /** Notes that a store is about to be read. */
  public void reads(PartitionReader store) {
    int at = store.topicPartition();
    if (!seen[at]) {
      seen[at] = true;
      noted.add(store.freshness());
    }
  }

  /** Notes that every store is about to be read. */
  public void readsAll() {
    stores.forEach(this::reads);
  }

  /** Freshness of the stores read; of all stores when the query found no rows to read. */
  public List<Freshness> freshness() {
    if (noted.isEmpty()) {
      readsAll();
    }
    return noted;
  }
}
