package io.varve.ingest.ledger;

import io.varve.ingest.check.Refusal;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The counts of one source topic partition, each reading once: a record at or below {@link
 * #through} was counted before and is not counted again. One writer, any readers.
 *
 * <p>As text, for the ledger's topic: {@code topic-id=… through=991 routed=980 dead-lettered=2
 * id-empty=10}, zero counts left out.
 */
public final class SourceCounts {
  private static final Logger LOG = LoggerFactory.getLogger(SourceCounts.class);

  private static final int THROUGH = 0;
  private static final int ROUTED = 1;
  private static final int DEAD_LETTERED = 2;
  private static final int LOST = 3;
  private static final int REFUSED = 4;
  private static final Refusal[] REFUSALS = Refusal.values();

  private final String topic;
  private final int partition;
  private final String topicId;
  private LongSupplier logBegin = () -> 0;
  private final AtomicLongArray counts = new AtomicLongArray(REFUSED + REFUSALS.length);

  /**
   * @param topicId the topic's id; offsets of another topic of this name, since deleted, say
   *     nothing
   */
  public SourceCounts(String topic, int partition, String topicId) {
    this.topic = topic;
    this.partition = partition;
    this.topicId = topicId;
    counts.set(THROUGH, -1);
  }

  public String topic() {
    return topic;
  }

  public int partition() {
    return partition;
  }

  /** Newest offset that is counted; -1 before the first. */
  public long through() {
    return counts.get(THROUGH);
  }

  /** Readings written to {@code rows}. */
  public long routed() {
    return counts.get(ROUTED);
  }

  /** Records that could not be decoded, or not to their end. */
  public long deadLettered() {
    return counts.get(DEAD_LETTERED);
  }

  /** Readings refused, by reason; only reasons that occurred. */
  public Map<Refusal, Long> refused() {
    Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
    for (Refusal refusal : REFUSALS) {
      long n = counts.get(REFUSED + refusal.ordinal());
      if (n != 0) {
        refused.put(refusal, n);
      }
    }
    return refused;
  }

  /** Adds readings of the record being counted. */
  public void addRouted(long readings) {
    add(ROUTED, readings);
  }

  /** Adds refused readings of the record being counted. */
  public void addRefused(Refusal refusal, long readings) {
    add(REFUSED + refusal.ordinal(), readings);
  }

  /** Adds the record being counted as one that could not be decoded. */
  public void addDeadLettered() {
    add(DEAD_LETTERED, 1);
  }

  /** Ends the counting of a record. */
  public void countedThrough(long offset) {
    long next = counts.getPlain(THROUGH) + 1;
    // Offsets are left out for other reasons too: the marks of transactions, compaction.
    if (offset != next && next > 0) {
      long begin = Math.min(offset, logBegin.getAsLong());
      if (begin > next) {
        addLost(next, begin);
      }
    }
    counts.setRelease(THROUGH, offset);
  }

  private void addLost(long from, long to) {
    add(LOST, to - from);
    LOG.error(
        "the topic has dropped records before they were read; give it a longer retention:"
            + " topic={} partition={} offsets=[{}, {})",
        topic,
        partition,
        from,
        to);
  }

  /** Tells where to learn from which offset on the topic partition holds its records. */
  void logBegin(LongSupplier offset) {
    logBegin = offset;
  }

  /** Offsets that the topic dropped before they were counted. */
  public long lost() {
    return counts.get(LOST);
  }

  private void add(int index, long n) {
    counts.setRelease(index, counts.getPlain(index) + n);
  }

  /** Returns the counts as text. */
  public String toText() {
    StringBuilder text = new StringBuilder("topic-id=").append(topicId);
    text.append(" through=").append(through());
    append(text, "routed", routed());
    append(text, "dead-lettered", deadLettered());
    append(text, "lost", lost());
    refused().forEach((refusal, n) -> append(text, refusal.text(), n));
    return text.toString();
  }

  private static void append(StringBuilder text, String name, long n) {
    if (n != 0) {
      text.append(' ').append(name).append('=').append(n);
    }
  }

  /**
   * Takes over counts from their text. Counts under names that this version does not know are left
   * out; of a deleted topic of the same name the counts are kept and the offset is not.
   *
   * @throws IllegalArgumentException if the text is not one that {@link #toText} writes
   */
  public void restore(String text) {
    boolean sameTopic = true;
    for (String part : text.split(" ", -1)) {
      int equals = part.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("not a ledger entry: text=" + text);
      }
      String name = part.substring(0, equals);
      String value = part.substring(equals + 1);
      switch (name) {
        case "topic-id" -> sameTopic = value.equals(topicId);
        case "through" -> counts.set(THROUGH, sameTopic ? Long.parseLong(value) : -1);
        case "routed" -> counts.set(ROUTED, Long.parseLong(value));
        case "dead-lettered" -> counts.set(DEAD_LETTERED, Long.parseLong(value));
        case "lost" -> counts.set(LOST, Long.parseLong(value));
        default -> restoreRefused(name, Long.parseLong(value));
      }
    }
  }

  private void restoreRefused(String name, long n) {
    for (Refusal refusal : REFUSALS) {
      if (refusal.text().equals(name)) {
        counts.set(REFUSED + refusal.ordinal(), n);
      }
    }
  }
}
