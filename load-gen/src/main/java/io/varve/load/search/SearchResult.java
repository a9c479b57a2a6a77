package io.varve.load.search;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a search found.
 *
 * @param plan what it did
 * @param target what it was put on
 * @param targetVersion its version, if it says so
 * @param found the highest rate of each search that met the objective, 0 for none
 * @param unlimited whether the highest rate allowed met it
 * @param steps every rate that was tried, in order
 */
public record SearchResult(
    SearchPlan plan,
    String target,
    Optional<String> targetVersion,
    List<Long> found,
    boolean unlimited,
    List<Step> steps) {
  public SearchResult {
    found = List.copyOf(found);
    steps = List.copyOf(steps);
  }

  /** The middle of what the searches found, the lower of two. */
  public long median() {
    List<Long> sorted = found.stream().sorted().toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  /** Why the next higher rate that failed does not meet the objective; empty when none failed. */
  public List<String> limitedBy() {
    return steps.stream()
        .filter(step -> !step.met() && step.figures().askedPerSecond() > median())
        .min(Comparator.comparingDouble(step -> step.figures().askedPerSecond()))
        .map(Step::misses)
        .orElse(List.of());
  }
}
