package io.varve.load.probe;

import java.util.Locale;

/** The questions that are asked in turn. */
public enum QueryKind {
  /** The newest 100 rows of a sensor. */
  LATEST,
  /** The newest row of each of 100 sensors. */
  LATEST_OF_MANY,
  /** Up to 1 000 rows of a sensor's last minute. */
  RANGE,
  /** A sensor's last ten minutes as averages of 5 seconds. */
  DOWNSAMPLED,
  /** Up to ten pages of 100 rows, oldest first; one measurement is the whole walk. */
  WALK;

  /** The name in outputs. */
  public String text() {
    return "query-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
