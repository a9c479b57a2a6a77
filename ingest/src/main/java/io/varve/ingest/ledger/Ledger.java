package io.varve.ingest.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of all source topic partitions that this node routes, and when they are made durable.
 *
 * <p>Counts live in memory and go to a logged store of the routing task in {@link #write}, which
 * runs on the stream thread after its last record and before its consumer offsets are committed
 * (Streams flushes its producer there). So the logged counts always reach at least as far as the
 * committed offset, and what a crash makes a task read again is recognised by its offset: routed
 * again, counted once.
 */
public final class Ledger {
  private static final Logger LOG = LoggerFactory.getLogger(Ledger.class);

  /** Where the log of a source topic partition begins. */
  @FunctionalInterface
  public interface LogBegins {
    /** Returns the oldest offset that is held, as far as known; empty if it is not. */
    OptionalLong of(String topic, int partition);
  }

  private volatile LogBegins logBegins = (topic, partition) -> OptionalLong.empty();
  private final Map<Thread, ConcurrentLinkedQueue<Entry>> byThread = new ConcurrentHashMap<>();

  /** The counts of one routing task for as long as it runs. */
  public final class Entry implements AutoCloseable {
    private final Thread thread = Thread.currentThread();
    private final SourceCounts counts;
    private final KeyValueStore<String, String> store;
    private final String key;
    private long writtenThrough;

    private Entry(SourceCounts counts, KeyValueStore<String, String> store) {
      this.counts = counts;
      this.store = store;
      this.key = counts.topic() + "/" + counts.partition();
      String text = store.get(key);
      if (text != null) {
        restore(text);
      }
      writtenThrough = counts.through();
    }

    private void restore(String text) {
      try {
        counts.restore(text);
      } catch (IllegalArgumentException e) {
        LOG.error("Ledger entry makes no sense, counting from zero: key={} text={}", key, text, e);
      }
    }

    public SourceCounts counts() {
      return counts;
    }

    private void write() {
      if (counts.through() != writtenThrough) {
        store.put(key, counts.toText());
        writtenThrough = counts.through();
      }
    }

    /** Forgets the counts; those not written come again with the records that they count. */
    @Override
    public void close() {
      byThread.computeIfPresent(
          thread,
          (owner, entries) -> {
            entries.remove(this);
            return entries.isEmpty() ? null : entries;
          });
    }
  }

  /**
   * Opens the counts of a routing task; the calling thread is the one that routes and writes.
   *
   * @param counts zero counts, filled from the store if it knows the topic partition
   * @param store the task's logged store
   */
  public Entry open(SourceCounts counts, KeyValueStore<String, String> store) {
    counts.logBegin(() -> logBegins.of(counts.topic(), counts.partition()).orElse(0));
    Entry entry = new Entry(counts, store);
    byThread.compute(
        entry.thread,
        (owner, entries) -> {
          ConcurrentLinkedQueue<Entry> mine =
              entries == null ? new ConcurrentLinkedQueue<>() : entries;
          mine.add(entry);
          return mine;
        });
    return entry;
  }

  /** Takes what tells records that were dropped unread from offsets that never were records. */
  public void logBegins(LogBegins known) {
    logBegins = known;
  }

  /** Writes the counts that changed of all tasks of the calling thread to their stores. */
  public void write() {
    ConcurrentLinkedQueue<Entry> entries = byThread.get(Thread.currentThread());
    if (entries != null) {
      entries.forEach(Entry::write);
    }
  }

  /** Returns the live counts by topic and partition. */
  public List<SourceCounts> counts() {
    List<SourceCounts> all = new ArrayList<>();
    byThread.values().forEach(entries -> entries.forEach(entry -> all.add(entry.counts)));
    all.sort(Comparator.comparing(SourceCounts::topic).thenComparingInt(SourceCounts::partition));
    return all;
  }
}
