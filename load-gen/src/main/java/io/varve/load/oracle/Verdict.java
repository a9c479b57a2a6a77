package io.varve.load.oracle;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The judgement on a run.
 *
 * @param answers answers judged while loading
 * @param sensors sensors whose rows were all read at the end
 * @param ofSensors how many sensors there are
 * @param rows rows read at the end
 * @param unread sensors whose rows were to be read at the end and were not
 * @param notVerified why not all could be checked; empty when it was
 * @param counts how many faults of each kind
 * @param first the first ten faults
 */
public record Verdict(
    long answers,
    int sensors,
    int ofSensors,
    long rows,
    int unread,
    Optional<String> notVerified,
    Map<FaultKind, Long> counts,
    List<Fault> first) {

  public Verdict {
    counts = Map.copyOf(counts);
    first = List.copyOf(first);
  }

  /** Whether everything was answered and nothing is wrong. */
  public boolean clean() {
    return counts.isEmpty() && notVerified.isEmpty();
  }

  /** The judgement in a word: clean, faulty, or not verified where answers are missing. */
  public String word() {
    return !counts.isEmpty() ? "faulty" : notVerified.isPresent() ? "not verified" : "clean";
  }
}
