package io.varve.load.fleet;

/**
 * What a workload has handed out up to some moment: which ticks of each sensor, and which version
 * of each. Kept as what is missing, since the rest follows from the fleet. Immutable.
 */
public final class Sent {
  private final Fleet fleet;
  private final long[] next;
  private final KeySet absent;

  Sent(Fleet fleet, long[] next, KeySet absent) {
    this.fleet = fleet;
    this.next = next;
    this.absent = absent;
  }

  /** The tick of a sensor that comes next: all from its first one to below this were reached. */
  public long nextTick(int sensor) {
    return next[sensor];
  }

  /** The newest version of a tick that was handed out; 0 for none. */
  public int version(int sensor, long tick) {
    if (tick < fleet.firstTick(sensor)
        || tick >= next[sensor]
        || absent.contains(sensor, tick, 1)) {
      return 0;
    }
    return fleet.isCorrected(sensor, tick) && !absent.contains(sensor, tick, 2) ? 2 : 1;
  }
}
