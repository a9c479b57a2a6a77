package io.varve.load.oracle;

import io.varve.load.fleet.Fleet;
import io.varve.load.fleet.KeySet;
import io.varve.load.fleet.Sent;
import io.varve.schemas.Rfc3339;

/**
 * What must and what may be shown once all is sent.
 *
 * @param sent what was handed to the target
 * @param uncertain that of it which was not acknowledged: it may be shown or not
 */
record Expected(Fleet fleet, Sent sent, KeySet uncertain) {
  /** The newest version of a tick that may be shown; 0 if the tick may not be. */
  int newest(int sensor, long tick) {
    return sent.version(sensor, tick);
  }

  /** The oldest version of a tick that may be shown; 0 if the tick need not be. */
  int oldest(int sensor, long tick) {
    for (int version = newest(sensor, tick); version > 0; version--) {
      if (!uncertain.contains(sensor, tick, version)) {
        return version;
      }
    }
    return 0;
  }

  /** The newest tick that must be shown; -1 for none. */
  long latest(int sensor) {
    for (long tick = sent.nextTick(sensor) - 1; tick >= fleet.firstTick(sensor); tick--) {
      if (oldest(sensor, tick) > 0) {
        return tick;
      }
    }
    return -1;
  }

  long valueBits(int sensor, long tick, int version) {
    return fleet.valueBits(
        sensor, fleet.timestampMicros(sensor, tick), fleet.sequence(sensor, tick), version);
  }

  /** A key and its value in words. */
  String row(int sensor, long tick, int version) {
    return row(
        fleet.timestampMicros(sensor, tick),
        fleet.sequence(sensor, tick),
        valueBits(sensor, tick, Math.max(1, version)));
  }

  static String row(long timestampMicros, long sequence, long valueBits) {
    return Rfc3339.format(timestampMicros)
        + (sequence == 0 ? "" : " sequence=" + sequence)
        + " value="
        + Double.longBitsToDouble(valueBits);
  }
}
