package io.varve.ingest.shards;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * What comes of a proposal.
 *
 * @param plan the plan to write
 * @param shardsBefore shards in force at that time without it
 * @param until first timestamp that it does not hold for, because a plan that is there already
 *     begins; empty if none does
 * @param changes whether it differs from what is there, be it only in that a person set it, whose
 *     number no node goes below
 * @param inThePast whether it begins before new plans may: then no row of the sensor may be stored
 *     from there on, for it would be in another shard than the plan says
 * @param replaced the plan of the same sensor and time that it takes the place of
 */
public record PlanDecision(
    ShardPlan plan,
    int shardsBefore,
    OptionalLong until,
    boolean changes,
    boolean inThePast,
    Optional<ShardPlan> replaced) {

  /** Decides what a proposal comes to, among the plans that are there and at a moment. */
  public static PlanDecision of(
      PlanProposal proposal, PlanTable table, PlanLead lead, long nowMicros) {
    long earliest = nowMicros + lead.micros();
    long from = proposal.effectiveFromMicros().orElse(earliest);
    long revision = 1;
    int before = 1;
    boolean pins = false;
    OptionalLong until = OptionalLong.empty();
    Optional<ShardPlan> replaced = Optional.empty();
    for (ShardPlan known : table.of(proposal.sensor())) {
      revision = Math.max(revision, known.revision() + 1);
      if (known.effectiveFromMicros() <= from) {
        before = known.shards();
        pins = !known.isByHand() && !proposal.reason().startsWith(ShardPlan.BY_ITSELF);
      } else if (until.isEmpty()) {
        until = OptionalLong.of(known.effectiveFromMicros());
      }
      if (known.effectiveFromMicros() == from) {
        replaced = Optional.of(known);
      }
    }
    return new PlanDecision(
        new ShardPlan(
            proposal.sensor(), from, proposal.shards(), revision, proposal.reason(), nowMicros),
        before,
        until,
        before != proposal.shards() || pins,
        from < earliest,
        replaced);
  }
}
