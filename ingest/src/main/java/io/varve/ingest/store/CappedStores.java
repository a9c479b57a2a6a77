package io.varve.ingest.store;

import io.varve.storage.UtcDay;
import io.varve.storage.engine.PartitionStore;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stores of a node under one cap in bytes: the floor below which days leave all of them.
 *
 * <p>Whoever owns a store asks for the floor and drops the days itself; a day that leaves does so
 * in each store as its owner comes by. Thread-safe.
 */
final class CappedStores {
  private static final Logger LOG = LoggerFactory.getLogger(CappedStores.class);

  private final Optional<ByteCap> cap;
  private final Supplier<Collection<PartitionStore>> stores;
  private int floor = Integer.MIN_VALUE;
  private boolean full;
  private long bytesSeen = -1;
  private int liveDaySeen;

  /**
   * @param stores those that are open now
   */
  CappedStores(OptionalLong maxBytes, Supplier<Collection<PartitionStore>> stores) {
    this.cap =
        maxBytes.isPresent() ? Optional.of(new ByteCap(maxBytes.getAsLong())) : Optional.empty();
    this.stores = stores;
  }

  /** Whether there is a cap. */
  boolean isSet() {
    return cap.isPresent();
  }

  /**
   * Returns the first day that stays; empty while none has had to leave.
   *
   * @param newestMicros newest timestamp of all stores, not ahead of the clock
   */
  OptionalInt floor(long newestMicros) {
    return cap.isPresent() ? floor(cap.get(), UtcDay.of(newestMicros)) : OptionalInt.empty();
  }

  private synchronized OptionalInt floor(ByteCap byteCap, int liveDay) {
    long bytes = 0;
    for (PartitionStore store : stores.get()) {
      bytes += store.disk().bytes();
      if (!store.disk().cappedDays().isEmpty()) {
        // What had to leave one store before a restart leaves the others too.
        floor = Math.max(floor, store.disk().cappedDays().last() + 1);
      }
    }
    boolean seen = bytes == bytesSeen && liveDay == liveDaySeen;
    bytesSeen = bytes;
    liveDaySeen = liveDay;
    if (bytes <= byteCap.maxBytes()) {
      full = false;
    } else if (!seen) {
      decide(byteCap, liveDay, bytes);
    }
    return floor == Integer.MIN_VALUE ? OptionalInt.empty() : OptionalInt.of(floor);
  }

  private void decide(ByteCap byteCap, int liveDay, long bytes) {
    SortedMap<Integer, Long> days = bytesByDay();
    int raised = byteCap.floor(days, liveDay, floor);
    for (int day : days.subMap(floor, Math.max(floor, raised)).keySet()) {
      LOG.warn(
          "day leaves, the stores take more than they may: day={} rows={} bytes={} store_bytes={}"
              + " max_store_bytes={}; raise --max-store-bytes to keep more",
          LocalDate.ofEpochDay(day),
          rows(day),
          days.get(day),
          bytes,
          byteCap.maxBytes());
    }
    floor = raised;
    boolean exceeded = byteCap.isExceeded(days, floor);
    if (exceeded && !full) {
      LOG.warn(
          "the day being written to takes more than the stores may, it stays: day={} store_bytes={}"
              + " max_store_bytes={}; raise --max-store-bytes, or see that the disk has room",
          LocalDate.ofEpochDay(liveDay),
          bytes,
          byteCap.maxBytes());
    }
    full = exceeded;
  }

  private SortedMap<Integer, Long> bytesByDay() {
    SortedMap<Integer, Long> days = new TreeMap<>();
    for (PartitionStore store : stores.get()) {
      store.disk().bytesByDay().forEach((day, bytes) -> days.merge(day, bytes, Long::sum));
    }
    return days;
  }

  private long rows(int day) {
    return stores.get().stream().map(PartitionStore::disk).mapToLong(each -> each.rows(day)).sum();
  }

  /** Whether the live day alone takes more than the cap, so that nothing can leave. */
  synchronized boolean full() {
    return full;
  }
}
