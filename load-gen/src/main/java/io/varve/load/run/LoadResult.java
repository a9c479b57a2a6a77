package io.varve.load.run;

import io.varve.load.fleet.Fleet;
import io.varve.load.measure.Latency;
import io.varve.load.oracle.Verdict;
import io.varve.load.probe.QueryKind;
import io.varve.load.probe.Touched;
import io.varve.load.target.TargetStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a run did and found.
 *
 * @param plan what it was to do
 * @param target what it was put on
 * @param fleet what was simulated
 * @param startMillis when sending began, in milliseconds since 1970
 * @param sendNanos from the start until the last record was handed over
 * @param readings readings of the workload, repeats and corrections included
 * @param poisons bad records of the workload
 * @param workloadHash hash of the workload up to there
 * @param tally what was sent and what came of it
 * @param acknowledged durations to acknowledgement
 * @param visible durations to visibility
 * @param queries durations to answers, by kind
 * @param touched what queries cost the target, by kind
 * @param scheduleError how late records were handed over through no fault of the target
 * @param blockedNanos how long the target held up sending
 * @param waitedNanos how long the sending thread had no processor though it could have run; empty
 *     where the system does not say
 * @param givenUp why sending ended early, if the target took nothing any more
 * @param markers markers sent
 * @param markersSeen markers that became visible
 * @param asked questions asked
 * @param unanswered questions without an answer for a while
 * @param failedAnswers questions with an answer that must never be given
 * @param highestLag highest lag of each topic partition
 * @param before what the target said before the run; empty when it does not say
 * @param after what it said after it
 * @param timeline the run second by second
 * @param events what happened during it
 * @param verdict the judgement, if there was to be one
 */
public record LoadResult(
    LoadPlan plan,
    String target,
    Fleet fleet,
    long startMillis,
    long sendNanos,
    long readings,
    long poisons,
    String workloadHash,
    Tally tally,
    Latency acknowledged,
    Latency visible,
    List<Latency> queries,
    Map<QueryKind, Touched> touched,
    Latency scheduleError,
    long blockedNanos,
    OptionalLong waitedNanos,
    Optional<String> givenUp,
    long markers,
    long markersSeen,
    long asked,
    long unanswered,
    long failedAnswers,
    Map<String, Long> highestLag,
    Optional<TargetStatus> before,
    Optional<TargetStatus> after,
    List<Second> timeline,
    List<Event> events,
    Optional<Verdict> verdict) {

  public LoadResult {
    queries = List.copyOf(queries);
    touched = Map.copyOf(touched);
    timeline = List.copyOf(timeline);
    events = List.copyOf(events);
  }

  /** Readings handed over a second, repeats and corrections included. */
  public double rateReached() {
    return sendNanos == 0 ? 0 : readings * 1e9 / sendNanos;
  }
}
