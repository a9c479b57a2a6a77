package io.varve.load.run;

import io.varve.load.measure.IntervalLog;
import io.varve.load.measure.Latency;
import io.varve.load.measure.Summary;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** All that is measured in a run, and its course second by second. One thread turns it over. */
final class Instruments {
  final Latency acknowledged;
  final Latency visible;
  final Latency scheduleError;
  private final List<Latency> queries;
  private final List<Latency> all = new ArrayList<>();
  private final Tally tally;
  private final Optional<IntervalLog> log;
  private final List<Second> timeline = new ArrayList<>();
  private long lastNanos;
  private long lastSent;
  private long lastAcknowledged;

  Instruments(long fromNanos, List<Latency> queries, Tally tally, Optional<IntervalLog> log) {
    this.acknowledged = new Latency("produce-to-acknowledged", fromNanos);
    this.visible = new Latency("produce-to-visible", fromNanos);
    this.scheduleError = new Latency("schedule-error", fromNanos);
    this.queries = List.copyOf(queries);
    this.tally = tally;
    this.log = log;
    all.add(acknowledged);
    all.add(visible);
    all.addAll(queries);
    all.add(scheduleError);
  }

  List<Latency> queries() {
    return queries;
  }

  List<Second> timeline() {
    return timeline;
  }

  /** Ends the interval under way. */
  Second turnOver(long atNanos, OptionalLong lag) {
    long sent = tally.sentReadings();
    long acked = tally.acknowledgedReadings();
    double seconds = Math.max(1, atNanos - lastNanos) / 1e9;
    long ackP99 = acknowledged.turnOver().p99();
    long visibleP99 = visible.turnOver().p99();
    long queryP99 = 0;
    for (Latency query : queries) {
      queryP99 = Math.max(queryP99, query.turnOver().p99());
    }
    Summary unused = scheduleError.turnOver();
    log.ifPresent(l -> l.write(all, lastNanos, atNanos));
    Second second =
        new Second(
            atNanos,
            (sent - lastSent) / seconds,
            (acked - lastAcknowledged) / seconds,
            lag.orElse(-1),
            ackP99,
            visibleP99,
            queryP99);
    timeline.add(second);
    lastNanos = atNanos;
    lastSent = sent;
    lastAcknowledged = acked;
    return second;
  }
}
