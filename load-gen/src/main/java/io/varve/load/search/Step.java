package io.varve.load.search;

import java.util.List;

/**
 * One rate that was tried.
 *
 * @param search in which search, counted from 1
 * @param figures what it led to
 * @param misses why it does not meet the objective; empty when it does
 */
public record Step(int search, Objective.Figures figures, List<String> misses) {
  public Step {
    misses = List.copyOf(misses);
  }

  /** Whether the rate meets the objective. */
  public boolean met() {
    return misses.isEmpty();
  }
}
