package io.varve.load.run;

import io.varve.load.target.Queries;
import io.varve.load.target.QueryException;
import io.varve.load.target.TargetStatus;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Follows what the target says of itself: its lag, and whether it answers at all. One thread asks,
 * any reads.
 */
final class StatusWatch {
  private final Queries queries;
  private final LongSupplier now;
  private final BiConsumer<Long, String> events;
  private volatile Optional<TargetStatus> last = Optional.empty();
  private volatile boolean answering = true;
  private final TreeMap<String, Long> highestLag = new TreeMap<>();

  StatusWatch(Queries queries, LongSupplier now, BiConsumer<Long, String> events) {
    this.queries = queries;
    this.now = now;
    this.events = events;
  }

  /** What the target said last; empty while it does not answer. */
  Optional<TargetStatus> last() {
    return answering ? last : Optional.empty();
  }

  /** The highest lag of each topic partition. */
  synchronized Map<String, Long> highestLag() {
    return new TreeMap<>(highestLag);
  }

  /** Asks once. */
  void ask() {
    ask(queries);
  }

  /** Asks once, over another way. */
  void ask(Queries queries) {
    try {
      Optional<TargetStatus> status = queries.status();
      last = status;
      status.ifPresent(this::noteLag);
      if (!answering) {
        answering = true;
        events.accept(now.getAsLong(), "the target answers again");
      }
    } catch (QueryException e) {
      if (answering) {
        answering = false;
        events.accept(now.getAsLong(), "the target does not answer");
      }
    }
  }

  private synchronized void noteLag(TargetStatus status) {
    status.lagRecords().forEach((partition, lag) -> highestLag.merge(partition, lag, Math::max));
  }
}
