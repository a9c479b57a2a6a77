package io.varve.ingest.shards;

import java.time.Duration;

/**
 * How far ahead of now a plan takes effect, and what follows from it: a router routes only while
 * the end of the plan topic was confirmed within half of it, and a plan is written within a quarter
 * of it or counts as not written. So whatever a router places at its time of arrival, it places by
 * plans that it knows, with a quarter to spare.
 *
 * <p>Every node of an installation must have the same lead.
 *
 * @param lead the length itself
 */
public record PlanLead(Duration lead) {
  /** Short enough to relieve a shard within seconds, long enough for a busy broker. */
  public static final PlanLead USUAL = new PlanLead(Duration.ofSeconds(5));

  public PlanLead {
    if (lead.compareTo(Duration.ofMillis(100)) < 0) {
      throw new IllegalArgumentException("lead=" + lead);
    }
  }

  public long micros() {
    return lead.toNanos() / 1000;
  }

  /** Longest time since the end of the topic was last confirmed for a router to go on. */
  long confirmedWithinNanos() {
    return lead.toNanos() / 2;
  }

  /** Longest time that writing a plan may take. */
  public Duration writtenWithin() {
    return lead.dividedBy(4);
  }

  /** Time between two confirmations that the follower asks for when nothing happens. */
  Duration confirmEvery() {
    return lead.dividedBy(10);
  }
}
