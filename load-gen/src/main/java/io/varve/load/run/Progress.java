package io.varve.load.run;

import io.varve.load.measure.Summary;
import java.util.OptionalLong;

/**
 * Where a run is.
 *
 * @param phase what it is doing
 * @param atNanos nanoseconds since the start
 * @param leftNanos until all is sent; 0 when it is
 * @param rateAsked first-time readings a second
 * @param rateReached readings sent in the last second
 * @param lagRecords records that the target has not taken in yet; empty when it does not say
 * @param acknowledged durations to acknowledgement so far
 * @param visible durations to visibility so far
 * @param sensorsChecked sensors read whole
 * @param sensorsToCheck sensors to be read whole
 */
public record Progress(
    Phase phase,
    long atNanos,
    long leftNanos,
    double rateAsked,
    double rateReached,
    OptionalLong lagRecords,
    Summary acknowledged,
    Summary visible,
    long sensorsChecked,
    long sensorsToCheck) {

  /** What a run does, one after the other. */
  public enum Phase {
    SENDING,
    SETTLING,
    CHECKING
  }
}
