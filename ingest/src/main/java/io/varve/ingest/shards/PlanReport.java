package io.varve.ingest.shards;

import java.time.Duration;
import java.util.Optional;

/**
 * How a node stands with shard plans.
 *
 * @param state whether they are known well enough to route by
 * @param table the plans known
 * @param badRecords records of the topic that are no plans, since the node started
 * @param confirmedAgo how long ago the end of the topic was last confirmed; empty before the first
 * @param trouble what keeps the topic from being followed; empty while nothing does
 */
public record PlanReport(
    State state,
    PlanTable table,
    long badRecords,
    Optional<Duration> confirmedAgo,
    String trouble) {
  /** Before anything has started. */
  public static final PlanReport NOTHING =
      new PlanReport(State.STARTING, PlanTable.EMPTY, 0, Optional.empty(), "");

  /** Whether routers may place rows. */
  public enum State {
    /** The end of the topic has not been reached yet: routing waits. */
    STARTING,
    /** All plans are known as of a moment ago. */
    FOLLOWING,
    /** The end of the topic was not confirmed within half the lead: routing waits. */
    BEHIND
  }
}
