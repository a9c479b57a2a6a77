package io.varve.load.run;

import io.varve.load.oracle.FinalCheck;
import java.util.Optional;

/** A check's time on a simulated clock, and its end when a test says so. */
final class SimulatedPace implements FinalCheck.Pace {
  private final SimulatedClock clock;
  Optional<String> stopped = Optional.empty();

  SimulatedPace(SimulatedClock clock) {
    this.clock = clock;
  }

  @Override
  public long nanos() {
    return clock.nanos();
  }

  @Override
  public void rest(long nanos) {
    clock.pass(nanos);
  }

  @Override
  public Optional<String> stopped() {
    return stopped;
  }
}
