package io.varve.query.plan;

/** Why a page ends where it ends. */
public enum StopReason {
  /** There is nothing more in the range, as of the stores' freshness. */
  EXHAUSTED,
  /** The page is full; there may be more. */
  LIMIT,
  /** The query's time was used up; there may be more. */
  DEADLINE;

  /** The name in answers. */
  public String text() {
    return switch (this) {
      case EXHAUSTED -> "exhausted";
      case LIMIT -> "limit";
      case DEADLINE -> "deadline";
    };
  }
}
