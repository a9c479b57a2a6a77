package io.varve.server.doctor;

import java.util.Locale;

/** How a check came out. */
public enum Verdict {
  /** As it should be. */
  OK,
  /** Works, but will not for long, or not well; or could not be looked at. */
  WARN,
  /** Data is lost or wrong, or is about to be. */
  BAD;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
