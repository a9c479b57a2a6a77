package io.varve.load.oracle;

import java.util.Locale;

/** What can be wrong with answers. */
public enum FaultKind {
  /** An acknowledged reading is not shown. */
  LOST,
  /** A row is shown that was never sent. */
  UNKNOWN,
  /** A row is shown twice in one walk. */
  REPEATED,
  /** A row stands in the wrong place. */
  DISORDERED,
  /** A row shows a value that no version of it has. */
  ALTERED,
  /** A row shows a value that an acknowledged correction has replaced. */
  REVERTED,
  /** A newer row than the latest shown is acknowledged, or was shown before. */
  STALE_LATEST,
  /** A page has fewer rows than asked for, calls itself complete, and more follow. */
  SHORT_PAGE,
  /** A page has more rows than asked for. */
  LONG_PAGE,
  /** A row lies outside of the range that was asked for. */
  OUT_OF_RANGE,
  /** Acknowledged bad records are neither refused nor dead-lettered. */
  UNACCOUNTED,
  /** An answer that must never be given: no rows, no JSON, a refusal of a right question. */
  UNREADABLE;

  /** The name in outputs. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
