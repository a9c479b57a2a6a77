package io.varve.load.oracle;

import java.util.List;
import java.util.Map;

/**
 * The judgement on a run.
 *
 * @param answers answers judged while loading
 * @param sensors sensors whose rows were all read at the end
 * @param ofSensors how many sensors there are
 * @param rows rows read at the end
 * @param unchecked sensors that were to be read at the end and gave no answer
 * @param counts how many faults of each kind
 * @param first the first ten faults
 */
public record Verdict(
    long answers,
    int sensors,
    int ofSensors,
    long rows,
    int unchecked,
    Map<FaultKind, Long> counts,
    List<Fault> first) {

  public Verdict {
    counts = Map.copyOf(counts);
    first = List.copyOf(first);
  }

  /** Whether everything was answered and nothing is wrong. */
  public boolean clean() {
    return counts.isEmpty() && unchecked == 0;
  }

  /** The judgement in one word: clean, faulty, or undecided where sensors gave no answer. */
  public String word() {
    return !counts.isEmpty() ? "faulty" : unchecked > 0 ? "undecided" : "clean";
  }
}
